import { comparePlans, type Plan } from "./plans.ts";
import { isRunning, type Subscription } from "./subscriptions.ts";

/** What an account's subscriptions come to at an instant. */
export interface Entitlements {
  /** Of the best running subscription; the free one where none runs. */
  readonly plan: Plan;
  /** `none`: there never was a subscription, which is as good as a free one. `ended`: there were, and none runs. */
  readonly state: "running" | "none" | "ended";
  /** Subscriptions that run no more, best first: one of them may yet be renewed. */
  readonly ended: readonly Subscription[];
  /** The last millisecond at which all this holds, unless something is changed. */
  readonly until: number;
}

/** Works out the standing: the highest tier counts, then the order of the plans, then the later end. */
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

/** The holder as it stands at an instant: the same object until one of its subscriptions ends. */
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
