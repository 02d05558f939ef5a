import { load } from "cheerio";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const timeout = 60_000;
const bed = startBed();

const accept = "text/html,application/xhtml+xml,*/*;q=0.8";
const get = (path: string, headers: Record<string, string> = {}, of = bed.app) =>
  of.get(path, { key: null, headers: { Accept: accept, ...headers } });

test("an embed leads back to the view that it shows, and has no form whose answer no frame may show", async () => {
  const series = load(await (await get("/series/risk.score?keys=UA,PL&from=2026-06-01&embed=1&block=chart")).text());
  const address = new URL(series("footer.credit a").attr("href") ?? "", bed.app.url);
  expect([address.pathname, Object.fromEntries(address.searchParams)]).toEqual([
    "/series/risk.score",
    { keys: "UA,PL", from: "2026-06-01" },
  ]);
  for (const path of ["/countries", "/data", "/data/conflict-events", "/data/supply-buffers", "/tenders"]) {
    const embed = load(await (await get(`${path}?embed=1`)).text());
    expect([embed("section.block").length, embed("form").length], path).toEqual([1, 0]);
  }
  expect(load(await (await get("/?embed=1")).text())("form.layer-form")).toHaveLength(1);
  const found = load(await (await get("/search?q=ukraine&embed=1")).text());
  expect([found("form").length, found('a[href="/countries/UA"]').attr("target")]).toEqual([0, "_blank"]);
  expect(found("footer.credit a").attr("href")).toMatch(/\/search\?q=ukraine$/);
});

test("an embed that cannot be shown says why within the frame", { timeout }, async () => {
  await using scarce = await startApp(bed.database, {
    environment: { IDS_PUBLIC_PAGES: "free", IDS_PLAN_LIMITS: "free=1/-", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const view = (path: string) => get(path, { "X-Forwarded-For": "192.0.2.77" }, scarce);
  expect((await view("/?embed=1")).status).toBe(200);
  const rejected = await view("/countries/UA?embed=1");
  expect(rejected.status).toBe(429);
  expect(rejected.headers.get("Content-Security-Policy")).toContain("frame-ancestors *");
  const $ = load(await rejected.text());
  expect($("header.site")).toHaveLength(0);
  expect($("main").text()).toMatch(/Too many requests\. .*Try again in \d+ seconds?\./);
  const page = await view("/countries/UA");
  expect(page.headers.get("Content-Security-Policy")).toContain("frame-ancestors 'none'");
  const missing = await get("/countries/UA?embed=1&block=nothing");
  expect([missing.status, missing.headers.get("Content-Security-Policy")]).toEqual([
    404,
    expect.stringContaining("frame-ancestors *"),
  ]);
});

test("a rejected file is reported to a browser as a page, and to a program as JSON", { timeout }, async () => {
  await using closed = await startApp(bed.database, { environment: { IDS_PUBLIC_PAGES: "none" } });
  const rejections = [
    ["/export/nothing", 404, "Page not found", bed.app],
    ["/export/list-api-keys", 401, "Sign in to see this page", bed.app],
    ["/export/list-conflict-events?start=abc", 400, "This address is not understood", bed.app],
    ["/export/list-conflict-events?jmespath=a[", 400, "This address is not understood", bed.app],
    ["/export/get-risk-scores?format=csv", 401, "Sign in to see this page", closed],
  ] as const;
  for (const [path, status, title, of] of rejections) {
    const shown = await get(path, {}, of);
    expect([shown.status, shown.headers.get("Content-Type")], path).toEqual([status, "text/html; charset=utf-8"]);
    const $ = load(await shown.text());
    expect($("h1").text(), path).toBe(title);
    expect($("main").text(), path).not.toMatch(/undefined|\[object/);
    const reported = await get(path, { Accept: "*/*" }, of);
    expect([reported.status, reported.headers.get("Content-Type")], path).toEqual([
      status,
      expect.stringContaining("application/json"),
    ]);
  }
  const forbidden = load(await (await get("/export/list-api-keys?page_size=5")).text());
  expect(forbidden('a[href^="/account"]').last().attr("href")).toContain(
    "to=%2Fexport%2Flist-api-keys%3Fpage_size%3D5",
  );
  const wrong = load(await (await get("/export/list-conflict-events?start=abc")).text());
  expect(wrong("main").text()).toContain("start:");
});

test("a page whose address has a dot fails as a page, and a file as JSON", async () => {
  for (const path of [
    "/countries/U.A",
    "/data/conflict.events",
    "/series/no.thing",
    "/chokepoints/suez.map",
    "/nothing.php",
  ])
    expect((await get(path)).headers.get("Content-Type"), path).toContain("text/html");
  for (const path of ["/assets/site-0.css", "/.well-known/nothing.json"])
    expect((await get(path)).headers.get("Content-Type"), path).toContain("application/json");
});
