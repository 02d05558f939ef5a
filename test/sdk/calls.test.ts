import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createClient, enumName, jsonSafe, OutageSeverity } from "../../sdk/typescript/src/client.ts";
import { userAgent } from "../../sdk/typescript/src/options.ts";
import { createPlainClient } from "../../sdk/typescript/src/plain.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { modes } from "./both-modes.ts";
import { startScriptedServer } from "./scripted-server.ts";

let database: Database;
let app: TestApp;
let apiKey: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  apiKey = await app.key("operator");
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const outages = "/api/infrastructure/v1/list-internet-outages";

test("both modes read the same outages, each in its own types", async () => {
  const { outages: messages } = await createClient({ baseUrl: app.url, apiKey }).infrastructure.listInternetOutages({
    country: "SY",
  });
  const { outages: rows } = await createPlainClient({ baseUrl: app.url, apiKey }).get(outages, { country: "SY" });
  expect(rows.length).toBeGreaterThan(0);
  expect(messages.map(({ id, detectedAt }) => [id, Number(detectedAt)])).toEqual(
    rows.map(({ id, detectedAt }) => [id, detectedAt]),
  );
  expect(messages.map(({ severity }) => severity)).toContain(OutageSeverity.TOTAL);
  expect(rows.map(({ severity }) => severity)).toContain("OUTAGE_SEVERITY_TOTAL");
});

test('with `int64: "string"` an answer over Connect is what JSON can say, its 64-bit integers decimal text', async () => {
  const { infrastructure: messages } = createClient({ baseUrl: app.url, apiKey });
  const { infrastructure: texts } = createClient({ baseUrl: app.url, apiKey, int64: "string" });
  const [message] = (await messages.listInternetOutages({ country: "SY" })).outages;
  const [text] = (await texts.listInternetOutages({ country: "SY" })).outages;
  expect(() => JSON.stringify(message)).toThrow("BigInt");
  expect(JSON.parse(JSON.stringify(text))).toEqual(text);
  expect(text).toEqual(jsonSafe(message));
  expect(text?.detectedAt).toBe(String(message?.detectedAt));
  expect(Object.keys(text ?? {})).not.toContain("$typeName");
});

test("a number of an enum has a name, one that this version does not know has none", () => {
  expect(Object.entries(OutageSeverity).map(([, value]) => enumName(OutageSeverity, value))).toEqual(
    Object.keys(OutageSeverity),
  );
  expect(enumName(OutageSeverity, 99)).toBeUndefined();
});

test("a plain answer has exactly the members that its type says, absent ones left out", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  expect(await client.get(outages, { country: "AQ" })).toEqual({
    outages: [],
    pagination: { nextCursor: "", totalCount: 0 },
    ...{ heldFrom: expect.any(Number), isPartial: false, unavailableReason: "" },
  });
  expect(await client.get("/api/infrastructure/v1/reverse-geocode", { lat: -23.5, lon: -46.6 })).toEqual({
    ...{ country: "Brazil", code: "BR", displayName: "São Paulo, Brazil", error: "" },
  });
});

test("the plain client accepts a Date for a time", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  const start = new Date("2026-10-01T00:00:00Z");
  const { outages: rows } = await client.get(outages, { start });
  expect(rows.length).toBeGreaterThan(0);
  expect(rows).toEqual((await client.get(outages, { start: start.getTime() })).outages);
  expect(rows).toEqual((await client.get(outages, { start: "2026-10-01" })).outages);
});

test("the plain client accepts the times that a read has in addition to its fields", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  const { data, response } = await client.get(outages).withResponse();
  const at = new Date(response.headers.get("X-Updated-At") ?? "");
  expect((await client.get(outages, { updated_after: new Date(at.getTime() - 1) })).outages).toEqual(data.outages);
  expect((await client.get(outages, { updated_after: at.toISOString() })).outages).toEqual([]);
  expect((await client.get(outages, { as_of: at })).outages).toEqual(data.outages);
});

test("plain JSON takes numbers, bigints and texts for an int64, and leaves out what is undefined", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  const all = await client.get(outages, { start: undefined, country: undefined });
  const [newest] = all.outages;
  const start = newest?.detectedAt ?? 0;
  for (const from of [start, BigInt(start), String(start)])
    expect((await client.get(outages, { start: from })).outages.map(({ id }) => id)).toContain(newest?.id);
  expect((await client.get(outages, { start: start + 1 })).outages).toEqual([]);
});

test("a plain read may be projected by the service", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  const { outages: rows } = await client.get(outages, { country: "SY" });
  expect(await client.get(outages, { country: "SY", jmespath: "outages[].title" })).toEqual(
    rows.map(({ title }) => title),
  );
});

describe.each(Object.entries(modes))("%s", (name, mode) => {
  test("the items of every page come one after another, each page asked for when it is needed", async () => {
    const known = new Set<string>();
    let requested = 0;
    const counting: typeof fetch = (input, init) => {
      requested++;
      return fetch(input, init);
    };
    const operator = mode({ baseUrl: app.url, apiKey, fetch: counting });
    const plain = createPlainClient({ baseUrl: app.url, apiKey });
    const prefix = name === "Connect" ? "c" : "p";
    for (let number = 0; number < 7; number++)
      await plain.post("/api/account/v1/create-account", { id: `${prefix}${number}` });
    for await (const id of operator.accountIds(3)) known.add(id);
    const { pagination } = await plain.get("/api/account/v1/list-accounts", { page_size: 1 });
    expect(known.size).toBe(pagination?.totalCount);
    expect([...known]).toEqual(expect.arrayContaining([`${prefix}0`, `${prefix}6`]));
    // The service decides whether it announces the last page before or after a full one.
    expect([Math.ceil(known.size / 3), Math.floor(known.size / 3) + 1]).toContain(requested);
    requested = 0;
    for await (const id of operator.accountIds(3)) if (known.has(id)) break;
    expect(requested).toBe(1);
  });

  test("withResponse gives the data with status, headers and request id", async () => {
    const client = mode({ baseUrl: app.url, apiKey });
    const { data, response } = await client.read().withResponse();
    expect(data).toEqual(await client.read());
    expect(response.status).toBe(200);
    expect(response.requestId).toBe(response.headers.get("X-Request-Id"));
    const id = await client.read({ headers: { "X-Request-Id": "mine-1" } }).withResponse();
    expect(id.response.requestId).toBe("mine-1");
  });

  test("the same idempotency key changes something once, a call without one each time", async () => {
    const client = mode({ baseUrl: app.url, apiKey: await app.key("enterprise") });
    const options = { idempotencyKey: "change-1" };
    const first = await client.change("same", options);
    const again = await client.change("same", options).withResponse();
    expect(again.data.secret).toBe(first.secret);
    expect(again.response.headers.get("Idempotent-Replayed")).toBe("true");
    expect((await client.change("same")).secret).not.toBe((await client.change("same")).secret);
  });

  test("a request names the package, the key and the call; only a change has an idempotency key", async () => {
    await using server = await startScriptedServer({ status: 200 });
    const client = mode({ baseUrl: `${server.url}/below/`, apiKey: "ids_1" });
    await client.read();
    await client.change("x");
    const [read, change] = server.requests;
    expect([read?.method, change?.method]).toEqual(["GET", "POST"]);
    for (const { url, headers } of [read, change].map((request) => request!)) {
      expect(url).toMatch(/^\/below\/(api|ids\.)/);
      expect(headers).toMatchObject({ "user-agent": userAgent, "x-service-key": "ids_1" });
      expect(headers["x-request-id"]).toMatch(/^[0-9a-f-]{36}$/);
    }
    expect(read?.headers).not.toHaveProperty("idempotency-key");
    expect(change?.headers["idempotency-key"]).toMatch(/^[0-9a-f-]{36}$/);
    expect(JSON.parse(change?.body ?? "")).toMatchObject({ name: "x" });
  });

  test.each([
    ["baseUrl", { baseUrl: "ids.example.org" }],
    ["baseUrl", { baseUrl: "ftp://ids.example.org" }],
    ["apiKey", { apiKey: "two\nlines" }],
    ["timeoutMs", { timeoutMs: 0 }],
    ["timeoutMs", { timeoutMs: Number.NaN }],
    ["maxRetries", { maxRetries: -1 }],
    ["maxRetries", { maxRetries: 0.5 }],
  ])("a wrong %s is refused when the client is made: %o", (option, wrong) => {
    expect(() => mode({ baseUrl: "http://127.0.0.1", ...wrong })).toThrow(option);
  });
});

test("the plain client fills a path's fields in from the request, encoded, in reads, writes and deletes", async () => {
  const client = createPlainClient({ baseUrl: app.url, apiKey });
  const hooks = "/api/v2/shipping/webhooks";
  const callbackUrl = "https://hooks.example.org/hook";
  const { subscriberId } = await client.post(hooks, { callbackUrl });
  const { callbackUrl: read } = await client.get(`${hooks}/{subscriber_id}`, { subscriber_id: subscriberId });
  expect(read).toBe(callbackUrl);
  expect((await client.post(`${hooks}/{subscriber_id}/rotate-secret`, { subscriberId })).subscriberId).toBe(
    subscriberId,
  );
  expect(await client.delete(`${hooks}/{subscriber_id}`, { subscriberId })).toEqual({});
  const odd = client.get(`${hooks}/{subscriber_id}`, { subscriber_id: "../webhooks?a=b#c" });
  await expect(odd).rejects.toMatchObject({ status: 404, message: "Webhook not found" });
});
