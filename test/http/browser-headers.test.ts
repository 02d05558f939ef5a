import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { environment: { IDS_PUBLIC_PAGES: "enterprise" } });
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const outages = "/api/infrastructure/v1/list-internet-outages";
const json = { "Content-Type": "application/json" };
const listed = { method: "POST", headers: json, body: '{"jsonrpc":"2.0","id":1,"method":"tools/list"}' };
const called = { method: "POST", headers: json, body: "{}" };
const bodies: readonly { readonly path: string; readonly options?: Parameters<TestApp["get"]>[1] }[] = [
  ...["/", "/docs", "/docs.md", "/account", "/nothing", "/livez", "/metrics", "/api/health", "/openapi.json"].map(
    (path) => ({ path }),
  ),
  ...["/sitemap.xml", "/robots.txt", "/contract.binpb", "/favicon.svg", "/ogc", "/ogc/collections?f=html", "/mcp"].map(
    (path) => ({ path }),
  ),
  ...["", "?country=1", "?format=csv", "?format=xlsx", "?format=geojson", "?format=atom", "?format=csv&all=true"].map(
    (query) => ({ path: outages + query }),
  ),
  { path: "/mcp", options: listed },
  { path: "/ids.infrastructure.v1.InfrastructureService/ListInternetOutages", options: called },
];

test.each(bodies)("a browser takes the body of $path only for what its type says", async ({ path, options }) => {
  const response = await app.get(path, options);
  expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
  const type = response.headers.get("Content-Type") ?? "";
  expect(type).toMatch(/^[\w-]+\/[\w.+-]+/);
  // JSON, GeoJSON and events are UTF-8 by definition.
  if (/^text\/(?!event-stream)|\bxml\b/.test(type) && !type.includes("svg")) expect(type).toContain("charset=utf-8");
  await response.arrayBuffer();
});

test.each(["/", "/docs", "/account", "/plans", "/ogc/collections?f=html", "/data/internet-outages"])(
  "the policy of %s permits only scripts of this host, and no plugins, bases, or frames of others",
  async (path) => {
    const response = await app.get(path, { key: null, headers: { Accept: "text/html" } });
    const policy = response.headers.get("Content-Security-Policy") ?? "";
    const directives = ["script-src 'self'", "object-src 'none'", "base-uri 'none'", "frame-ancestors 'none'"];
    expect(policy.split("; ")).toEqual(expect.arrayContaining(directives));
    expect(response.headers.get("Referrer-Policy")).toMatch(/^(no-referrer|same-origin)$/);
  },
);
