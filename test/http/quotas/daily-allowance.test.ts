import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import { catalog } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { requestConnect } from "../../support/domains/decision.ts";
import { limitsOf, send } from "../../support/request-load.ts";
import { accessService } from "../../support/servers/access-service.ts";

const marketData = catalog.find(({ name }) => name === "GetMarketData")!;
const { path, name } = marketData;
const ipGeo = "/api/infrastructure/v1/get-ip-geo";
/** The test contract allows two calls a day. */
const allowed = "/api/test/v1/get-allowed";
const midnight = "2026-11-19T00:00:00.000Z";

describeEachDatabase("the daily allowance of accounts without a paid subscription", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { services: [accessService], environment: { IDS_PLAN_LIMITS: "free=20/300" } });
    return app[Symbol.asyncDispose];
  });
  const sendRequest = (key: string, of = app) => of.get(path, { key });
  const limitsReported = async (key: string, of = app) => {
    const response = await of.get("/api/account/v1/get-limits", { key });
    return ((await response.json()) as { limits: { name: string }[] }).limits;
  };

  test("five calls of GetMarketData pass, the sixth is rejected with the retry time, and the next UTC day resets the count", async () => {
    const key = await app.key("free");
    for (const remaining of [4, 3, 2, 1, 0]) {
      const response = await sendRequest(key);
      expect(response.status).toBe(200);
      expect(limitsOf(response)).toEqual({ limit: 5, remaining, reset: Date.parse(midnight) });
    }
    const rejected = await sendRequest(key);
    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toEqual({
      ...{ error: "Daily allowance of GetMarketData used up", plan: "free", limit: 5, limit_type: "daily" },
      ...{ reset: midnight, upgrade_url: "/plans", reason: "daily-allowance" },
    });
    expect(Object.fromEntries(rejected.headers)).toMatchObject({
      ...{ "cache-control": "no-store", "retry-after": `${12 * 3600}`, "ratelimit-policy": '"default";q=5;w=86400' },
    });
    expect((await app.get(ipGeo, { key })).status).toBe(200);
    app.setTime(new Date("2026-11-18T23:59:59.999Z"));
    const last = await sendRequest(key);
    expect([last.status, last.headers.get("Retry-After")]).toEqual([429, "1"]);
    app.setTime(new Date(midnight));
    expect(limitsOf(await sendRequest(key))).toMatchObject({ limit: 5, remaining: 4 });
    app.setTime(testTime);
  });

  test("all keys of an account, plain JSON, and RPC share one allowance, and get-limits reports the remainder", async () => {
    const { id, key: first } = await openAccount(database, { subscriptions: [{ plan: "free" }] });
    const second = newKey(randomBytes);
    await storeKey(database.kysely, second, { account: id, plan: "free", name: "second" }, testTime);
    for (const key of [first, second]) {
      expect((await sendRequest(key)).status).toBe(200);
      expect((await requestConnect(app, marketData, key)).status).toBe(200);
    }
    expect(await limitsReported(first)).toContainEqual({
      ...{ name, limit: 5, remaining: 1, windowSeconds: 86_400, resetAt: Date.parse(midnight) },
    });
    expect((await sendRequest(second)).status).toBe(200);
    const rejected = await requestConnect(app, marketData, first);
    expect(rejected.body).toMatchObject({ code: "resource_exhausted", message: expect.stringContaining("allowance") });
    expect(rejected.headers.get("Retry-After")).toBe(`${12 * 3600}`);
  });

  test("each operation has an allowance of its own, as the contract says", async () => {
    const key = await app.key("free");
    expect(await send(4, () => app.get(allowed, { key }))).toEqual({ 200: 2, 429: 2 });
    expect(await send(7, () => sendRequest(key))).toEqual({ 200: 5, 429: 2 });
  });

  test.each(["pro_monthly", "api_starter", "enterprise", "operator"])(
    "an account on %s is not held to it",
    async (plan) => {
      const key = await app.key(plan);
      expect(await send(8, () => sendRequest(key))).toEqual({ 200: 8 });
      expect(limitsOf(await sendRequest(key)).limit).not.toBe(5);
      expect((await limitsReported(key)).map((limit) => limit.name)).not.toContain(name);
    },
  );

  test("when a paid subscription begins the allowance holds no longer, when it ends what was used before counts", async () => {
    const { key, id } = await openAccount(database, { subscriptions: [{ plan: "free" }] });
    expect(await send(6, () => sendRequest(key))).toEqual({ 200: 5, 429: 1 });
    const paid = { id: `paid ${id}`, account: id, provider: "local" as const, plan: "pro_monthly", active: true };
    await database.kysely
      .insertInto("subscription")
      .values({ ...paid, valid_until: minutesOn(60) })
      .execute();
    await using other = await startApp(database);
    expect((await sendRequest(key, other)).status).toBe(200);
    await database.kysely.updateTable("subscription").set({ active: false }).where("id", "=", paid.id).execute();
    await using third = await startApp(database);
    // Counted in the memory of a process, it is forgotten with it.
    expect((await sendRequest(key, third)).status).toBe(database.kind === "postgres" ? 429 : 200);
  });

  test("what the account's minute refuses is not charged to it, a call with a bad parameter is", async () => {
    await using narrow = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=3/-" } });
    const key = await narrow.key("free");
    expect(await send(3, () => narrow.get(ipGeo, { key }))).toEqual({ 200: 3 });
    expect(await (await sendRequest(key, narrow)).json()).toMatchObject({ limit_type: "per_minute" });
    expect(await limitsReported(key, narrow)).toContainEqual(expect.objectContaining({ name, remaining: 5 }));
    const other = await narrow.key("free");
    expect((await narrow.get(`${path}?limit=-1`, { key: other })).status).toBe(400);
    expect(await limitsReported(other, narrow)).toContainEqual(expect.objectContaining({ name, remaining: 4 }));
  });

  test("what it refuses is not charged to the account's own limits", async () => {
    const key = await app.key("free");
    expect(await send(18, () => sendRequest(key))).toEqual({ 200: 5, 429: 13 });
    expect(limitsOf(await app.get(ipGeo, { key }))).toMatchObject({ limit: 20, remaining: 14 });
  });

  test("the plans page and the OpenAPI document describe it", async () => {
    const plans = await (await app.get("/plans", { key: null })).text();
    expect(plans).toMatch(/<td><a href="\/docs\/get-market-data">Get market data<\/a><\/td><td class="number">5<\/td>/);
    const document = await app.json<Record<string, never>>(`/openapi.json`);
    expect(document).toMatchObject({
      paths: {
        [path]: { get: { "x-tier-0-limit-per-day": 5, description: expect.stringContaining("5 calls per UTC day") } },
      },
    });
  });

  describe("between replicas", () => {
    test("five of any number of calls at once pass, whichever replica is asked", async ({ skip }) => {
      skip(database.kind !== "postgres", "memory is not shared");
      await using one = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=-/-" } });
      await using two = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=-/-" } });
      const key = await one.key("free");
      expect(await send(40, (index) => sendRequest(key, index % 2 === 0 ? one : two), 40)).toEqual({ 200: 5, 429: 35 });
      for (const replica of [one, two]) {
        replica.setTime(new Date(midnight));
        expect((await sendRequest(key, replica)).status).toBe(200);
      }
    });
  });
});
