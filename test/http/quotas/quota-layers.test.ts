import { randomBytes } from "node:crypto";
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { limitsOf, send } from "../../support/request-load.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
/** Counted like any other request, and answered without data. */
const anonymous = "/api/conflict/v1/list-conflict-events?country=1";
const place = "/api/infrastructure/v1/reverse-geocode?lat=1&lon=2";

/** Two apps that differ only in their limits. If they share a store, each reports the counts of the other. */
interface Pair extends AsyncDisposable {
  readonly narrow: TestApp;
  readonly wide: TestApp;
}

type StartPair = (narrow: string, wide?: string) => Promise<Pair>;

function startPair(database: () => Database, environment: () => Record<string, string>): StartPair {
  return async (narrow, wide = narrow) => {
    const start = (limits: string) =>
      startApp(database(), {
        environment: { ...environment(), IDS_PLAN_LIMITS: limits, IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
      });
    const apps = { narrow: await start(narrow), wide: await start(wide) };
    return {
      ...apps,
      async [Symbol.asyncDispose]() {
        await apps.narrow[Symbol.asyncDispose]();
        await apps.wide[Symbol.asyncDispose]();
      },
    };
  };
}

describeEachDatabase("layers counted in memory or in Postgres", (openFresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openFresh();
  });
  const pair = startPair(
    () => database,
    () => ({}),
  );
  proveLayers(pair);
  proveSharing(pair, () => database.kind === "postgres");
});

function proveLayers(start: StartPair): void {
  test("a day's allowance is rejected with its own message, and resets at 00:00 UTC", async () => {
    await using pair = await start("free=-/3");
    const app = pair.narrow;
    const key = await app.key("free");
    for (const remaining of [2, 1, 0])
      expect(limitsOf(await app.get(ipGeo, { key }))).toEqual({
        ...{ limit: 3, remaining },
        reset: Date.parse("2026-11-19T00:00:00Z"),
      });
    app.setTime(new Date("2026-11-18T23:59:58.500Z"));
    const rejected = await app.get(ipGeo, { key });
    expect(rejected.status).toBe(429);
    expect(await rejected.json()).toEqual({
      ...{ error: "Daily request limit reached", plan: "free", limit: 3, limit_type: "daily", upgrade_url: "/plans" },
      reset: "2026-11-19T00:00:00.000Z",
    });
    expect(Object.fromEntries(rejected.headers)).toMatchObject({
      ...{ "cache-control": "no-store", "retry-after": "2", ratelimit: '"default";r=0;t=2' },
      ...{ "ratelimit-policy": '"default";q=3;w=86400', "ratelimit-limit": "3", "ratelimit-remaining": "0" },
      ...{ "ratelimit-reset": "2", "x-ratelimit-reset": `${Date.parse("2026-11-19T00:00:00Z")}` },
    });
    app.setTime(new Date("2026-11-18T23:59:59.999Z"));
    expect((await app.get(ipGeo, { key })).status).toBe(429);
    app.setTime(new Date("2026-11-19T00:00:00.000Z"));
    expect(limitsOf(await app.get(ipGeo, { key }))).toMatchObject({ limit: 3, remaining: 2 });
  });

  test("Retry-After of a day counts to its end", async () => {
    await using pair = await start("free=-/1");
    const key = await pair.narrow.key("free");
    expect(await send(2, () => pair.narrow.get(ipGeo, { key }))).toEqual({ 200: 1, 429: 1 });
    expect((await pair.narrow.get(ipGeo, { key })).headers.get("Retry-After")).toBe(`${12 * 3600}`);
  });

  test("the response reports the narrowest limit", async () => {
    await using pair = await start("free=10/11,pro_annual=10/5,api_starter=100/1000");
    const reported = async (plan: string, path: string) => {
      const key = await pair.narrow.key(plan);
      return (await pair.narrow.get(path, { key })).headers.get("X-RateLimit-Limit");
    };
    expect([await reported("free", ipGeo), await reported("pro_annual", ipGeo)]).toEqual(["10", "5"]);
    expect([await reported("free", place), await reported("api_starter", place)]).toEqual(["10", "60"]);
  });

  test("an endpoint's limit is refused in plain words, before the account's, and not charged to it", async () => {
    await using pair = await start("free=70/61");
    const app = pair.narrow;
    const key = await app.key("free");
    expect(await send(80, () => app.get(place, { key }))).toEqual({ 200: 60, 429: 20 });
    const rejected = await app.get(place, { key });
    expect(limitsOf(rejected)).toMatchObject({ limit: 60, remaining: 0 });
    expect(await rejected.json()).toEqual({ error: "Too many requests" });
    expect(rejected.headers.get("RateLimit-Policy")).toBe('"default";q=60;w=60');
    expect(limitsOf(await app.get(ipGeo, { key }))).toMatchObject({ limit: 61, remaining: 0 });
    expect(await (await app.get(ipGeo, { key })).json()).toMatchObject({ limit_type: "daily" });
  });

  test("more than 600 key lookups from one address are rejected, and keys in use and other addresses still work", async () => {
    await using pair = await start("");
    const app = pair.narrow;
    const from = (address: string, key = newKey(randomBytes)) =>
      app.get(ipGeo, { key, headers: { "X-Forwarded-For": address } });
    const known = await app.key("free");
    expect((await from("203.0.113.8", known)).status).toBe(200);
    expect(await send(605, () => from("203.0.113.9"))).toEqual({ 401: 600, 429: 5 });
    const rejected = await from("203.0.113.9");
    expect(limitsOf(rejected)).toMatchObject({ limit: 600, remaining: 0 });
    expect(await rejected.json()).toEqual({ error: "Too many requests" });
    expect([(await from("203.0.113.9", known)).status, (await from("203.0.113.10")).status]).toEqual([200, 401]);
  });

  test("more than 600 requests of an address without an account are refused as that operation refuses", async () => {
    await using pair = await start("");
    const from = (address: string) =>
      pair.narrow.get(anonymous, { key: null, headers: { "X-Forwarded-For": address } });
    expect(await send(605, () => from("203.0.113.20"))).toEqual({ 400: 600, 429: 5 });
    const rejected = await from("203.0.113.20");
    expect(limitsOf(rejected)).toMatchObject({ limit: 600, remaining: 0 });
    expect(await rejected.json()).toEqual({ message: "Too many requests" });
    expect((await from("203.0.113.21")).status).toBe(400);
  });

  test("requests at the same time never get through beyond the narrowest limit", async () => {
    await using pair = await start("free=30/20,pro_annual=20/30");
    for (const plan of ["free", "pro_annual"]) {
      const key = await pair.narrow.key(plan);
      expect(await send(200, () => pair.narrow.get(ipGeo, { key }), 200)).toEqual({ 200: 20, 429: 180 });
    }
    const key = await pair.narrow.key("enterprise");
    expect(await send(200, () => pair.narrow.get(place, { key }), 200)).toEqual({ 200: 60, 429: 140 });
  });
}

function proveSharing(start: StartPair, isShared: () => boolean): void {
  describe("between processes", () => {
    beforeEach(({ skip }) => skip(!isShared(), "memory is not shared"));

    test("what the minute refuses is charged neither to the day nor to the endpoint", async () => {
      await using pair = await start("free=5/100", "free=-/100,pro_annual=-/-");
      const key = await pair.narrow.key("free");
      expect(await send(60, () => pair.narrow.get(place, { key }), 60)).toEqual({ 200: 5, 429: 55 });
      expect(await (await pair.narrow.get(place, { key })).json()).toMatchObject({ limit_type: "per_minute" });
      expect(limitsOf(await pair.wide.get(ipGeo, { key }))).toMatchObject({ limit: 100, remaining: 94 });
      expect(limitsOf(await pair.wide.get(place, { key }))).toMatchObject({ limit: 60, remaining: 54 });
    });

    test("what the day refuses is charged to no minute", async () => {
      await using pair = await start("free=50/5", "free=50/-");
      const key = await pair.narrow.key("free");
      expect(await send(40, () => pair.narrow.get(ipGeo, { key }), 40)).toEqual({ 200: 5, 429: 35 });
      expect(limitsOf(await pair.wide.get(ipGeo, { key }))).toMatchObject({ limit: 50, remaining: 44 });
    });

    test("both processes share one allowance, and a change of plan does not reset it", async () => {
      await using pair = await start("free=10/-", "free=20/-");
      const key = await pair.narrow.key("free");
      expect(limitsOf(await pair.narrow.get(ipGeo, { key }))).toMatchObject({ limit: 10, remaining: 9 });
      expect(limitsOf(await pair.wide.get(ipGeo, { key }))).toMatchObject({ limit: 20, remaining: 18 });
      expect(limitsOf(await pair.narrow.get(ipGeo, { key }))).toMatchObject({ limit: 10, remaining: 7 });
    });
  });
}
