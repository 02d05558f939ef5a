import { load } from "cheerio";
import { request } from "undici";
import { expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { testTime } from "../../support/app.ts";
import { startBed } from "../../support/console/bed.ts";
import { someOf } from "../../support/thoroughness.ts";

const timeout = 120_000;
const unlimited = {
  IDS_TRUSTED_PROXIES: "127.0.0.0/8",
  IDS_PUBLIC_PAGES: "enterprise",
  IDS_PLAN_LIMITS: "free=100000/-,enterprise=100000/-",
};
const bed = startBed({ environment: unlimited });

const get = (path: string, headers: Record<string, string> = {}) => bed.app.get(path, { key: null, headers });
const text = async (path: string) => (await get(path)).text();

const pages = ["/", "/data", "/data/conflict-events", "/countries/UA", "/docs", "/docs/list-conflict-events", "/plans"];

test("pages of sample data ask search engines not to list them, and robots.txt lets them read that", async () => {
  for (const path of [...pages, "/catalog.jsonld", "/api/conflict/v1/list-conflict-events?format=csv"]) {
    const response = await get(path);
    expect([response.status, response.headers.get("X-Robots-Tag")], path).toEqual([200, "noindex"]);
    const isPage = response.headers.get("Content-Type")?.startsWith("text/html") === true;
    expect((await response.text()).includes('<meta name="robots" content="noindex">'), path).toBe(isPage);
  }
  const robots = await text("/robots.txt");
  expect(robots).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${bed.app.url}/sitemap.xml\n`);
});

test("each page has its address, a description, and the preview of a link to it", async () => {
  const descriptions = new Set<string>();
  for (const path of pages) {
    const $ = load(await text(`${path}?unknown=1`));
    const content = (name: string) => $(`meta[property="${name}"], meta[name="${name}"]`).attr("content");
    expect([$('link[rel="canonical"]').attr("href"), content("og:url")]).toEqual([
      bed.app.url + path,
      bed.app.url + path,
    ]);
    expect(content("og:title")).toBe($("head > title").text());
    expect(content("og:description")).toBe(content("description"));
    expect(content("description")?.length, path).toBeGreaterThan(30);
    expect(content("twitter:card")).toBe("summary_large_image");
    expect(content("og:image")).toBe(`${bed.app.url}/preview.png`);
    descriptions.add(content("description") ?? "");
  }
  expect(descriptions.size).toBe(pages.length);
});

test("a document is complete for clients that wait for it when the first of them disconnects", async () => {
  const hosts = Array.from({ length: 6 }, (_, index) => `waiting-${index}.example`);
  const ask = (host: string, signal?: AbortSignal) =>
    request(`${bed.app.url}/catalog.jsonld`, { headers: { host }, ...(signal && { signal }) });
  const firsts = hosts.map((host) => {
    const controller = new AbortController();
    return { controller, ended: expect(ask(host, controller.signal)).rejects.toThrow() };
  });
  await get("/livez");
  const waiting = hosts.map((host) => ask(host));
  await get("/livez");
  for (const { controller } of firsts) controller.abort();
  for (const { statusCode, body } of await Promise.all(waiting)) {
    expect([statusCode, await body.text()]).toEqual([200, expect.stringContaining("dcat:Catalog")]);
  }
  await Promise.all(firsts.map(({ ended }) => ended));
});

test("the addresses have the host that the client requested", async () => {
  for (const path of ["/plans", "/data/conflict-events", "/robots.txt", "/sitemap.xml", "/catalog.jsonld"]) {
    const { body } = await request(bed.app.url + path, { headers: { host: "data.example.org" } });
    const markup = await body.text();
    expect(markup, path).toContain("http://data.example.org/");
    expect(markup, path).not.toContain(bed.app.url);
  }
});

test("the icons and the preview image are images, and a page loads nothing of another host", async () => {
  const types = { "/favicon.ico": "image/vnd.microsoft.icon", "/favicon.svg": "image/svg+xml" };
  const images = { ...types, "/apple-touch-icon.png": "image/png", "/preview.png": "image/png" };
  for (const [path, type] of Object.entries(images)) {
    const response = await get(path);
    expect([response.status, response.headers.get("Content-Type")]).toEqual([200, type]);
    const bytes = Buffer.from(await response.arrayBuffer());
    if (type === "image/png") expect(bytes.subarray(1, 4).toString()).toBe("PNG");
    expect(bytes.length).toBeLessThan(30_000);
  }
  const preview = Buffer.from(await (await get("/preview.png")).arrayBuffer());
  expect([preview.readUInt32BE(16), preview.readUInt32BE(20)]).toEqual([1200, 630]);
  const $ = load(await text("/data/conflict-events"));
  const loaded = $('link[rel="icon"], link[rel="stylesheet"], link[rel="apple-touch-icon"]').toArray();
  expect(loaded.map((each) => $(each).attr("href")).filter((href) => !href?.startsWith("/"))).toEqual([]);
});

test("the sitemap lists each dataset with its last change, and the listed pages are there", { timeout }, async () => {
  const $ = load(await text("/sitemap.xml"), { xml: true });
  const entries = $("url").toArray();
  const listed = new Map(
    entries.map((each) => [$(each).find("loc").text().slice(bed.app.url.length), $(each).find("lastmod").text()]),
  );
  expect(listed.size).toBe(entries.length);
  for (const { name } of datasets) expect(listed.get(`/data/${name}`), name).toMatch(/^2026-11-\d\dT.*Z$/);
  for (const secret of ["/account", "/alerts", "/export", "/feeds", "/api"])
    expect([...listed.keys()].filter((path) => path.startsWith(secret))).toEqual([]);
  // Pages of countries take most of the time, and are all made in the same way.
  const isWalked = (path: string, place: number) => !path.startsWith("/countries/") || place % 10 === 0;
  let count = 0;
  for (const path of someOf([...listed.keys()].filter(isWalked), 5)) {
    count += 1;
    // An address may request 600 pages and documents a minute, so that the requests come from several.
    const response = await get(path, { "X-Forwarded-For": `203.0.113.${Math.ceil(count / 300)}` });
    expect(response.status, path).toBe(200);
    // A parser would take as long as the service takes to write the page.
    const [, address] = /<link rel="canonical" href="([^"]*)"/.exec(await response.text()) ?? [];
    expect(address, path).toBe(bed.app.url + path);
  }
});

interface Linkset {
  readonly linkset: readonly Readonly<Record<string, string | readonly { href: string; type?: string }[]>>[];
}

test("the catalog of APIs has links that work, of the types that it states", async () => {
  const path = "/.well-known/api-catalog";
  const response = await get(path);
  expect(response.headers.get("Content-Type")).toBe(
    'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"',
  );
  const { linkset } = (await response.json()) as Linkset;
  const links = linkset.flatMap((context) =>
    Object.values(context).flatMap((each) => (typeof each === "string" ? [] : each)),
  );
  for (const { href, type } of links) {
    const linked = await get(href.slice(bed.app.url.length));
    expect(linked.status, href).toBe(200);
    if (type !== undefined) expect(linked.headers.get("Content-Type")?.split(";")[0], href).toBe(type);
    await linked.arrayBuffer();
  }
  const hrefs = links.map(({ href }) => href.slice(bed.app.url.length));
  expect(hrefs).toEqual(
    expect.arrayContaining(["/", "/mcp", "/openapi.json", "/docs", "/contract.binpb", "/catalog.jsonld"]),
  );
  for (const linking of [path, "/"]) {
    const head = await bed.app.get(linking, { key: null, method: "HEAD" });
    expect(head.headers.get("Link")).toBe('</.well-known/api-catalog>; rel="api-catalog"');
  }
});

test("the documents answer HEAD, conditions and other origins as other documents do", async () => {
  for (const path of ["/catalog.jsonld", "/sitemap.xml", "/robots.txt", "/.well-known/api-catalog"]) {
    const response = await get(path, { "Accept-Encoding": "identity", Origin: "https://example.org" });
    const body = await response.text();
    const etag = response.headers.get("ETag") ?? "";
    expect(response.headers.get("Access-Control-Allow-Origin"), path).toBe("*");
    expect(response.headers.get("Cache-Control"), path).toBe("public, max-age=300");
    expect((await get(path, { "If-None-Match": etag })).status, path).toBe(304);
    const head = await bed.app.get(path, { key: null, method: "HEAD", headers: { "Accept-Encoding": "identity" } });
    expect([head.status, head.headers.get("Content-Length")]).toEqual([200, String(Buffer.byteLength(body))]);
    expect((await bed.app.get(path, { key: null, method: "POST" })).status, path).toBe(405);
  }
});

test("the catalog and the sitemap show data that was stored since the last request", async () => {
  const modified = async () => (await bed.app.json<{ modified: string }>("/catalog.jsonld")).modified;
  const [before, mapBefore] = [await modified(), await text("/sitemap.xml")];
  const later = new Date(testTime.getTime() + 3_600_000);
  bed.app.setTime(later);
  await bed.app.refresh("tech-events");
  expect([before < later.toISOString(), await modified()]).toEqual([true, later.toISOString()]);
  const entry = `/data/tech-events</loc><lastmod>${later.toISOString()}</lastmod>`;
  expect([mapBefore.includes(entry), (await text("/sitemap.xml")).includes(entry)]).toEqual([false, true]);
});
