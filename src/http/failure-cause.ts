import { Code, ConnectError } from "@connectrpc/connect";
import {
  AccessUnconfirmed,
  NothingToServe,
  Overloaded,
  RequestAborted,
  RequestTooSlow,
  UpstreamError,
} from "../errors.ts";
import { toFailure } from "./errors.ts";

/**
 * The cause of a failure in the metrics. `caller`: wrong request or key. `limit`: quota. `gone`: the caller
 * disconnected or was too slow. `source`: no data that may be served. `shed`: overload. `service`: everything else.
 * `flagged`: a response that marks its data as missing or too old.
 */
export type Cause = (typeof causes)[number];

export const causes = ["caller", "limit", "gone", "source", "flagged", "shed", "service"] as const;

export function causeOf(error: unknown, now: number): Cause {
  if (error instanceof ConnectError) return causeOfCode(error.code);
  if (error instanceof RequestAborted || error instanceof RequestTooSlow) return "gone";
  if (error instanceof Overloaded) return "shed";
  if (error instanceof NothingToServe || error instanceof UpstreamError) return "source";
  if (error instanceof AccessUnconfirmed) return "service";
  const { fault, status } = toFailure(error, now);
  if (status === 429) return "limit";
  return fault ? "service" : "caller";
}

/** Returns the cause for a response without an error. Undefined for a success. */
export function causeOfStatus(status: number): Cause | undefined {
  if (status < 400) return undefined;
  return status < 500 ? "caller" : "service";
}

function causeOfCode(code: Code): Cause {
  if (code === Code.Canceled || code === Code.DeadlineExceeded) return "gone";
  const isOurs = code === Code.Internal || code === Code.Unavailable || code === Code.Unknown || code === Code.DataLoss;
  return isOurs ? "service" : "caller";
}
