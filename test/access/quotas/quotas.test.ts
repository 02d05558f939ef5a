import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { entitlementsOf } from "../../../src/access/entitlements.ts";
import type { Plan } from "../../../src/access/plans.ts";
import { quotaUsage } from "../../../src/access/quotas/limits.ts";
import { type OpenQuotas, openQuotas } from "../../../src/access/quotas/postgres-quotas.ts";
import { quotaRules } from "../../../src/access/quotas/quota-rules.ts";
import { catalog, type Operation } from "../../../src/contract/catalog.ts";
import { QuotaExceeded } from "../../../src/errors.ts";
import { createMeter } from "../../../src/interceptors/meter.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";

const now = testTime.getTime();
const operation = catalog.find(({ name }) => name === "GetIpGeo")!;
const limited = catalog.find(({ name }) => name === "ReverseGeocode")!;
const client = { head: {}, now, address: () => "192.0.2.1" };
const rules = quotaRules(undefined);

let made = 0;
/** A principal without a counter in any store. */
function principalOn(limits: Pick<Plan, "perMinute" | "perDay">, tier = 1) {
  made += 1;
  return {
    ...{ account: `account ${made}`, keyId: "key_1", subscriptions: [], scopes: new Set<string>() },
    ...{ expiresAt: undefined, readOnly: false, unresolved: undefined },
    ...entitlementsOf([], { key: "some plan", tier, ...limits }, now),
  };
}

describeEachDatabase("quotas next to the data", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });
  prove(async (count) => {
    const options = { database: database.settings, log: () => {} };
    // Memory is not shared: there is one process then.
    return Promise.all(Array.from({ length: database.kind === "postgres" ? count : 1 }, () => openQuotas(options)));
  });
});

function prove(open: (count: number) => Promise<OpenQuotas[]>): void {
  let processes: OpenQuotas[] = [];
  beforeAll(async () => {
    processes = await open(3);
  });
  afterAll(async () => {
    for (const quotas of processes) await quotas.close();
  });

  test("of any number of requests at once exactly as many pass as the narrowest limit allows, and only they are charged", async () => {
    const limit = fc.integer({ min: 1, max: 12 });
    const limits = fc.record({ perMinute: limit, perDay: limit, quotaPerMinute: limit, freeCallsPerDay: limit });
    const tier = fc.constantFrom(0, 1);
    const spread = fc.array(fc.nat(2), { maxLength: 40 });
    await fc.assert(
      fc.asyncProperty(limits, tier, spread, async ({ perMinute, perDay, ...ofOperation }, paid, spreadOver) => {
        const principal = principalOn({ perMinute, perDay }, paid);
        const own: Operation = { ...limited, ...ofOperation };
        const meters = processes.map((quotas) => createMeter(quotas, rules));
        const outcomes = await Promise.all(
          spreadOver.map((index) => passes(async () => meters[index % meters.length]!(own, principal, client))),
        );
        const { quotaPerMinute, freeCallsPerDay } = ofOperation;
        const allowance = paid === 0 ? freeCallsPerDay : Number.POSITIVE_INFINITY;
        const passed = Math.min(perMinute, perDay, quotaPerMinute, allowance, spreadOver.length);
        expect(outcomes.filter(Boolean)).toHaveLength(passed);
        await eventually(
          async () => (await usageOf(principal)).slice(0, 2).map((left) => left?.remaining),
          ([minute, day]) => minute === perMinute - passed && day === perDay - passed,
        );
      }),
      { numRuns: 40 },
    );
  });

  test("a caller receives every limit of the account with the remainder, and is charged nothing", async () => {
    const principal = principalOn({ perMinute: 10, perDay: 100 });
    const reported = async () =>
      (await usageOf(principal))
        .filter(({ operation: of }) => of === undefined || of === limited.name)
        .map(({ layer, operation: of, limit, remaining }) => [layer, of, limit, remaining]);
    const untouched = [
      ["per_minute", undefined, 10, 10],
      ["daily", undefined, 100, 100],
      ["endpoint", "ReverseGeocode", 60, 60],
    ];
    expect(await reported()).toEqual(untouched);
    expect(await reported()).toEqual(untouched);
    const meter = createMeter(processes[0]!, rules);
    await meter(operation, principal, client);
    await meter(limited, principal, client);
    expect(await reported()).toEqual([
      ["per_minute", undefined, 10, 8],
      ["daily", undefined, 100, 98],
      ["endpoint", "ReverseGeocode", 60, 59],
    ]);
    const [minute, day] = await usageOf(principal);
    expect(minute!.resetAt).toBeGreaterThan(now);
    expect(minute!.resetAt).toBeLessThanOrEqual(now + 60_000);
    expect(day!.resetAt).toBe(Date.parse("2026-11-19T00:00:00Z"));
  });

  test("a limit that the plan does not have is left out", async () => {
    const layers = async (limits: Pick<Plan, "perMinute" | "perDay">) => [
      ...new Set((await usageOf(principalOn(limits))).map(({ layer }) => layer)),
    ];
    expect(await layers({ perMinute: 1, perDay: undefined })).toEqual(["per_minute", "endpoint"]);
    expect(await layers({ perMinute: undefined, perDay: 1 })).toEqual(["daily", "endpoint"]);
    expect(await layers({ perMinute: undefined, perDay: undefined })).toEqual(["endpoint"]);
  });

  test("a free call does not change the account's limits and counts against the address", async () => {
    const principal = principalOn({ perMinute: 1, perDay: 1 });
    const free: Operation = { ...operation, freeOfCharge: true };
    const meter = createMeter(processes[0]!, rules);
    for (let left = 599; left > 596; left--)
      expect(await meter(free, principal, { ...client, address: () => "192.0.2.77" })).toMatchObject({
        ...{ limit: 600, remaining: left },
      });
    expect((await usageOf(principal)).slice(0, 2).map(({ remaining }) => remaining)).toEqual([1, 1]);
  });

  const usageOf = (principal: ReturnType<typeof principalOn>) =>
    quotaUsage({ quotas: processes.at(-1)!, rules }, principal, now);
}

async function passes(request: () => Promise<unknown>): Promise<boolean> {
  try {
    await request();
    return true;
  } catch (error) {
    if (error instanceof QuotaExceeded) return false;
    throw error;
  }
}
