import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { hashOf, keyIdOf, newKey } from "../../../src/access/keys/api-key.ts";
import { storeKey } from "../../../src/access/keys/keys.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { limitsOf, send } from "../../support/request-load.ts";
import { openEmbedded } from "../embedded-database.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const outages = "/api/infrastructure/v1/list-internet-outages";
const bases = "/api/military/v1/list-military-bases";
/** Counted like any other request, and answered without data. */
const anonymous = "/api/conflict/v1/list-conflict-events?country=1";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openEmbedded();
  app = await startApp(database);
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test("every keyed response reports what is left of the account's minute, whatever its status", async () => {
  const key = await app.key("free");
  const bad = { "X-Api-Key": "ignored" };
  const etag = (await app.get(outages, { key })).headers.get("ETag") ?? "";
  const requested = [
    [200, await app.get(ipGeo, { key })],
    [304, await app.get(outages, { key, headers: { "If-None-Match": etag } })],
    [400, await app.get(`${outages}?country=1`, { key, headers: bad })],
    [503, await app.get(`${bases}?ne_lat=1&ne_lon=1&sw_lat=0&sw_lon=0`, { key })],
    [200, await app.get(outages, { key, method: "HEAD" })],
  ] as const;
  requested.forEach(([status, response], index) => {
    expect(response.status).toBe(status);
    const { limit, remaining, reset = 0 } = limitsOf(response);
    expect({ limit, remaining }).toEqual({ limit: 30, remaining: 28 - index });
    expect(reset - testTime.getTime()).toBeGreaterThan(0);
    expect(reset - testTime.getTime()).toBeLessThanOrEqual(60_000);
    expect(response.headers.get("RateLimit")).toMatch(new RegExp(`^"default";r=${28 - index};t=([1-9]|[1-5]\\d|60)$`));
    expect(response.headers.has("Retry-After")).toBe(status === 503);
  });
});

test("the first request above the plan's limit is rejected with the time to retry", async () => {
  const key = await app.key("free");
  expect(await send(30, () => app.get(ipGeo, { key }))).toEqual({ 200: 30 });
  const rejected = await app.get(outages, { key });
  expect(rejected.status).toBe(429);
  const { limit, remaining, reset = 0 } = limitsOf(rejected);
  expect(await rejected.json()).toEqual({
    ...{ error: "Too many requests", plan: "free", limit: 30, limit_type: "per_minute", upgrade_url: "/plans" },
    reset: new Date(reset).toISOString(),
  });
  expect({ limit, remaining }).toEqual({ limit: 30, remaining: 0 });
  expect(reset).toBeGreaterThan(testTime.getTime());
  const seconds = Math.ceil((reset - testTime.getTime()) / 1000);
  expect(seconds).toBeGreaterThanOrEqual(1);
  expect(Object.fromEntries(rejected.headers)).toMatchObject({
    "cache-control": "no-store",
    "retry-after": `${seconds}`,
    "ratelimit-policy": '"default";q=30;w=60',
    ratelimit: `"default";r=0;t=${seconds}`,
    "ratelimit-limit": "30",
    "ratelimit-remaining": "0",
    "ratelimit-reset": `${seconds}`,
  });
});

test("a key whose requests are used up can still be rotated and revoked", async () => {
  const key = await app.key("free");
  expect(await send(31, () => app.get(ipGeo, { key }))).toEqual({ 200: 30, 429: 1 });
  const body = JSON.stringify({ keyId: keyIdOf(hashOf(key)) });
  const statusOf = async (operation: string) =>
    (await app.get(`/api/account/v1/${operation}`, { key, method: "POST", body })).status;
  expect([await statusOf("rotate-api-key"), await statusOf("revoke-api-key")]).toEqual([201, 200]);
});

test("requests at the same time never get through beyond the limit", async () => {
  const key = await app.key("free");
  const responses = await Promise.all(Array.from({ length: 50 }, () => app.get(ipGeo, { key })));
  expect(responses.filter(({ status }) => status === 200)).toHaveLength(30);
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(20);
});

test("a good key that many requests bring at once for the first time is looked up once, not taken for guesses", async () => {
  const key = await app.key("enterprise");
  expect(await send(800, () => app.get(ipGeo, { key }), 800)).toEqual({ 200: 800 });
});

test("both key headers and every key of an account draw on the same quota", async () => {
  const [one, other] = [newKey(randomBytes), newKey(randomBytes)];
  for (const key of [one, other])
    await storeKey(database.kysely, key, { account: "shared", plan: "free", name: "test" }, testTime);
  const by = async (headers: Record<string, string>) =>
    limitsOf(await app.get(ipGeo, { key: null, headers })).remaining;
  expect(await by({ "X-Service-Key": one })).toBe(29);
  expect(await by({ "X-Api-Key": one })).toBe(28);
  expect(await by({ "X-Api-Key": other })).toBe(27);
  expect(limitsOf(await app.get(ipGeo, { key: await app.key("free") })).remaining).toBe(29);
});

test("what is refused for its key, its path or its verb costs nothing", async () => {
  const key = await app.key("free");
  await app.get("/api/infrastructure/v1/nothing", { key });
  await app.get(ipGeo, { key, method: "DELETE" });
  await app.get(ipGeo, { key: `${key}0` });
  expect(limitsOf(await app.get(ipGeo, { key })).remaining).toBe(29);
});

test("an account's limit resets a minute after its first request", async () => {
  const key = await app.key("free");
  await send(31, () => app.get(ipGeo, { key }));
  app.setTime(new Date(testTime.getTime() + 59_999));
  expect((await app.get(ipGeo, { key })).status).toBe(429);
  app.setTime(new Date(testTime.getTime() + 60_000));
  expect(limitsOf(await app.get(ipGeo, { key }))).toMatchObject({ limit: 30, remaining: 29 });
  app.setTime(testTime);
});

test("reverse geocoding has its own limit, 60 a minute, which is reported while it is the narrower one", async () => {
  const key = await app.key("enterprise");
  const place = (index: number) => `/api/infrastructure/v1/reverse-geocode?lat=${index}&lon=0`;
  expect(limitsOf(await app.get(place(0), { key }))).toMatchObject({ limit: 60, remaining: 59 });
  expect(await send(60, (index) => app.get(place(index), { key }))).toEqual({ 200: 59, 429: 1 });
  const rejected = await app.get(place(0), { key });
  expect([rejected.status, limitsOf(rejected).limit]).toEqual([429, 60]);
  expect(await rejected.json()).toEqual({ error: "Too many requests" });
  expect(limitsOf(await app.get(ipGeo, { key })).limit).toBe(1000);
  const small = await app.key("free");
  expect(limitsOf(await app.get(place(0), { key: small }))).toMatchObject({ limit: 30, remaining: 29 });
});

test("an operation's path and its RPC name draw on one limit", async () => {
  const key = await app.key("enterprise");
  const call = () =>
    fetch(`${app.url}/ids.infrastructure.v1.InfrastructureService/ReverseGeocode`, {
      method: "POST",
      headers: { "X-Service-Key": key, "Content-Type": "application/json" },
      body: '{"lat":1,"lon":2}',
    });
  expect(await send(30, call)).toEqual({ 200: 30 });
  expect(await send(31, () => app.get("/api/infrastructure/v1/reverse-geocode?lat=1&lon=2", { key }))).toEqual({
    200: 30,
    429: 1,
  });
  const rejected = await call();
  expect([rejected.status, rejected.headers.get("RateLimit-Policy")]).toEqual([429, '"default";q=60;w=60']);
  expect(await rejected.json()).toMatchObject({ code: "resource_exhausted", message: "Too many requests" });
});

test("each plan has its own limit, and the operator's key none", async () => {
  const limits = { free: 30, pro_monthly: 60, pro_business_annual: 120, api_starter: 300, api_business: 600 };
  for (const [plan, limit] of Object.entries({ ...limits, enterprise: 1000 }))
    expect(limitsOf(await app.get(ipGeo, { key: await app.key(plan) })).limit, plan).toBe(limit);
  const free = await app.get(ipGeo);
  expect([free.status, limitsOf(free).limit]).toEqual([200, undefined]);
});

test("the operator of the service sets other limits of plans", async () => {
  await using other = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=2, enterprise=5000" } });
  const key = await other.key("free");
  expect(await send(3, () => other.get(ipGeo, { key }))).toEqual({ 200: 2, 429: 1 });
  expect(limitsOf(await other.get(ipGeo, { key: await other.key("enterprise") })).limit).toBe(5000);
  expect(limitsOf(await other.get(ipGeo, { key: await other.key("pro_annual") })).limit).toBe(60);
});

test("without trusted proxies an address counts as one caller, whatever its headers claim", async () => {
  await using fresh = await startApp(database);
  const from = (index: number) => ({
    "X-Forwarded-For": `203.0.113.${index % 250}`,
    "X-Real-Ip": `203.0.113.${index % 250}`,
  });
  const sendRequest = (index: number) => fresh.get(anonymous, { key: null, headers: from(index) });
  expect(await send(601, sendRequest)).toEqual({ 400: 600, 429: 1 });
  const rejected = await sendRequest(7);
  expect([rejected.status, limitsOf(rejected).limit, limitsOf(rejected).remaining]).toEqual([429, 600, 0]);
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(await rejected.json()).toEqual({ message: "Too many requests" });
  expect((await fresh.get(ipGeo, { key: await fresh.key("free") })).status).toBe(200);
  // The public operation counts a key separately as well, and ignores an invalid one.
  expect((await fresh.get(anonymous, { key: await fresh.key("free") })).status).toBe(400);
  expect((await fresh.get(anonymous, { key: `ids_${"0".repeat(40)}` })).status).toBe(429);
});

test("behind trusted proxies the right-most hop that is none of them is the caller", async () => {
  await using fresh = await startApp(database, { environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8, 10.0.0.0/8" } });
  const sendRequest = (hops: string) => fresh.get(anonymous, { key: null, headers: { "X-Forwarded-For": hops } });
  const spoofed = (index: number) => `198.51.100.${index % 250}, 203.0.113.9, 10.1.2.3`;
  expect(await send(601, (index) => sendRequest(spoofed(index)))).toEqual({ 400: 600, 429: 1 });
  expect((await sendRequest("203.0.113.9")).status).toBe(429);
  expect((await sendRequest("[::ffff:203.0.113.9]:4711, 127.0.0.2")).status).toBe(429);
  expect((await sendRequest("203.0.113.9, 203.0.113.10")).status).toBe(400);
  expect((await sendRequest("unknown")).status).toBe(400);
  expect((await fresh.get(anonymous, { key: null })).status).toBe(400);
});

test("the addresses of one IPv6 /64 are one caller, those of another are not", async () => {
  await using fresh = await startApp(database, { environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
  const sendRequest = (address: string) => fresh.get(anonymous, { key: null, headers: { "X-Forwarded-For": address } });
  expect(await send(601, (index) => sendRequest(`2001:db8:7::${(index + 1).toString(16)}`))).toEqual({
    400: 600,
    429: 1,
  });
  for (const inside of ["2001:DB8:7:0:ffff:1:2:3", "[2001:db8:7::9]:4711", "2001:db8:7:0::192.0.2.1"])
    expect((await sendRequest(inside)).status, inside).toBe(429);
  for (const outside of ["2001:db8:7:1::1", "2001:db8::7", "::1:2", "2001:db8:8::1"])
    expect((await sendRequest(outside)).status, outside).toBe(400);
});

test("what one limit refuses is not charged to the others, as the next minute shows", async () => {
  await using fresh = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=3/4" } });
  const key = await fresh.key("free");
  const place = "/api/infrastructure/v1/reverse-geocode?lat=1&lon=2";
  expect(await send(6, () => fresh.get(place, { key }))).toEqual({ 200: 3, 429: 3 });
  fresh.setTime(new Date(testTime.getTime() + 60_000));
  expect(limitsOf(await fresh.get(ipGeo, { key }))).toMatchObject({ limit: 4, remaining: 0 });
});
