import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Allowance } from "../errors.ts";
import { type FixedWindow, fixedWindow } from "./fixed-window.ts";
import { networkOf } from "./network.ts";

/** Third step: counts the request against the quotas it falls under. Throws `QuotaExceeded`. */
export type Meter = (
  operation: Operation,
  principal: Principal | undefined,
  address: () => string,
) => Allowance | undefined;

/** Requests per minute and address where no account is known: protects the service from a single anonymous caller. */
const anonymousPerMinute = 600;

export function createMeter(clock: () => Date): Meter {
  const windows = new Map<string, FixedWindow>();
  const windowOf = (policy: string, points: number) => {
    const known = windows.get(policy);
    if (known) return known;
    const made = fixedWindow(points, clock);
    windows.set(policy, made);
    return made;
  };
  return (operation, principal, address) => {
    const { quotaPerMinute, name } = operation;
    const caller = principal?.account ?? networkOf(address());
    const own = quotaPerMinute > 0 ? windowOf(name, quotaPerMinute)(caller) : undefined;
    if (!principal) return narrower(own, windowOf("anonymous", anonymousPerMinute)(caller));
    const { key, perMinute } = principal.plan;
    return narrower(own, perMinute === undefined ? undefined : windowOf(key, perMinute)(caller));
  };
}

function narrower(one: Allowance | undefined, other: Allowance | undefined): Allowance | undefined {
  if (!one || !other) return one ?? other;
  return one.remaining < other.remaining ? one : other;
}
