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
 * Whose a failure is, for the metrics: `caller` a wrong request or key, `limit` a quota, `gone` a caller that left or was too slow,
 * `source` nothing that may be served, `shed` too much to do, `service` everything else. `flagged` is an answer that says of itself
 * that data are missing or too old.
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

/** Of an answer that was not made from an error; undefined for a good one. */
export function causeOfStatus(status: number): Cause | undefined {
  if (status < 400) return undefined;
  return status < 500 ? "caller" : "service";
}

/** What connect raised itself. */
function causeOfCode(code: Code): Cause {
  if (code === Code.Canceled || code === Code.DeadlineExceeded) return "gone";
  const isOurs = code === Code.Internal || code === Code.Unavailable || code === Code.Unknown || code === Code.DataLoss;
  return isOurs ? "service" : "caller";
}
