import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import type { PartAvailability } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";

export interface PartResponse<O extends DescMessage> {
  /** The message is absent if the operation rejected the request or failed. */
  readonly message?: MessageShape<O>;
  readonly rejection?: { readonly availability: PartAvailability; readonly reason: string };
  /** Set if the response or its data are marked as unconfirmed, with the reason if it is known. */
  readonly unconfirmed?: { readonly reason: string };
  readonly readAt?: Date;
  readonly isStale: boolean;
  readonly origin: "live" | "sample";
  readonly source: PartSource;
}

export interface PartSource {
  readonly operation: string;
  readonly path: string;
  readonly requiredTier: number;
  readonly sources: readonly string[];
}

/** Calls another operation with the plan of the caller. The promise rejects only if the caller has disconnected. */
export type CallOperation = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  context: HandlerContext,
) => Promise<PartResponse<O>>;
