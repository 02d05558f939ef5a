import { dayMs, hourMs, minuteMs, secondMs } from "../reference/duration.ts";
import type { Attempted } from "./attempt.ts";

/** Waits after the first, second, ... failed attempt, in milliseconds. A delivery has one attempt more than waits. */
export type RetryPlan = readonly number[];

/** The plan is long enough for a receiver that is down over a weekend. */
export const retryPlan: RetryPlan = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

/** Relative spread of a wait in both directions, so that failed deliveries are not all retried together. */
const jitter = 0.1;
const maxRetryAfterMs = dayMs;

/** Undefined means that this was the last attempt. `random` is 0 to 1. */
export function waitAfter(
  plan: RetryPlan,
  failures: number,
  { status, retryAfterSeconds }: Attempted,
  random: number,
): number | undefined {
  const wait = plan[failures - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + jitter * (2 * random - 1));
  const requested =
    status !== undefined && [429, 502, 503, 504].includes(status) ? (retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(spread, Math.min(requested, maxRetryAfterMs));
}
