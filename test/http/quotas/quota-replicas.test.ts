import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import { configuredPlans } from "../../../src/access/plans.ts";
import { quotaUsage } from "../../../src/access/quotas/limits.ts";
import { openQuotas } from "../../../src/access/quotas/postgres-quotas.ts";
import { quotaRules } from "../../../src/access/quotas/quota-rules.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { startCountingProcesses } from "../../support/processes/counting-processes.ts";
import { send } from "../../support/request-load.ts";
import { isThorough } from "../../support/thoroughness.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const requests = 2_000;
/** To each process at a time: three then have all requests at once. */
const connections = 667;
/** 60 a minute, 1,000 a day. */
const plan = configuredPlans(new Map()).get("pro_monthly")!;
const inMinute = 60;

describeEachDatabase("2,000 requests of one account at once", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });

  /** Sends each process its share of the requests, and expects as many to pass as a minute holds. */
  const fetchAll = async (account: string, urls: readonly string[]) => {
    const key = newKey(randomBytes);
    await storeKey(database.kysely, key, { account, plan: plan.key, name: "test" }, testTime);
    // A slow machine rejects some requests, a few of them after they were counted. They are sent again.
    let overloaded = 0;
    const sendRequest = async (url = ""): Promise<Response> => {
      const response = await fetch(url + ipGeo, { headers: { "X-Service-Key": key } });
      if (response.status !== 503) return response;
      await response.arrayBuffer();
      overloaded++;
      return sendRequest(url);
    };
    const found = await send(requests, (index) => sendRequest(urls[index % urls.length]), connections * urls.length);
    const passed = found[200] ?? 0;
    expect(passed).toBeGreaterThanOrEqual(inMinute - overloaded);
    expect(passed).toBeLessThanOrEqual(inMinute);
    expect(found).toEqual({ 200: passed, 429: requests - passed });
  };

  test("let exactly as many through as a minute holds, in one process", async () => {
    await using app = await startApp(database);
    await fetchAll("alone", [app.url]);
  });

  test("let exactly as many through three processes, minute for minute, and charge no more to the day", async ({
    skip,
  }) => {
    skip(database.kind !== "postgres", "memory is not shared");
    skip(!isThorough, "three processes take half a minute");
    await using processes = await startCountingProcesses(database);
    const { urls } = processes;
    const account = "of Postgres";
    const left = async () => {
      const quotas = await openQuotas({ database: database.settings, log: () => {} });
      const usage = await quotaUsage({ quotas, rules: quotaRules(undefined) }, { account, plan }, Date.now());
      await quotas.close();
      return usage.slice(0, 2).map(({ layer, remaining }) => [layer, remaining]);
    };
    await fetchAll(account, urls);
    expect(await left()).toEqual([
      ["per_minute", 0],
      ["daily", 940],
    ]);
    await endMinute(database);
    await fetchAll(account, urls);
    expect(await left()).toEqual([
      ["per_minute", 0],
      ["daily", 880],
    ]);
  });
});

/** As if a minute had gone by. */
async function endMinute(database: Database): Promise<void> {
  await database.query("delete from quota where key like '%per_minute:%'");
}
