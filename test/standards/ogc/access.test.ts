import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { signedIn } from "../../support/console/signed-in.ts";
import { openOnce } from "../../support/databases.ts";
import { expectSchema, type FeatureCollection } from "../../support/ogc.ts";
import { limitsOf, send } from "../../support/request-load.ts";

const features = "/ogc/collections/list-internet-outages/items";
const outages = "/api/infrastructure/v1/list-internet-outages";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const named = ["WWW-Authenticate", "Retry-After", "RateLimit-Policy", "X-RateLimit-Limit", "X-RateLimit-Mode"];
const headersOf = ({ headers }: Response) => named.map((name) => headers.get(name));

test("features have the access of their read: the same status and headers, with the schema exception", async () => {
  for (const key of [null, "unknown", "ids_0000000000000000000000000000000000000000"])
    for (const path of [features, `${features}/cf-1`]) {
      const [response, read] = [await app.get(path, { key }), await app.get(outages, { key })];
      expect([key, response.status]).toEqual([key, 401]);
      expect(headersOf(response)).toEqual(headersOf(read));
      const body = await response.json();
      expectSchema("exception", body);
      expect(body).toEqual({ code: "not-authenticated", description: expect.any(String) });
    }
  expect((await app.get("/ogc/collections/list-conflict-events/items", { key: null })).status).toBe(200);
});

test("features of data that was never loaded are a 503 with the time to retry, like their read", async () => {
  const bases = "/api/military/v1/list-military-bases?ne_lat=1&ne_lon=1&sw_lat=0&sw_lon=0";
  const [response, read] = [await app.get("/ogc/collections/list-military-bases/items"), await app.get(bases)];
  expect([response.status, read.status]).toEqual([503, 503]);
  expect(response.headers.get("Retry-After")).toBe(read.headers.get("Retry-After"));
  expect(await response.json()).toEqual({ code: "nothing-to-serve", description: expect.any(String) });
  const events = await app.get("/ogc/collections/list-tech-events/items");
  expect([events.status, await events.json()]).toEqual([
    503,
    { code: "nothing-to-serve", description: expect.stringContaining("no confirmed data") },
  ]);
});

test("a page counts as the call that it runs, and above the limit it is a 429 with the headers of the limit", async () => {
  const key = await app.key("free");
  const first = limitsOf(await app.get(outages, { key }));
  const page = await app.get(`${features}?limit=5`, { key });
  expect(limitsOf(page).remaining).toBe((first.remaining ?? 0) - 1);
  expect(page.headers.get("RateLimit")).toMatch(/^"default";r=\d+;t=\d+$/);
  const html = await app.get(`${features}/none?f=html`, { key });
  expect([html.status, limitsOf(html).remaining]).toEqual([404, (first.remaining ?? 0) - 2]);
  await send(first.remaining ?? 0, () => app.get(features, { key }));
  const [rejected, read] = [await app.get(features, { key }), await app.get(outages, { key })];
  expect([rejected.status, read.status]).toEqual([429, 429]);
  expect(headersOf(rejected)).toEqual(headersOf(read));
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThan(0);
  const body = await rejected.json();
  expectSchema("exception", body);
  expect(body).toMatchObject({ code: "quota-exceeded", description: "Too many requests", plan: "free" });
});

test("requests that run no read are counted for their address, each once", async () => {
  const paths = ["/ogc", "/ogc?x=1", "/ogc/collections/none", `${features}?limit=0`, "/ogc/collections/none/items"];
  const perMinute = 600;
  const own = await openOnce();
  const fresh = await startApp(own);
  const statuses = await send(perMinute, (index) => fresh.get(paths[index % paths.length] ?? "", { key: null }));
  expect(statuses).toEqual({ 200: perMinute / 5, 400: (2 * perMinute) / 5, 404: (2 * perMinute) / 5 });
  for (const path of [...paths, "/ogc/collections/list-conflict-events/items"])
    expect([path, (await fresh.get(path, { key: null })).status]).toEqual([path, 429]);
  await fresh[Symbol.asyncDispose]();
  await own.close();
});

test("a signed-in visitor of the pages sees the features without a key, and no cache stores them", async () => {
  const environment = { IDS_TRUSTED_PROXIES: "127.0.0.0/8" };
  await using pages = await startApp(database, { environment });
  const { cookie, own } = await signedIn(pages, "/account");
  const view = (more: Readonly<Record<string, string>>) =>
    pages.get(`${features}?f=html&limit=2`, { key: null, headers: { ...own, Cookie: cookie, ...more } });
  const page = await view({});
  expect([page.status, page.headers.get("Content-Type")]).toEqual([200, "text/html; charset=utf-8"]);
  expect(page.headers.get("Cache-Control")).toMatch(/^private/);
  expect((await view({ "Sec-Fetch-Site": "cross-site" })).status).toBe(401);
});

test("features support other origins, HEAD, and no other verb", async () => {
  const origin = { Origin: "https://maps.example" };
  const page = await app.get(features, { headers: origin });
  expect(page.headers.get("Access-Control-Allow-Origin")).toBe("*");
  const asked = { ...origin, "Access-Control-Request-Method": "GET" };
  const preflight = await app.get(features, { method: "OPTIONS", key: null, headers: asked });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Methods")]).toEqual([
    204,
    "GET, HEAD, OPTIONS",
  ]);
  for (const method of ["POST", "PUT", "DELETE", "PATCH"]) {
    const rejected = await app.get(features, { method });
    expect([rejected.status, rejected.headers.get("Allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
    expect(await rejected.json()).toEqual({ code: "verb-not-allowed", description: expect.any(String) });
  }
  const head = await app.get(features, { method: "HEAD", headers: { "Accept-Encoding": "identity" } });
  const full = await app.get(features, { headers: { "Accept-Encoding": "identity" } });
  expect(head.headers.get("Content-Length")).toBe(String((await full.arrayBuffer()).byteLength));
  expect((await app.get(features, { headers: { Accept: "text/csv" } })).status).toBe(406);
});

test("stale data says so in the headers and in the body", async () => {
  app.setTime(new Date("2026-11-18T22:00:00Z"));
  const response = await app.get(`${features}?limit=1`);
  expect([response.status, response.headers.get("X-Data-Stale")]).toEqual([200, "true"]);
  const body = (await response.json()) as FeatureCollection & { stale?: boolean };
  expect(body.stale).toBe(true);
});
