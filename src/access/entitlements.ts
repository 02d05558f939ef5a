import { comparePlans, type Plan } from "./plans.ts";
import { isRunning, type Subscription } from "./subscriptions.ts";

export interface Entitlements {
  /** Plan of the best running subscription, or the free plan. */
  readonly plan: Plan;
  /** `none`: there never was a subscription, and the free plan applies. `ended`: all subscriptions have ended. */
  readonly state: "running" | "none" | "ended";
  /** Ended subscriptions, best first, because one may have been renewed. */
  readonly ended: readonly Subscription[];
  /** Last millisecond at which this is valid, unless subscriptions change. */
  readonly until: number;
}

/** Derives the entitlements. The highest tier counts, then the order of the plans, then the later end. */
export function entitlementsOf(subscriptions: readonly Subscription[], free: Plan, now: number): Entitlements {
  const byWorth = [...subscriptions].sort((a, b) => comparePlans(b.plan, a.plan) || endOf(b) - endOf(a) || 0);
  const running = byWorth.filter((subscription) => isRunning(subscription, now));
  const [best] = running;
  return {
    plan: best?.plan ?? free,
    state: best ? "running" : byWorth.length === 0 ? "none" : "ended",
    ended: byWorth.filter((subscription) => !isRunning(subscription, now)),
    until: Math.min(...running.map(endOf), Number.POSITIVE_INFINITY),
  };
}

/** Returns the holder with its entitlements at a time. This is the same object until a subscription ends. */
export function entitlementsAt<H extends Entitlements & { readonly subscriptions: readonly Subscription[] }>(
  holder: H,
  free: Plan,
  now: number,
): H {
  return now <= holder.until ? holder : { ...holder, ...entitlementsOf(holder.subscriptions, free, now) };
}

function endOf({ validUntil }: Subscription): number {
  return validUntil ?? Number.POSITIVE_INFINITY;
}
