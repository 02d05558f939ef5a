import { randomBytes } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../src/access/api-key.ts";
import { storeKey } from "../../src/access/keys.ts";
import { configuredPlans } from "../../src/access/plans.ts";
import { quotaRules } from "../../src/access/quota-rules.ts";
import { openQuotas } from "../../src/access/quota-store.ts";
import { quotaUsage } from "../../src/access/quota-usage.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { hasRedis, type RedisServer, startRedis } from "../support/redis-server.ts";
import { send } from "../support/request-load.ts";
import { type ServeProcess, startServeProcess } from "../support/serve-process.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const requests = 2_000;
/** To each process at a time: three then have all requests at once. */
const connections = 667;
/** 60 a minute, 1,000 a day. */
const plan = configuredPlans(new Map()).get("pro_monthly")!;
const limit = 60;
const exactly = { 200: limit, 429: requests - limit };

describeEachDatabase("2,000 requests of one account at once", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });

  /** Every process gets its share of the requests. */
  const askAll = async (account: string, urls: readonly string[]) => {
    const key = newKey(randomBytes);
    await storeKey(database.kysely, key, { account, plan: plan.key, name: "test" }, testTime);
    const ask = (url = "") => fetch(url + ipGeo, { headers: { "X-Service-Key": key } });
    return send(requests, (index) => ask(urls[index % urls.length]), connections * urls.length);
  };

  test("let exactly as many through as a minute holds, in one process", async () => {
    await using app = await startApp(database);
    expect(await askAll("alone", [app.url])).toEqual(exactly);
  });

  describe.each([
    { store: "Postgres", needsRedis: false },
    { store: "Redis", needsRedis: true },
  ])("in three processes that count in $store", ({ store, needsRedis }) => {
    const account = `of ${store}`;
    const processes: ServeProcess[] = [];
    let folder = "";
    let redis: RedisServer | undefined;
    beforeAll(async () => {
      const { kind, address } = database.settings;
      if (kind !== "postgres" || (needsRedis && !hasRedis)) return;
      folder = mkdtempSync(join(tmpdir(), "ids-quota-"));
      redis = needsRedis ? await startRedis() : undefined;
      const place = { DATABASE_URL: address, IDS_DATA_DIR: folder, ...(redis ? { REDIS_URL: redis.url } : {}) };
      for (let index = 0; index < 3; index++) processes.push(await startServeProcess(place, ["--no-work"]));
      await Promise.all(processes.map((started) => started.firstSuccess("/livez")));
    });
    afterAll(async () => {
      await Promise.all(processes.map((started) => started.stop()));
      await redis?.stop();
      if (folder) rmSync(folder, { recursive: true, force: true });
    });

    /** As if a minute had gone by. */
    const endMinute = async () => {
      await database.query("delete from quota where key like '%per_minute:%'");
      if (!redis) return;
      const client = new Redis(redis.url);
      await client.del(`ids:quota:per_minute:${account}`);
      client.disconnect();
    };

    const left = async () => {
      const quotas = await openQuotas({ redisUrl: redis?.url, database: database.settings, log: () => {} });
      const usage = await quotaUsage({ quotas, rules: quotaRules(undefined) }, { account, plan }, Date.now());
      await quotas.close();
      const of = (wanted: string) => usage.find(({ layer }) => layer === wanted)?.remaining;
      return { minute: of("per_minute"), day: of("daily") };
    };

    test("let exactly as many through as a minute holds, minute for minute, and charge no more to the day", async ({
      skip,
    }) => {
      skip(processes.length === 0, "memory is not shared, or there is no Redis");
      const urls = processes.map(({ url }) => url);
      expect(await askAll(account, urls)).toEqual(exactly);
      expect(await left()).toEqual({ minute: 0, day: 940 });
      await endMinute();
      expect(await askAll(account, urls)).toEqual(exactly);
      expect(await left()).toEqual({ minute: 0, day: 880 });
    });
  });
});
