import { randomBytes } from "node:crypto";
import { sql } from "kysely";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { limitsOf, send } from "../../support/request-load.ts";
import { hasRedis, type RedisServer, startRedis } from "../../support/servers/redis-server.ts";
import { openEmbedded } from "../embedded-database.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const place = "/api/infrastructure/v1/reverse-geocode?lat=1&lon=2";
const anonymous = "/api/conflict/v1/list-conflict-events?country=1";
const rpcPlace = "/ids.infrastructure.v1.InfrastructureService/ReverseGeocode";

/** Body and headers of a limit that must hold and cannot be checked. */
const expectDegraded = async (response: Response) => {
  expect(response.status).toBe(503);
  expect(Object.fromEntries(response.headers)).toMatchObject({
    ...{ "x-ratelimit-mode": "degraded", "retry-after": "5", "cache-control": "no-store" },
  });
  expect(await response.json()).toEqual({ error: "Rate-limit service temporarily unavailable" });
};

describe.skipIf(!hasRedis)("while Redis is", () => {
  let database: Database;
  let redis: RedisServer;
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    database = await openEmbedded();
    redis = await startRedis();
    app = await startApp(database, { environment: { REDIS_URL: redis.url, IDS_PLAN_LIMITS: "free=20/1000" } });
    key = await app.key("free");
    expect(limitsOf(await app.get(ipGeo, { key }))).toMatchObject({ limit: 20 });
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await redis.stop();
    await database.close();
  });
  afterEach(async () => {
    redis.thaw();
    await redis.stop();
    await redis.start();
    await countsAgain();
  });

  const countsAgain = () =>
    eventually(
      async () => [(await app.get(ipGeo, { key })).headers.has("RateLimit"), (await app.get(place)).status],
      ([counted, status]) => counted === true && status === 200,
    );

  test("stopped, an endpoint's own limit is closed, in REST and in Connect", async () => {
    await redis.stop();
    await expectDegraded(await app.get(place, { key }));
    const rpc = await fetch(app.url + rpcPlace, {
      method: "POST",
      headers: { "X-Service-Key": key, "Content-Type": "application/json" },
      body: '{"lat":1,"lon":2}',
    });
    expect([rpc.status, rpc.headers.get("X-RateLimit-Mode"), rpc.headers.get("Retry-After")]).toEqual([
      503,
      "degraded",
      "5",
    ]);
    expect(await rpc.json()).toMatchObject({
      code: "unavailable",
      message: "Rate-limit service temporarily unavailable",
    });
  });

  test("stopped, the limits of accounts are open", async () => {
    await redis.stop();
    expect(await send(50, () => app.get(ipGeo, { key }))).toEqual({ 200: 50 });
    const response = await app.get(ipGeo, { key });
    expect([response.headers.has("RateLimit"), response.headers.has("X-RateLimit-Limit")]).toEqual([false, false]);
  });

  test("stopped, the limit of addresses is open", async () => {
    await redis.stop();
    expect(await send(700, () => app.get(anonymous, { key: null }), 16)).toEqual({ 400: 700 });
  });

  test("stopped, unknown keys are not looked up, and known ones go on", async () => {
    await redis.stop();
    await expectDegraded(await app.get(ipGeo, { key: newKey(randomBytes) }));
    expect((await app.get(ipGeo, { key })).status).toBe(200);
    expect((await app.get(ipGeo, { key: "garbage" })).status).toBe(401);
  });

  test("stopped and started again, everything is counted again by itself", async () => {
    await redis.stop();
    await app.get(ipGeo, { key });
    await redis.start();
    await countsAgain();
    const fresh = await app.key("free");
    expect(await send(25, () => app.get(ipGeo, { key: fresh }))).toEqual({ 200: 20, 429: 5 });
  });

  test("frozen, callers of open limits wait for it together and once, those of closed ones are refused", async () => {
    redis.freeze();
    const startedAt = performance.now();
    const [open, closed] = await Promise.all([send(100, () => app.get(ipGeo, { key }), 50), app.get(place, { key })]);
    expect(open).toEqual({ 200: 100 });
    await expectDegraded(closed);
    // A second and five.
    expect(performance.now() - startedAt).toBeLessThan(60_000);
  });

  test("out of reach at the start, the service starts all the same and counts as soon as it is there", async () => {
    await redis.stop();
    await using late = await startApp(database, { environment: { REDIS_URL: redis.url } });
    expect((await late.get(ipGeo, { key })).status).toBe(503);
    await redis.start();
    await eventually(
      async () => (await late.get(ipGeo, { key })).headers.has("RateLimit"),
      (counted) => counted,
    );
  });
});

describeEachDatabase("while the counters' table is", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let key: string;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=5/1000" } });
    key = await app.key("free");
    await app.get(ipGeo, { key });
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(({ skip }) => skip(database.kind !== "postgres", "counted in memory"));

  const countsAgain = () =>
    eventually(
      async () => (await app.get(ipGeo, { key: await app.key("pro_annual") })).headers.get("X-RateLimit-Remaining"),
      (remaining) => remaining === "59",
    );

  test("gone, endpoints are closed, accounts open, and unknown keys cannot be told from known ones", async () => {
    await database.query("alter table quota rename to gone");
    await expectDegraded(await app.get(place, { key }));
    expect(await send(20, () => app.get(ipGeo, { key }))).toEqual({ 200: 20 });
    const unknown = await app.get(ipGeo, { key: newKey(randomBytes) });
    expect([unknown.status, unknown.headers.get("X-Validation-Mode")]).toEqual([503, "degraded"]);
    expect(await unknown.json()).toEqual({ error: "Service temporarily unavailable" });
    await database.query("alter table gone rename to quota");
    await countsAgain();
  });

  test("locked, callers of open limits wait no longer than a moment, those of closed ones are refused", async () => {
    const startedAt = performance.now();
    await database.kysely.transaction().execute(async (transaction) => {
      await sql`lock table quota`.execute(transaction);
      expect(await send(40, () => app.get(ipGeo, { key }), 20)).toEqual({ 200: 40 });
      expect(performance.now() - startedAt).toBeLessThan(10_000);
      await expectDegraded(await app.get(place, { key }));
    });
    await countsAgain();
  });
});
