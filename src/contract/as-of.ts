import type { HandlerContext } from "@connectrpc/connect";
import { InvalidRequest } from "../errors.ts";
import { dayMs } from "../reference/duration.ts";
import { readRequestTime } from "./request/request-time.ts";

/** The moment of which an answer is wanted. */
export interface AsOf {
  /** Unix epoch milliseconds; of a day its last one. */
  readonly at: number;
  readonly isDay: boolean;
}

/** Name of the parameter, and in RPC of the header. */
export const asOfParameter = "as_of";
export const asOfHeader = "X-As-Of";

/** Every version is kept for so many days, then the last one of each UTC day. */
export const allVersionsDays = 7;

/** Reads a day or a moment. Throws `InvalidRequest`. */
export function readAsOf(text: string): AsOf {
  const { end, isDay } = readRequestTime(text, asOfParameter);
  return { at: end, isDay };
}

/** The moment whose data are read: one of which something is kept, at or before the one that is wanted. Throws `InvalidRequest`. */
export function storedTime({ at, isDay }: AsOf, now: number): number {
  if ((isDay ? at - dayMs : at) > now) throw invalid("value must not be in the future");
  if (now - at <= allVersionsDays * dayMs) return Math.min(at, now);
  return isDay ? at : at - (at % dayMs) - 1;
}

/** What is wrong with the parameter. */
export function invalid(description: string): InvalidRequest {
  return new InvalidRequest([{ field: asOfParameter, description }]);
}

const wanted = new WeakMap<object, AsOf>();

/** Notes that the answer to a call is wanted as of a moment. */
export function noteAsOf(context: object, asOf: AsOf | undefined): void {
  if (asOf) wanted.set(context, asOf);
}

/** As of which moment a call wants its answer; undefined: now. In RPC a header says it. Throws `InvalidRequest`. */
export function asOfOf(context: HandlerContext): AsOf | undefined {
  const noted = wanted.get(context);
  if (noted || context.protocolName === "rest") return noted;
  const header = context.requestHeader.get(asOfHeader);
  return header ? readAsOf(header) : undefined;
}
