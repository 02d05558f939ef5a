import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import type { Allowance } from "../errors.ts";
import { type FixedWindow, fixedWindow } from "./fixed-window.ts";
import { networkOf } from "./network.ts";
import type { Visitor } from "./visitor.ts";

/** Third step: counts the request against the quotas it falls under. Throws `QuotaExceeded`. */
export type Meter = (operation: Operation, principal: Principal | undefined, visitor: Visitor) => Allowance | undefined;

/** Requests per minute and address where no account is known: protects the service from a single anonymous caller. */
const anonymousPerMinute = 600;

export function createMeter(): Meter {
  const windows = new Map<string, FixedWindow>();
  const windowOf = (policy: string, points: number) => {
    const known = windows.get(policy);
    if (known) return known;
    const made = fixedWindow(points);
    windows.set(policy, made);
    return made;
  };
  return (operation, principal, visitor) => {
    const { quotaPerMinute, name } = operation;
    const caller = principal?.account ?? networkOf(visitor.address());
    const own = quotaPerMinute > 0 ? windowOf(name, quotaPerMinute)(caller, visitor.now) : undefined;
    if (!principal) return narrower(own, windowOf("anonymous", anonymousPerMinute)(caller, visitor.now));
    const { key, perMinute } = principal.plan;
    return narrower(own, perMinute === undefined ? undefined : windowOf(key, perMinute)(caller, visitor.now));
  };
}

function narrower(one: Allowance | undefined, other: Allowance | undefined): Allowance | undefined {
  if (!one || !other) return one ?? other;
  return one.remaining < other.remaining ? one : other;
}
