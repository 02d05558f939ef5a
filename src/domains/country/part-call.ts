import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { PartAvailability } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";

/** How another operation answers the caller of this one. */
export interface PartResponse<O extends DescMessage> {
  /** Absent where it was refused or failed. */
  readonly message?: MessageShape<O>;
  /** Why it was refused or failed. */
  readonly rejection?: { readonly availability: PartAvailability; readonly reason: string };
  /** The answer says of itself, or its data say, that it is no confirmed data; and why, where that is known. */
  readonly unconfirmed?: { readonly reason: string };
  readonly readAt?: Date;
  readonly isStale: boolean;
  readonly origin: "live" | "sample";
  /** What it is, and where the whole of it is had. */
  readonly source: PartSource;
}

/** Where a part comes from. */
export interface PartSource {
  readonly operation: string;
  /** Path and query. */
  readonly path: string;
  readonly requiredTier: number;
  /** Names of the sources that it is made from. */
  readonly sources: readonly string[];
}

/** Asks another operation with the rights of the caller. Rejects only where the caller has gone. */
export type CallOperation = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  context: HandlerContext,
) => Promise<PartResponse<O>>;
