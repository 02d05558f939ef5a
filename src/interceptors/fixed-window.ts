import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import { type Allowance, QuotaExceeded } from "../errors.ts";

/** Counts one more of a caller and tells what is left. Rejects with `QuotaExceeded`. */
export type FixedWindow = (caller: string) => Promise<Allowance>;

const windowSeconds = 60;

/** So many a minute for each caller, in windows that begin with a caller's first. */
export function fixedWindow(points: number, clock: () => Date): FixedWindow {
  const limiter = new RateLimiterMemory({ points, duration: windowSeconds });
  const allowance = ({ remainingPoints, msBeforeNext }: RateLimiterRes): Allowance => ({
    limit: points,
    remaining: Math.max(remainingPoints, 0),
    windowSeconds,
    resetAt: clock().getTime() + msBeforeNext,
  });
  // Handlers instead of await: this is on the way of every request.
  return (caller) =>
    limiter.consume(caller).then(allowance, (refusal: unknown) => {
      if (!(refusal instanceof RateLimiterRes)) throw refusal;
      throw new QuotaExceeded("Too many requests", allowance(refusal));
    });
}
