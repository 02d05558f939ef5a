import { expect, test } from "vitest";
import { entitlementsOf } from "../../../src/access/entitlements.ts";
import { configuredPlans, type Plan } from "../../../src/access/plans.ts";
import { limitReader, ownedLimit } from "../../../src/access/quotas/limits.ts";
import { quotaRules } from "../../../src/access/quotas/quota-rules.ts";
import { memoryQuotas } from "../../../src/access/quotas/quotas.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import { testTime } from "../../support/app.ts";

const now = testTime.getTime();
const rules = quotaRules("/plans");
const plans = configuredPlans(new Map());
const isOwned = catalog.find(({ quotaPerMinute, freeOfCharge }) => quotaPerMinute > 0 && !freeOfCharge);
const hasAllowance = catalog.find(({ freeCallsPerDay }) => freeCallsPerDay > 0);
const isPlain = catalog.find(({ name }) => name === "GetIpGeo");
if (!isOwned || !hasAllowance || !isPlain) throw new Error("The catalog has no such operations");

function planOf(key: string): Plan {
  return plans.get(key) ?? expect.unreachable(key);
}

function layersOf(operation: (typeof catalog)[number], plan: Plan | undefined): readonly string[] {
  return rules.of(operation, plan).rules.map(({ layer }) => layer);
}

test("a limit for objects reports how many more fit, never fewer than none, and counts only if it applies", async () => {
  const base = { name: "rules", windowSeconds: 0, resetAt: undefined };
  expect(await ownedLimit("rules", 5, () => 2)).toEqual({ ...base, limit: 5, remaining: 3 });
  expect(await ownedLimit("rules", 5, async () => 7)).toEqual({ ...base, limit: 5, remaining: 0 });
  const counts = () => expect.unreachable("There is nothing to count");
  expect(await ownedLimit("rules", undefined, counts)).toEqual({ ...base, limit: undefined, remaining: undefined });
});

test("the limits of a caller are those of the plan, then those for objects, then those of operations", async () => {
  const owned = await ownedLimit("rules", 3, () => 1);
  const read = limitReader(memoryQuotas(), rules, async () => [owned]);
  const limitsOn = (plan: Plan) =>
    read(
      {
        ...{ account: "one", keyId: "key_1", subscriptions: [], scopes: new Set<string>() },
        ...{ expiresAt: undefined, readOnly: false, unresolved: undefined },
        ...entitlementsOf([], plan, now),
      },
      now,
    );
  const ofFree = await limitsOn(planOf("free"));
  expect(ofFree.slice(0, 4).map(({ name, limit }) => [name, limit])).toEqual([
    ["per_minute", 30],
    ["daily", 300],
    ["exported_rows", 1_000],
    ["rules", 3],
  ]);
  const ofOperations = ofFree.slice(4).map(({ name }) => name);
  expect(ofOperations).toContain(isOwned.name);
  expect(ofOperations).toContain(hasAllowance.name);
  const ofOperator = await limitsOn(planOf("operator"));
  expect(ofOperator.slice(0, 3).map(({ name, limit, windowSeconds }) => [name, limit, windowSeconds])).toEqual([
    ["per_minute", undefined, 60],
    ["daily", undefined, 86_400],
    ["rules", 3, 0],
  ]);
});

test("a request is counted by the limits of its operation, of its plan, or else of the service", () => {
  expect(layersOf(isPlain, planOf("free"))).toEqual(["per_minute", "daily"]);
  expect(layersOf(isPlain, undefined)).toEqual(["global"]);
  expect(layersOf(isPlain, planOf("operator"))).toEqual([]);
  expect(layersOf(isOwned, planOf("free"))).toEqual(["endpoint", "per_minute", "daily"]);
  expect(layersOf(isOwned, planOf("operator"))).toEqual(["endpoint"]);
  expect(layersOf(isOwned, undefined)).toEqual(["endpoint"]);
  expect(layersOf(hasAllowance, planOf("free"))).toContain("allowance");
  expect(layersOf(hasAllowance, planOf("pro_monthly"))).not.toContain("allowance");
  const free = { ...isPlain, freeOfCharge: true };
  expect([layersOf(free, planOf("free")), layersOf(free, planOf("operator"))]).toEqual([["global"], []]);
});

test("a request counts against the account if it has a plan that pays for it, or else against the address", () => {
  expect(rules.of(isPlain, planOf("free")).by).toBe("account");
  expect(rules.of(isOwned, planOf("free")).by).toBe("account");
  expect(rules.of(isPlain, undefined).by).toBe("address");
  expect(rules.of({ ...isPlain, freeOfCharge: true }, planOf("free")).by).toBe("address");
});

test("only limits of accounts and of the service let requests pass while they cannot be counted", () => {
  const all = [planOf("free"), undefined].flatMap((plan) => catalog.flatMap((each) => rules.of(each, plan).rules));
  const { rows, calls } = rules.ofWalk(planOf("free"));
  const closed = new Map([...all, ...rows, ...calls].map((rule) => [rule.layer, rule.closed]));
  expect(Object.fromEntries(closed)).toEqual({
    ...{ per_minute: false, daily: false, global: false },
    ...{ endpoint: true, allowance: true, exported_rows: true },
  });
});

test("a page counts as a request, and a request for all pages counts its rows and the calls of the day", () => {
  const layers = (plan: string) => {
    const { rows, calls } = rules.ofWalk(planOf(plan));
    return [rules.ofPage(planOf(plan)), rows, calls].map((each) => each.map(({ layer, limit }) => [layer, limit]));
  };
  const daily = ["daily", 300];
  expect(layers("free")).toEqual([[["per_minute", 30], daily], [["exported_rows", 1_000]], [daily]]);
  expect(layers("operator")).toEqual([[], [], []]);
});
