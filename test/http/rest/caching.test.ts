import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { request } from "undici";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { readConfig } from "../../../src/config/config.ts";
import { asBytes } from "../../../src/contract/json.ts";
import { finishResponse } from "../../../src/http/rest/prepared-response.ts";
import { createResponseCache } from "../../../src/http/rest/response-cache.ts";
import { createLog } from "../../../src/log/log.ts";
import { createApp } from "../../../src/runtime/app.ts";
import type { Database } from "../../../src/store/database.ts";
import { eventually, startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const conflict = "/api/conflict/v1/list-conflict-events";
const place = "/api/infrastructure/v1/reverse-geocode?lat=33.89&lon=35.5";
const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const dayMs = 86_400_000;

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("operator");
  await app.refresh("internet-outages");
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** The answer with its body as it came over the wire. */
async function raw(path: string, headers: Record<string, string> = {}) {
  const response = await request(app.url + path, { headers: { "X-Service-Key": key, ...headers } });
  const body = Buffer.from(await response.body.arrayBuffer());
  return { status: response.statusCode, headers: response.headers, body };
}

async function tagOf(path: string): Promise<string> {
  return String((await raw(path)).headers.etag);
}

/** Sends requests until the response has this encoding, because compression runs during the second request. */
function encoded(path: string, encoding: string) {
  return eventually(
    () => raw(path, { "Accept-Encoding": encoding }),
    ({ headers }) => headers["content-encoding"] === encoding,
  );
}

test("a response has a strong tag, and a client that sends it gets 304 without a body", async () => {
  const tag = await tagOf(outages);
  expect(tag).toMatch(/^"[\w-]{22}"$/);
  for (const held of [tag, `W/${tag}`, `"x", ${tag}`, `${tag} , "x"`, `,,W/"x",W/${tag}`, "*", " * "]) {
    const { status, headers, body } = await raw(outages, { "If-None-Match": held });
    expect([status, body.length], held).toEqual([304, 0]);
    expect(headers).toMatchObject({ etag: tag, "x-data-origin": "sample" });
    expect(headers["cache-control"]).toMatch(/^private/);
    expect(headers.vary).toContain("Accept-Encoding");
    expect(headers["x-request-id"]).toBeDefined();
  }
});

test("a client that sends another tag, or a malformed one, gets the response", async () => {
  const tag = await tagOf(outages);
  const inner = tag.slice(1, -1);
  for (const held of ['"x"', inner, `"${inner}x"`, `"x${inner}"`, `w/${tag}`, `"${inner}-zip"`, '""', "x", ""])
    expect((await raw(outages, { "If-None-Match": held })).status, held).toBe(200);
});

test("each encoding has its own tag, and any of them stands for the same data", async () => {
  const identity = await tagOf(outages);
  const gzip = String((await encoded(outages, "gzip")).headers.etag);
  const br = String((await encoded(outages, "br")).headers.etag);
  expect([gzip, br]).toEqual([identity.replace(/"$/, '-gz"'), identity.replace(/"$/, '-br"')]);
  for (const held of [identity, gzip, br])
    for (const accepted of ["identity", "gzip", "br"]) {
      const { status } = await raw(outages, { "If-None-Match": held, "Accept-Encoding": accepted });
      expect(status, `${held} for ${accepted}`).toBe(304);
    }
});

test("every encoding decodes to the same bytes, and names itself and its length", async () => {
  const plain = await raw(outages);
  expect(plain.headers["content-encoding"]).toBeUndefined();
  for (const [encoding, decode] of [
    ["gzip", gunzipSync],
    ["br", brotliDecompressSync],
  ] as const) {
    const { headers, body } = await encoded(outages, encoding);
    expect(decode(body).equals(plain.body), encoding).toBe(true);
    expect(body.length, encoding).toBeLessThan(plain.body.length / 2);
    expect(headers["content-length"]).toBe(String(body.length));
    expect(headers["content-type"]).toBe(plain.headers["content-type"]);
    expect(headers.vary).toBe(plain.headers.vary);
  }
});

test.each([
  ["br", "br"],
  ["gzip, deflate, br, zstd", "br"],
  ["*", "br"],
  ["GZIP", "gzip"],
  ["x-gzip", "gzip"],
  ["br;q=0, gzip", "gzip"],
  ["br;q=0, *", "gzip"],
  ["gzip;q=0, *", "br"],
  ["br;q=0.4, gzip ; q=0.5", "gzip"],
  ["gzip;q=1.000, br;q=0.999", "gzip"],
  ["*;q=0, gzip", "gzip"],
  ["identity;q=0, gzip;q=0.001", "gzip"],
  ["identity;q=0, *", "br"],
  ["identity;q=0.5, gzip;q=0.1", undefined],
  ["gzip;q=0", undefined],
  ["gzip;q=0, br;q=0", undefined],
  ["identity, *;q=0", undefined],
  ["*;q=0", undefined],
  ["deflate", undefined],
  ["", undefined],
])("Accept-Encoding: %s is answered with %s", async (accepted, expected) => {
  await encoded(outages, "br");
  expect((await raw(outages, { "Accept-Encoding": accepted })).headers["content-encoding"]).toBe(expected);
});

test("a response that was never compressed is compressed if the client rejects it plain", async () => {
  const plain = await raw(place);
  for (let time = 0; time < 3; time++) {
    const { headers, body } = await raw(place, { "Accept-Encoding": "gzip, identity;q=0" });
    expect(headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(body).equals(plain.body)).toBe(true);
  }
});

test("a keyed answer belongs to its caller's browser, and its key decides", async () => {
  const { headers } = await raw(outages);
  expect(headers["cache-control"]).toBe("private, max-age=300, stale-while-revalidate=60, stale-if-error=1800");
  expect(headers["cdn-cache-control"]).toBeUndefined();
  expect(String(headers.vary).split(", ")).toEqual(
    expect.arrayContaining(["X-Service-Key", "X-Api-Key", "Accept-Encoding"]),
  );
});

test("a response that requires no key may be stored by any cache", async () => {
  const { headers } = await raw(conflict);
  expect(headers["cache-control"]).toBe(
    "public, max-age=300, s-maxage=1800, stale-while-revalidate=300, stale-if-error=3600",
  );
  expect(headers["cdn-cache-control"]).toBe("max-age=3600");
});

test("no cache stores the caller's location", async () => {
  expect((await raw(ipGeo)).headers["cache-control"]).toBe("no-store");
});

test("no cache stores errors", async () => {
  for (const path of [
    `${outages}?country=1`,
    "/nothing",
    `${outages}/x`,
    "/api/military/v1/list-military-bases?zoom=x",
  ])
    expect((await raw(path)).headers, path).toMatchObject({ "cache-control": "no-store" });
});

test("no cache stores a response that reports a failed source", async () => {
  const environment = { IDS_GEOCODER_URL: "http://127.0.0.1:1", IDS_OPERATOR_CONTACT: "test@example.org" };
  const failing = await createApp({
    config: readConfig({ PORT: "0", IDS_LOG_LEVEL: "silent", ...environment }),
    database,
    clock: () => testTime,
    random: () => 0.5,
    secrets: [Buffer.alloc(32, 7)],
    log: createLog("silent", process.stderr),
  });
  onTestFinished(failing.close);
  const response = await fetch(failing.url + place, { headers: { "X-Service-Key": key } });
  expect([response.status, response.headers.get("Cache-Control")]).toEqual([200, "no-store"]);
  expect(await response.json()).toMatchObject({ error: expect.stringMatching(/./) });
});

test("answers from sample data say so, kept or not", async () => {
  for (let time = 0; time < 3; time++)
    expect((await raw(`${outages}?country=SY`)).headers["x-data-origin"]).toBe("sample");
  expect((await raw(place)).headers["x-data-origin"]).toBeUndefined();
});

test("requests written differently that ask for the same share one answer", async () => {
  const { body, headers } = await raw(`${outages}?country=SY`);
  for (const query of [
    "country=sy",
    "country=%53y&page_size=7",
    "cursor=abc&country=SY&country=SY",
    "country=SY&x=1",
  ]) {
    const other = await raw(`${outages}?${query}`);
    expect(other.body.equals(body), query).toBe(true);
    expect(other.headers.etag, query).toBe(headers.etag);
  }
  expect(await tagOf(`${outages}?country=US`)).not.toBe(headers.etag);
});

test("a refresh is visible at once although an answer was prepared, and the same data keep their tag", async () => {
  const later = new Date(testTime.getTime() + 7 * dayMs);
  app.setTime(later);
  const before = await raw(outages);
  expect((await raw(outages)).headers.etag).toBe(before.headers.etag);
  await app.refresh("internet-outages");
  const after = await raw(outages);
  expect(after.headers.etag).not.toBe(before.headers.etag);
  expect(after.body.equals(before.body)).toBe(false);
  expect((await raw(outages, { "If-None-Match": String(before.headers.etag) })).status).toBe(200);
  await app.refresh("internet-outages");
  expect((await raw(outages, { "If-None-Match": String(after.headers.etag) })).status).toBe(304);
  app.setTime(testTime);
});

test("a window relative to now moves at midnight UTC, not before and not later", async () => {
  const midnight = Math.ceil(testTime.getTime() / dayMs) * dayMs;
  const oldest = async () => {
    const { events } = JSON.parse(String((await raw(conflict)).body));
    return events.at(-1).occurredAt;
  };
  app.setTime(new Date(midnight - 1));
  const before = await tagOf(conflict);
  expect([await oldest(), await tagOf(conflict)]).toEqual([midnight - 31 * dayMs, before]);
  app.setTime(new Date(midnight));
  expect(await tagOf(conflict)).not.toBe(before);
  expect(await oldest()).toBe(midnight - 30 * dayMs);
  app.setTime(testTime);
});

test("an answer begun before midnight or before a refresh is not kept when it is ready after", () => {
  let now = new Date("2026-11-18T23:59:59.999Z");
  const responses = createResponseCache(() => now);
  const response = finishResponse({ status: 200, lasting: [] }, asBytes("{}"));
  const before = responses.epoch();
  now = new Date("2026-11-19T00:00:00.000Z");
  responses.put("a", response, before);
  expect(responses.get("a", now.getTime())).toBeUndefined();
  responses.put("a", response, responses.epoch());
  expect(responses.get("a", now.getTime())).toBe(response);
  const earlier = responses.epoch();
  responses.clear();
  responses.put("a", response, earlier);
  expect(responses.get("a", now.getTime())).toBeUndefined();
});

test("an answer is kept for ten seconds at most", () => {
  let now = testTime;
  const responses = createResponseCache(() => now);
  responses.put("a", finishResponse({ status: 200, lasting: [] }, asBytes("{}")), responses.epoch());
  now = new Date(testTime.getTime() + 9_999);
  expect(responses.get("a", now.getTime())).toBeDefined();
  now = new Date(testTime.getTime() + 10_000);
  expect(responses.get("a", now.getTime())).toBeUndefined();
});

test("an answer made from a kept one is kept no longer than that one", () => {
  let now = testTime;
  const responses = createResponseCache(() => now);
  responses.put("whole", finishResponse({ status: 200, lasting: [] }, asBytes("{}")), responses.epoch());
  now = new Date(testTime.getTime() + 6_000);
  responses.put("part", finishResponse({ status: 200, lasting: [] }, asBytes("[]")), responses.epoch(), "whole");
  responses.put(
    "part of nothing",
    finishResponse({ status: 200, lasting: [] }, asBytes("[]")),
    responses.epoch(),
    "gone",
  );
  expect(responses.get("part of nothing", now.getTime())).toBeUndefined();
  expect(responses.get("part", testTime.getTime() + 9_999)).toBeDefined();
  expect(responses.get("part", testTime.getTime() + 10_000)).toBeUndefined();
});
