import { expect, test } from "vitest";
import { configuredPlans } from "../../../src/access/plans.ts";
import { quotaRules } from "../../../src/access/quotas/quota-rules.ts";
import { memoryQuotas } from "../../../src/access/quotas/quotas.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import { QuotaExceeded } from "../../../src/errors.ts";
import { toFailure } from "../../../src/http/errors.ts";
import { testTime } from "../../support/app.ts";

const now = testTime.getTime();
const keyed = catalog.find(({ name }) => name === "GetIpGeo")!;
const anonymous = catalog.find(({ access }) => access.anonymous)!;
const free = configuredPlans(new Map([["free", { perMinute: 1 }]])).get("free")!;

test("a flood of addresses makes the oldest of them forgotten, and no account", () => {
  const quotas = memoryQuotas();
  const rules = quotaRules(undefined);
  const fromAddress = (address: string) => quotas.take(rules.of(anonymous, undefined).rules, address, now);
  const byAccount = () => quotas.take(rules.of(keyed, free).rules, "account", now);
  byAccount();
  fromAddress("first");
  expect(fromAddress("first")).toMatchObject({ remaining: 598 });
  for (let index = 0; index < 250_000; index++) fromAddress(`address ${index}`);
  expect(fromAddress("first")).toMatchObject({ remaining: 599 });
  expect(byAccount).toThrow(QuotaExceeded);
});

test("a rejection by an account's limit has the URL of a wider plan, if there is one", () => {
  const bodyWith = (upgradeUrl: string | undefined) => {
    const { rules } = quotaRules(upgradeUrl).of(keyed, free);
    const quotas = memoryQuotas();
    quotas.take(rules, "account", now);
    try {
      quotas.take(rules, "account", now);
    } catch (error) {
      return toFailure(error, now).body;
    }
    return undefined;
  };
  const reported = { error: "Too many requests", plan: "free", limit: 1, limit_type: "per_minute" };
  const reset = new Date(now + 60_000).toISOString();
  expect(bodyWith("https://ids.example/plans")).toEqual({
    ...reported,
    reset,
    upgrade_url: "https://ids.example/plans",
  });
  expect(bodyWith(undefined)).toEqual({ ...reported, reset });
});

test("a clock that is set back makes no call wait longer than a window", () => {
  const quotas = memoryQuotas();
  const { rules } = quotaRules(undefined).of(keyed, free);
  quotas.take(rules, "account", now);
  const hourBack = now - 3_600_000;
  try {
    quotas.take(rules, "account", hourBack);
    expect.unreachable();
  } catch (error) {
    const { headers } = toFailure(error, hourBack);
    expect(Number(headers[headers.indexOf("Retry-After") + 1])).toBeLessThanOrEqual(60);
  }
});
