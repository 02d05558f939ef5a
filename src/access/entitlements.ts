import { comparePlans, type Plan } from "./plans.ts";
import { isRunning, type Subscription } from "./subscriptions.ts";

export interface Entitlements {
  /** Plan of the best valid subscription, or the free plan if none is valid. */
  readonly plan: Plan;
  /** `none`: the account never had a subscription, so the free plan applies. `ended`: all of them have ended. */
  readonly state: "running" | "none" | "ended";
  /** Ended subscriptions, the highest plan first. The payment provider is asked whether one was renewed. */
  readonly ended: readonly Subscription[];
  /** Last millisecond at which the entitlements are valid, unless a subscription changes before. */
  readonly until: number;
}

/** Derives entitlements. The best subscription has the highest tier, then the later plan, then the later end. */
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

/** Returns the holder with its entitlements at a time: the same object until a subscription ends, to save memory. */
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
