import { RateLimiterMemory, RateLimiterRes } from "rate-limiter-flexible";
import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import { type Allowance, QuotaExceeded } from "../errors.ts";

/** Third step: counts the request against the quotas it falls under. Throws `QuotaExceeded`. */
export type Meter = (
  operation: Operation,
  principal: Principal | undefined,
  address: () => string,
) => Allowance | undefined | Promise<Allowance | undefined>;

const windowSeconds = 60;

/** Requests per window and address where no account is known: protects the service from a single anonymous caller. */
const anonymousPerMinute = 600;

/** Fixed windows that begin with a caller's first request. */
export function createMeter(clock: () => Date): Meter {
  const windows = new Map<string, RateLimiterMemory>();
  const windowOf = (policy: string, points: number) => {
    const known = windows.get(policy);
    if (known) return known;
    const made = new RateLimiterMemory({ points, duration: windowSeconds });
    windows.set(policy, made);
    return made;
  };
  // Handlers instead of await: this is on the way of every request.
  const take = (policy: string, points: number, caller: string): Promise<Allowance> =>
    windowOf(policy, points)
      .consume(caller)
      .then(
        (result) => allowance(points, result, clock),
        (refusal: unknown) => {
          if (!(refusal instanceof RateLimiterRes)) throw refusal;
          throw new QuotaExceeded("Too many requests", allowance(points, refusal, clock));
        },
      );
  return (operation, principal, address) => {
    const { quotaPerMinute, name } = operation;
    const caller = principal?.account ?? address();
    const own = quotaPerMinute > 0 ? take(name, quotaPerMinute, caller) : undefined;
    const plan = principal?.plan;
    const general = plan
      ? plan.perMinute && take(plan.key, plan.perMinute, caller)
      : take("anonymous", anonymousPerMinute, caller);
    if (!own) return general || undefined;
    return Promise.all([own, general || undefined]).then(([one, other]) => narrower(one, other));
  };
}

function allowance(limit: number, result: RateLimiterRes, clock: () => Date): Allowance {
  return {
    limit,
    remaining: Math.max(result.remainingPoints, 0),
    windowSeconds,
    resetAt: clock().getTime() + result.msBeforeNext,
  };
}

function narrower(one: Allowance | undefined, other: Allowance | undefined): Allowance | undefined {
  if (!one || !other) return one ?? other;
  return one.remaining < other.remaining ? one : other;
}
