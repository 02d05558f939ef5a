import fc from "fast-check";
import { expect, test } from "vitest";
import { entitlementsAt, entitlementsOf } from "../../src/access/entitlements.ts";
import { configuredPlans, freePlan, planKeys } from "../../src/access/plans.ts";
import type { Subscription } from "../../src/access/subscriptions.ts";

const plans = configuredPlans(new Map());
const free = freePlan(plans);

/** Small times, so that ends meet each other and the instants that are looked at. */
const time = fc.integer({ min: 0, max: 12 });
const subscription: fc.Arbitrary<Subscription> = fc
  .record({ key: fc.constantFrom(...planKeys), active: fc.boolean(), validUntil: fc.option(time, { nil: undefined }) })
  .map(({ key, active, validUntil }) => ({
    ...{ id: key, provider: "local", plan: plans.get(key)!, active, validUntil, updatedAt: 0 },
  }));
const subscriptions = fc.array(subscription, { maxLength: 5 });

const runs = (now: number) => (each: Subscription) => each.active && (each.validUntil ?? now) >= now;

test("the plan is that of a running subscription of which no other has a higher tier or comes later in the table", () => {
  fc.assert(
    fc.property(subscriptions, time, (held, now) => {
      const { plan, state, ended } = entitlementsOf(held, free, now);
      const running = held.filter(runs(now));
      expect(state).toBe(running.length > 0 ? "running" : held.length > 0 ? "ended" : "none");
      expect(ended).toHaveLength(held.length - running.length);
      expect(running.length === 0 ? [free] : running.map((each) => each.plan)).toContain(plan);
      for (const other of running) {
        expect(other.plan.tier).toBeLessThanOrEqual(plan.tier);
        if (other.plan.tier === plan.tier)
          expect(planKeys.indexOf(other.plan.key)).toBeLessThanOrEqual(planKeys.indexOf(plan.key));
      }
    }),
  );
});

test("of two that ended on the same plan the one that lasted longer comes first", () => {
  fc.assert(
    fc.property(time, time, (one, other) => {
      const held = [one, other].map((validUntil) => ({
        ...{ id: "", provider: "local" as const, plan: free, active: false, validUntil, updatedAt: 0 },
      }));
      expect(entitlementsOf(held, free, 0).ended[0]?.validUntil).toBe(Math.max(one, other));
    }),
  );
});

test("cached entitlements equal the recomputed ones at every later instant", () => {
  fc.assert(
    fc.property(subscriptions, time, time, (held, first, later) => {
      const now = first + later;
      const holder = { subscriptions: held, ...entitlementsOf(held, free, first) };
      const { plan, state, ended } = entitlementsOf(held, free, now);
      expect(entitlementsAt(holder, free, now)).toMatchObject({ plan, state, ended });
    }),
  );
});

test("a standing that still holds is not worked out again", () => {
  fc.assert(
    fc.property(subscriptions, time, (held, now) => {
      const holder = { subscriptions: held, ...entitlementsOf(held, free, now) };
      expect(entitlementsAt(holder, free, Math.min(holder.until, 100))).toBe(holder);
    }),
  );
});
