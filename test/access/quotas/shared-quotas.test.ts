import { expect, test } from "vitest";
import { configuredPlans } from "../../../src/access/plans.ts";
import { quotaRules } from "../../../src/access/quotas/quota-rules.ts";
import { type CounterStore, SharedQuotas } from "../../../src/access/quotas/shared-quotas.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import { QuotaExceeded, QuotasUnreadable } from "../../../src/errors.ts";
import { testTime } from "../../support/app.ts";

const now = testTime.getTime();
const limited = catalog.find(({ quotaPerMinute, freeOfCharge }) => quotaPerMinute > 0 && !freeOfCharge)!;
const plan = configuredPlans(new Map([["free", { perMinute: 3, perDay: 2 }]])).get("free")!;
const { rules } = quotaRules(undefined).of(limited, plan);
const [endpoint, ...ofAccount] = rules;

/** Counts and notes what it is asked, in windows that end so soon. */
function countingStore(msLeft: number) {
  const counts = new Map<string, number>();
  const change = (key: string, points: number) => {
    const used = (counts.get(key) ?? 0) + points;
    counts.set(key, used);
    return { used, msLeft };
  };
  const store: CounterStore = {
    add: async (_rule, key, points) => change(key, points),
    giveBack: async (_rule, key, points) => change(key, -points),
    read: async () => undefined,
  };
  return { store, counts };
}

test("a store that is lost is logged once; limits of accounts stay open, others are closed", async () => {
  const reported: string[] = [];
  const lost = () => Promise.reject(new Error("connection refused"));
  const quotas = new SharedQuotas({ add: lost, giveBack: lost, read: lost }, (message) => reported.push(message));
  for (let index = 0; index < 50; index++) expect(await quotas.take(ofAccount, "one", now)).toBeUndefined();
  await expect(async () => quotas.take(rules, "one", now)).rejects.toThrow(QuotasUnreadable);
  await expect(async () => quotas.left(rules, "one", now)).rejects.toThrow(QuotasUnreadable);
  await quotas.close();
  expect(reported).toHaveLength(1);
  expect(reported.join()).toMatch(/Requests cannot be counted/);
});

test("what a later limit refuses is given back to those before it", async () => {
  const { store, counts } = countingStore(30_000);
  const quotas = new SharedQuotas(store, () => {});
  for (let index = 0; index < 2; index++) await quotas.take(rules, "one", now);
  for (let index = 0; index < 9; index++)
    await expect(async () => quotas.take(rules, "one", now)).rejects.toThrow(QuotaExceeded);
  expect(Object.fromEntries(counts)).toEqual({
    [`${endpoint!.name}:one`]: 2,
    "per_minute:one": 2,
    "daily:one:2026-11-18": 2,
  });
});

test("in the last moments of a window nothing is given back: it would let more through the next one", async () => {
  const { store, counts } = countingStore(4_000);
  const quotas = new SharedQuotas(store, () => {});
  for (let index = 0; index < 2; index++) await quotas.take(rules, "one", now);
  await expect(async () => quotas.take(rules, "one", now)).rejects.toThrow(QuotaExceeded);
  expect([...counts.values()]).toEqual([3, 3, 3]);
});
