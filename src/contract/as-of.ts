import { type InvalidRequest, invalidField, NothingToServe } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import { readRequestTime } from "./request/request-time.ts";

export interface AsOf {
  /** Requested time in Unix epoch milliseconds. A requested day means its last millisecond. */
  readonly at: number;
  readonly isDay: boolean;
}

/** Name of the parameter, and of the header over RPC. */
export const asOfParameter = "as_of";
export const asOfHeader = "X-As-Of";

/** All versions are stored for this number of days. After that, only the last version of each UTC day remains. */
export const allVersionsDays = 7;

/** Parses a day or a time. Throws `InvalidRequest`. */
export function readAsOf(text: string): AsOf {
  const { end, isDay } = readRequestTime(text, asOfParameter);
  return { at: end, isDay };
}

/** Returns the latest time up to the requested one for which data is stored. Throws `InvalidRequest`. */
export function storedTime({ at, isDay }: AsOf, now: number): number {
  if ((isDay ? at - dayMs : at) > now) throw invalid("value must not be in the future");
  if (now - at <= allVersionsDays * dayMs) return Math.min(at, now);
  return isDay ? at : at - (at % dayMs) - 1;
}

export function invalid(description: string): InvalidRequest {
  return invalidField(asOfParameter, description);
}

/**
 * A response for a past time is computed as of the start of these ten minutes, or as of the last refresh if that was
 * later. All times in between therefore have the same response, which is computed once.
 */
const pastStepMs = 10 * 60_000;

export function startOfPastStep(at: number): number {
  return at - (at % pastStepMs);
}

/** Throws an error of a read for a past time. Missing past data has no `Retry-After`, because it cannot change. */
export function rejectPast(error: unknown): never {
  throw error instanceof NothingToServe ? Object.assign(error, { retryAfterSeconds: undefined }) : error;
}
