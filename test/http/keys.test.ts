import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { entitlementsOf } from "../../src/access/entitlements.ts";
import { hashOf, keyIdOf, newKey } from "../../src/access/keys/api-key.ts";
import { revokeKey, storeKey } from "../../src/access/keys/keys.ts";
import { provideOperatorKey } from "../../src/access/keys/operator-keys.ts";
import { Unavailable } from "../../src/errors.ts";
import { createAuthenticate } from "../../src/interceptors/authenticate.ts";
import { attachDatabase, type Database } from "../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../support/app.ts";
import { openEmbedded } from "./embedded-database.ts";

const keyed = "/api/infrastructure/v1/get-ip-geo";
const anonymous = "/api/conflict/v1/list-conflict-events";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openEmbedded();
  app = await startApp(database);
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Returns status and body of a keyed operation that is called with only these headers. */
async function call(headers: Record<string, string>, path = keyed) {
  const response = await app.get(path, { key: null, headers });
  return { status: response.status, body: await response.json() };
}

const invalid = { status: 401, body: { error: "Invalid API key" } };
const required = { status: 401, body: { error: "API key required" } };

test("no key is 401, and the body says that one is required", async () => {
  expect(await call({})).toEqual(required);
  expect(await call({ "X-Service-Key": "", "X-Api-Key": "" })).toEqual(required);
});

test("a key in the query or as a bearer token is ignored", async () => {
  const key = await app.key("pro_monthly");
  expect(await call({ Authorization: `Bearer ${key}` })).toEqual(required);
  for (const name of ["api_key", "key", "x-service-key", "X-Api-Key"])
    expect(await call({}, `${keyed}?${name}=${key}`)).toEqual(required);
});

test("malformed, unknown, and revoked keys receive the same response", async () => {
  const key = await app.key("pro_monthly");
  const malformed = [
    key.toUpperCase(),
    key.slice(0, -1),
    `${key}0`,
    `${key}, ${key}`,
    "garbage",
    "ids_",
    "' or 1=1 --",
  ];
  for (const presented of [...malformed, newKey(randomBytes)])
    expect(await call({ "X-Service-Key": presented }), presented).toEqual(invalid);
  await revokeKey(database.kysely, hashOf(key), testTime);
  expect(await call({ "X-Service-Key": key })).toEqual(invalid);
});

test("a good key is accepted in either header", async () => {
  const key = await app.key("free");
  expect((await call({ "X-Service-Key": key })).status).toBe(200);
  expect((await call({ "X-Api-Key": key })).status).toBe(200);
});

test("X-Service-Key wins over X-Api-Key, which counts only where the first is absent or empty", async () => {
  const key = await app.key("free");
  const bad = newKey(randomBytes);
  expect((await call({ "X-Service-Key": key, "X-Api-Key": bad })).status).toBe(200);
  expect(await call({ "X-Service-Key": bad, "X-Api-Key": key })).toEqual(invalid);
  expect((await call({ "X-Service-Key": "", "X-Api-Key": key })).status).toBe(200);
});

test("an operation without credentials looks at none, not even at a bad one", async () => {
  expect((await call({}, anonymous)).status).toBe(200);
  expect((await call({ "X-Service-Key": "garbage" }, anonymous)).status).toBe(200);
  expect((await call({ "X-Api-Key": newKey(randomBytes) }, anonymous)).status).toBe(200);
});

test("a key that was accepted is rejected soon after it is revoked, without a restart", async () => {
  const key = await app.key("pro_monthly");
  const status = async () => (await call({ "X-Service-Key": key })).status;
  expect(await status()).toBe(200);
  await revokeKey(database.kysely, hashOf(key), testTime);
  await eventually(status, (seen) => seen === 401);
});

test("a key that moves to another plan is metered by it soon after", async () => {
  const key = await app.key("free");
  const limit = async () => (await app.get(keyed, { key })).headers.get("X-RateLimit-Limit");
  expect(await limit()).toBe("30");
  await storeKey(database.kysely, key, { account: "moved", plan: "api_starter", name: "test" }, testTime);
  await eventually(limit, (seen) => seen === "300");
});

test("a demo account's key is accepted only if the configuration allows demo keys", async () => {
  const key = newKey(randomBytes);
  await storeKey(database.kysely, key, { account: "demo:free", plan: "free", name: "demo free" }, testTime);
  expect((await app.get(keyed, { key })).status).toBe(200);
  await using without = await startApp(database, { environment: { IDS_DATA: "live" } });
  const rejected = await without.get(keyed, { key });
  expect({ status: rejected.status, body: await rejected.json() }).toEqual(invalid);
  expect((await without.get(keyed)).status).toBe(200);
});

test("a client that guesses keys is rejected after 600 lookups a minute, and keys in use continue to work", async () => {
  await using guessed = await startApp(database);
  const key = await guessed.key("pro_monthly");
  expect((await guessed.get(keyed, { key })).status).toBe(200);
  const guesses = (count: number) =>
    Promise.all(Array.from({ length: count }, () => guessed.get(keyed, { key: newKey(randomBytes) })));
  expect(new Set((await guesses(599)).map(({ status }) => status))).toEqual(new Set([401]));
  for (const path of [keyed, "/api/economic/v1/get-eu-gas-storage", "/metrics"]) {
    const rejected = await guessed.get(path, { key: newKey(randomBytes) });
    expect({ status: rejected.status, body: await rejected.json() }, path).toEqual({
      status: 429,
      body: { error: "Too many requests" },
    });
    expect(rejected.headers.get("X-RateLimit-Limit")).toBe("600");
    expect(rejected.headers.get("Retry-After")).toMatch(/^[1-9]\d?$/);
  }
  expect((await guessed.get(keyed, { key })).status).toBe(200);
  expect((await guessed.get(keyed, { key: "garbage" })).status).toBe(401);
});

test("who shares an address with somebody who guesses gets in with a key that this process never saw", async () => {
  await using guessed = await startApp(database);
  const keys = await Promise.all(["free", "pro_monthly", "api_starter"].map(guessed.key));
  const ended = await guessed.key("free");
  await revokeKey(database.kysely, hashOf(ended), testTime);
  const requested = (key: string) => guessed.get(keyed, { key }).then(({ status }) => status);
  const guesses = (count: number) => Promise.all(Array.from({ length: count }, () => requested(newKey(randomBytes))));
  await guesses(600);
  const [responses, rejected] = await Promise.all([Promise.all([...keys, ended].map(requested)), guesses(300)]);
  expect(responses).toEqual([200, 200, 200, 429]);
  expect(new Set(rejected)).toEqual(new Set([429]));
});

/** Looks for one key that are answered one by one. */
function heldLooks(guard = async () => {}) {
  const key = newKey(randomBytes);
  const principal = {
    ...{ account: "test", keyId: "key_1", subscriptions: [], scopes: new Set<string>(), expiresAt: undefined },
    ...{
      readOnly: false,
      unresolved: undefined,
      ...entitlementsOf([], { key: "free", tier: 0, perMinute: 30, perDay: 300 }, testTime.getTime()),
    },
  };
  const looked: PromiseWithResolvers<typeof principal | undefined>[] = [];
  const find = () => {
    looked.push(Promise.withResolvers());
    return looked.at(-1)!.promise;
  };
  const authenticate = createAuthenticate({ find, admits: () => true, guard });
  const present = async (seconds = 0) =>
    authenticate(key, { head: {}, now: testTime.getTime() + seconds * 1_000, address: () => "192.0.2.1" });
  const responded = async (number: number) => {
    await expect.poll(() => looked.length).toBe(number);
    return looked[number - 1]!;
  };
  return { principal, authenticate, present, responded };
}

test("a key revoked while it is being looked up is looked up again before its next use", async () => {
  const { principal, authenticate, present, responded } = heldLooks();
  const first = present();
  const look = await responded(1);
  authenticate.forget();
  look.resolve(principal);
  expect(await first).toBe(principal);
  const second = present();
  (await responded(2)).resolve(undefined);
  await expect(second).rejects.toThrow("Invalid API key");
});

test("only the first lookup of a key counts against its address, so that guesses do not stop keys in use", async () => {
  let guarded = 0;
  const { principal, present, responded } = heldLooks(async () => {
    guarded += 1;
  });
  const first = present();
  (await responded(1)).resolve(principal);
  await first;
  expect(await present(14.999)).toBe(principal);
  expect(await present(15)).toBe(principal);
  (await responded(2)).resolve(principal);
  expect(guarded).toBe(1);
});

test("a key in use is looked up again in the background and works for most of a minute if the store is lost", async () => {
  const { principal, present, responded } = heldLooks();
  const first = present();
  (await responded(1)).resolve(principal);
  await first;
  expect(await present(40)).toBe(principal);
  const later = { ...principal };
  (await responded(2)).resolve(later);
  await expect.poll(() => present(41)).toBe(later);
  // From here on nothing is found.
  expect(await present(99)).toBe(later);
  (await responded(3)).reject(new Unavailable("away"));
  const last = present(100);
  (await responded(4)).reject(new Unavailable("away"));
  await expect(last).rejects.toThrow("Keys cannot be validated now");
});

test("the configured operator's key opens what is the operator's, and the one before it nothing any more", async () => {
  const [old, fresh] = [newKey(randomBytes), newKey(randomBytes)];
  const status = async (key: string) => (await app.get("/api/account/v1/list-accounts", { key })).status;
  await provideOperatorKey(database.kysely, old, testTime);
  expect(await status(old)).toBe(200);
  await provideOperatorKey(database.kysely, fresh, testTime);
  await eventually(
    () => status(old),
    (seen) => seen === 401,
  );
  expect(await status(fresh)).toBe(200);
});

test("only the operator can revoke a public demo key, and anything created with it remains", async () => {
  const key = newKey(randomBytes);
  await storeKey(database.kysely, key, { account: "demo:pro", plan: "pro_monthly", name: "demo pro" }, testTime);
  const post = async (operation: string, body: object, by?: string) => {
    const options = { ...(by ? { key: by } : {}), method: "POST", body: JSON.stringify(body) };
    const response = await app.get(`/api/account/v1/${operation}`, options);
    return { status: response.status, body: await response.json() };
  };
  const keyId = keyIdOf(hashOf(key));
  for (const operation of ["revoke-api-key", "rotate-api-key"])
    expect(await post(operation, { keyId }, key)).toEqual({
      status: 403,
      body: { error: "Only the operator can change demo keys" },
    });
  const { body } = await post("create-api-key", { name: "mine" }, key);
  expect((await post("revoke-api-key", { keyId: (body as { key: { id: string } }).key.id }, key)).status).toBe(200);
  expect((await post("revoke-api-key", { keyId })).status).toBe(200);
});

test("no cache stores a rejection, which has the request's id", async () => {
  const { headers } = await app.get(keyed, {
    key: null,
    headers: { "X-Request-Id": "mine-1", Origin: "https://app.example" },
  });
  expect(headers.get("Cache-Control")).toBe("no-store");
  expect(headers.get("X-Request-Id")).toBe("mine-1");
  expect(headers.get("WWW-Authenticate")).toMatch(/^ApiKey /);
  expect(headers.get("Access-Control-Allow-Origin")).toBe("*");
});

test("unknown keys get 503 while the store is unreachable, and keys verified within the last minute still work", async () => {
  const owner = await openEmbedded();
  const attached = attachDatabase(owner.settings, { name: "test" });
  onTestFinished(() => attached.close());
  await using cut = await startApp(attached);
  const key = await cut.key("pro_monthly");
  expect((await cut.get(keyed, { key })).status).toBe(200);
  await owner.close();

  const unknown = await cut.get(keyed, { key: newKey(randomBytes) });
  expect(unknown.status).toBe(503);
  expect(await unknown.json()).toEqual({ error: "Service temporarily unavailable" });
  expect(Object.fromEntries(unknown.headers)).toMatchObject({
    "x-validation-mode": "degraded",
    "retry-after": "5",
    "cache-control": "no-store",
  });
  expect(unknown.headers.get("X-Request-Id")).not.toBeNull();
  expect((await cut.get(keyed, { key: "garbage" })).status).toBe(401);
  expect((await cut.get(keyed, { key })).status).toBe(200);

  cut.setTime(new Date(testTime.getTime() + 59_999));
  expect((await cut.get(keyed, { key })).status).toBe(200);
  cut.setTime(new Date(testTime.getTime() + 60_000));
  expect((await cut.get(keyed, { key })).status).toBe(503);
});
