import type { DescMessage, DescMethodUnary, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { HandlerContext } from "@connectrpc/connect";
import { PartAvailability, type PartStateSchema } from "../../../gen/es/ids/country/v1/brief_parts_pb.ts";
import { catalog, requiredTier } from "../../contract/catalog.ts";

export interface PartResponse<O extends DescMessage> {
  /** The response of the operation. Absent if the operation failed. */
  readonly message?: MessageShape<O>;
  readonly rejection?: { readonly availability: PartAvailability; readonly reason: string };
  /** Set if the response says that its data may be incomplete or old. The reason is empty if it is unknown. */
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

/** Calls an operation with the plan of the caller. Failures are returned, and only a disconnection rejects. */
export type CallOperation = <I extends DescMessage, O extends DescMessage>(
  method: DescMethodUnary<I, O>,
  request: MessageInitShape<I>,
  context: HandlerContext,
) => Promise<PartResponse<O>>;

export type PartState = MessageInitShape<typeof PartStateSchema>;

export interface Finding {
  readonly availability: PartAvailability;
  readonly reason: string;
}

export const available: Finding = { availability: PartAvailability.AVAILABLE, reason: "" };
export const uncovered: Finding = {
  availability: PartAvailability.NOT_COVERED,
  reason: "The data does not cover this country",
};
export const unnumbered: Finding = {
  availability: PartAvailability.NOT_COVERED,
  reason: "The country has no UN M49 code",
};
export const failed: Finding = { availability: PartAvailability.UNAVAILABLE, reason: "The data cannot be served now" };

export function stateOf(
  { readAt, isStale, origin, source, message }: PartResponse<DescMessage>,
  { availability, reason }: Finding,
): PartState {
  return {
    availability,
    reason,
    ...(readAt && { asOf: BigInt(readAt.getTime()) }),
    stale: isStale,
    origin: message ? origin : "",
    ...linkOf(source),
  };
}

function linkOf({ operation, path, requiredTier, sources }: PartSource) {
  return { operation, path, requiredTier, sources: [...sources] };
}

export async function without(method: DescMethodUnary, finding: Finding): Promise<{ readonly state: PartState }> {
  const [operation] = catalog.filter((each) => each.method === method);
  if (!operation) throw new Error(`${method.name} is not an operation`);
  const { name, path } = operation;
  return { state: { ...finding, operation: name, path, requiredTier: requiredTier(operation) } };
}
