import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { load } from "cheerio";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { planKeys } from "../../../src/access/plans.ts";
import { catalog, kebab, requiredTier, streams } from "../../../src/contract/catalog.ts";
import { disputedAreas } from "../../../src/reference/places/disputed-areas.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { described } from "../../support/described.ts";

const demoKey = newKey(randomBytes);
const pages = ["/plans", "/versions", "/changelog", "/methodology", "/places"];

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { demoKey });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const text = async (path: string) => (await app.get(path, { key: null })).text();

test("every page is there without a key, and every link on it leads somewhere", async () => {
  for (const page of pages) {
    const response = await app.get(page, { key: null });
    expect([response.status, response.headers.get("Content-Type")], page).toEqual([200, "text/html; charset=utf-8"]);
    for (const [, link = ""] of (await response.text()).matchAll(/(?:href|src)="(\/[^"]*)"/g))
      expect((await app.get(link, { key: null })).status, `${page} -> ${link}`).toBe(200);
  }
});

test("pages are sent compressed, can be revalidated, and allow nothing from elsewhere", async () => {
  for (const page of [...pages, "/llms.txt"]) {
    const plain = await app.get(page, { key: null, headers: { "Accept-Encoding": "identity" } });
    const zipped = await request(app.url + page, { headers: { "Accept-Encoding": "gzip" } });
    expect(zipped.headers["content-encoding"]).toBe("gzip");
    expect(gunzipSync(Buffer.from(await zipped.body.arrayBuffer())).toString()).toBe(await plain.text());
    const etag = plain.headers.get("ETag") ?? "";
    expect((await app.get(page, { key: null, headers: { "If-None-Match": etag } })).status).toBe(304);
    const policy = plain.headers.get("Content-Security-Policy");
    expect(policy).toMatch(/^default-src 'self'; script-src 'self';/);
    expect(policy).not.toContain("unsafe");
  }
});

test("llms.txt names every operation and stream with what it needs, and what it links to is there", async () => {
  const llms = await text("/llms.txt");
  const lines = new Map(llms.split("\n").map((line) => [/^- \[(\w+)\]/.exec(line)?.[1], line]));
  for (const operation of [...catalog, ...streams]) {
    const { name, path, queried, access } = operation;
    const line = lines.get(name);
    expect(line, name).toContain(`[${name}](${path})`);
    expect(line, name).toContain(`(/docs/${kebab(name)}.md)`);
    const tier = access.operator ? 0 : requiredTier(operation);
    expect(line?.includes(`(tier ${tier})`), name).toBe(tier > 0);
    for (const { name: parameter, required, deprecated, in: place } of described(path, operation.verb).parameters)
      if (queried && required && !deprecated && place === "query")
        expect(line, name).toMatch(new RegExp(`\\b${parameter}( or country)? required`));
  }
  expect(lines.get("WatchChanges")).toContain("server-sent events");
  for (const parameter of ["jmespath", "as_of", "format", "all"]) expect(llms).toContain(`\n- \`${parameter}\`: `);
  for (const [, link = ""] of llms.matchAll(/\]\((\/(?!api\/)[^)]*)\)/g))
    expect((await app.get(link, { key: null })).status, link).toBe(200);
});

test("the plans page names every plan", async () => {
  const plans = await text("/plans");
  for (const plan of planKeys.filter((key) => key !== "operator")) expect(plans).toContain(`<code>${plan}</code>`);
});

test("the start page asks at the address at which it was asked for, and what it prints works", async () => {
  const shown = (await text("/")).replaceAll("&#34;", '"');
  const requested = [...shown.matchAll(/curl "([^"]*)"/g)];
  expect(requested.length).toBeGreaterThan(1);
  for (const [line, address = ""] of requested) expect(address.startsWith(`${app.url}/api/`), line).toBe(true);
  const open = load(await text("/"))("pre.request")
    .text()
    .replace(/^curl "|"$/g, "");
  expect((await app.get(open.slice(app.url.length), { key: null })).status).toBe(200);
  const other = await request(`${app.url}/`, { headers: { host: "data.example.org" } });
  expect(await other.body.text()).toContain("http://data.example.org/api/");
});

test("the page of places names every disputed area with its country and the document that settles it", async () => {
  const $ = load(await text("/places"));
  const rows = $("tbody tr").map((_, row) =>
    $(row)
      .find("td")
      .map((__, cell) => $(cell).text())
      .get()
      .join("|"),
  );
  expect(rows.get()).toEqual(
    expect.arrayContaining(disputedAreas.map(({ name, code, reason }) => `${name}|${code}|${reason}`)),
  );
});

test("the demo key is shown where there is one, and no key where there is none", async () => {
  expect(await text("/docs")).toContain(demoKey);
  await using live = await startApp(database);
  for (const page of ["/", "/docs"])
    expect(await (await live.get(page, { key: null })).text(), page).not.toMatch(/ids_[0-9a-f]{40}/);
});
