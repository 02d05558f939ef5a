import { load } from "cheerio";
import { expect, test } from "vitest";
import { agoText } from "../../src/console/view/times.ts";
import { catalog } from "../../src/contract/catalog.ts";
import { labelOf, valueText } from "../../src/contract/labels.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import { datasets } from "../../src/domains/index.ts";
import { chokepoints } from "../../src/reference/trade/chokepoints.ts";
import { startApp } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";
import { someOf } from "../support/thoroughness.ts";

const bed = startBed({ environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });

const browser = { Accept: "text/html" };
const page = async (path: string) => load(await (await bed.app.get(path, { key: null, headers: browser })).text());

test("labels are written as people write them", () => {
  const written = {
    "sec-tickers": "SEC tickers",
    neLat: "Northern edge",
    sw_lon: "Western edge",
    yoyExportChange: "Exports, change on the year before",
    min_automation_score: "Automation score, at least",
    maxValue: "Value, at most",
    change30d: "Change 30 days",
    fillPctChange1d: "Fill % change 1 day",
    gasTwh: "Gas TWh",
    "location.lat": "Latitude",
    chokepointIds: "Chokepoint IDs",
    createdAtMs: "Created at",
    hasScore: "Score is known",
    icao24: "ICAO24",
    occurredAt: "Occurred at",
    constructor: "Constructor",
    "country / id": "Country / ID",
  };
  expect(Object.fromEntries(Object.keys(written).map((name) => [name, labelOf(name)]))).toEqual(written);
  expect(["d", "1", "%"].map((value) => valueText("unit", value))).toEqual(["days", "ratio", "%"]);
  expect(["USPRIV", "sub-saharan africa", "not_yet_open"].map((value) => valueText("kind", value))).toEqual([
    ...["USPRIV", "Sub-Saharan Africa", "Not yet open"],
  ]);
});

test("a time that lies ahead is said as that", () => {
  expect([20_000, 59_900, 1_500, 0, -20_000, -90_000, 3_600_000].map((away) => agoText(away, 0))).toEqual([
    ...["in 20 seconds", "in 59 seconds", "in 1 second", "just now", "just now", "1 minute ago", "in 1 hour"],
  ]);
});

test("sources are offered by their publishers in the catalog, regions with their capitals", async () => {
  const $ = await page("/tenders");
  const offered = (id: string) =>
    $(`#filter-${id} option`)
      .toArray()
      .map((option) => $(option).text());
  const { sources } = await bed.app.json<{ sources: { license: { publisher: string } }[] }>(
    "/api/catalog/v1/list-sources",
  );
  const named = sources.map(({ license }) => license.publisher);
  expect(offered("source").slice(1).length).toBeGreaterThan(4);
  for (const name of offered("source").slice(1)) expect(named).toContain(name);
  expect(offered("region")).toContain("North America");
});

test("the same thing has one name wherever it is shown", async () => {
  const $ = await page("/countries/UA");
  const parts = $("section:has(#risk) .bars .label, section:has(#risk) .bars dt")
    .toArray()
    .map((each) => $(each).text());
  const named = await page("/data/risk-scores");
  const columns = named("thead th").text();
  for (const name of ["Conflict", "Unrest"]) {
    expect($("section:has(#risk) .bars").text()).toContain(name);
    expect(columns).toContain(name);
  }
  expect(parts.join()).not.toMatch(/nearby|Geo convergence|CII/);
  const names = $("section:has(#macro) dt")
    .toArray()
    .map((each) => $(each).text());
  expect(names.filter((name) => name.startsWith("Current account"))).toEqual([
    "Current account, share of GDP",
    "Current account",
  ]);
});

test("the map of risk says how many countries have a score", async () => {
  const $ = await page("/?shade=risk");
  const { ciiScores } = await bed.app.json<{ ciiScores: unknown[] }>("/api/intelligence/v1/get-risk-scores");
  expect($("section:has(#world) .scale").text()).toContain(`Covers ${ciiScores.length} of 250 countries`);
  expect($('main a[href="/methodology"]')).toHaveLength(1);
  expect($("#highest-risk")).toHaveLength(0);
});

test("search finds by what people call things, by numeric codes, and pages and series", async () => {
  const found = {
    excel: "/data",
    csv: "/data",
    license: "/data",
    publish: "/data",
    login: "/account",
    price: "/plans",
    privacy: "/about",
    "804": "/countries/UA",
    methodology: "/methodology",
    "risk.score": "/series/risk.score",
  };
  for (const [words, path] of Object.entries(found))
    expect((await page(`/search?q=${words}`))(`main a[href="${path}"]`).length, words).toBeGreaterThan(0);
});

test("search finds pages for tasks, and countries with a wrong letter in their names", async () => {
  const found = {
    "cost of closing hormuz": "/chokepoints/hormuz_strait",
    "compare countries": "/compare",
    "who depends on gas": "/chokepoints",
    "download tenders excel": "/data/global-tenders",
    Ukrane: "/countries/UA",
    Etiopia: "/countries/ET",
    Gremany: "/countries/DE",
    "resilience of bananas": "/series/resilience.score",
  };
  for (const [words, path] of Object.entries(found))
    expect((await page(`/search?${new URLSearchParams({ q: words })}`))(`main a[href="${path}"]`).length, words).toBe(
      1,
    );
  expect((await page("/search?q=excel"))("#datasets")).toHaveLength(0);
  expect((await page("/search?q=xyzzy"))(".nothing").text()).toContain("Nothing found.");
});

test("a dataset that no read lists says how many rows it holds", async () => {
  const { dataset } = await bed.app.json<{ dataset: { rows: number } }>(
    "/api/catalog/v1/get-dataset?name=resilience-inputs",
  );
  const notice = (await page("/data/resilience-inputs"))("main .notice");
  expect(notice.text()).toContain(`This dataset holds ${dataset.rows.toLocaleString("en")} rows, which no read lists.`);
  expect((await page("/series/gas.country_fill"))("h1").text()).toContain("Gas storage by country");
});

test("search names words that match nothing, and shows places before the topic", async () => {
  const $ = await page("/search?q=japan+oil+zzyzx+hormuz");
  expect($("main").text()).toContain("Ignored: zzyzx.");
  const titles = $("main section > h2")
    .toArray()
    .map((each) => $(each).text());
  expect(titles.slice(0, 3)).toEqual(["Answers", "Countries", "Chokepoints"]);
  expect((await page("/search?q=japan+oil"))("main").text()).not.toContain("Ignored");
});

test("who has a key signs in from an address whose public views are used up", async () => {
  await using busy = await startApp(bed.database, {
    environment: { IDS_PUBLIC_PAGES: "free", IDS_PLAN_LIMITS: "free=2/-", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const headers = { ...browser, "X-Forwarded-For": "192.0.2.77" };
  const status = async (path: string) => (await busy.get(path, { key: null, headers })).status;
  expect([await status("/status"), await status("/status"), await status("/status")]).toEqual([200, 200, 429]);
  expect(await status("/account")).toBe(200);
});

test("the operator's page leads back after a sign-in, and says of each source what is set and how it was last read", async () => {
  const rejected = await bed.app.get("/operator?cursor=x", { key: null, headers: browser });
  expect(load(await rejected.text())('a[href="/account?to=%2Foperator%3Fcursor%3Dx"]')).toHaveLength(1);
  await using own = await startApp(bed.database, {
    environment: { ACLED_EMAIL: "desk@acme.example", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const { $ } = await (await signedIn(own, "/operator", { plan: "operator" })).view();
  expect($("section:has(#sources) thead").text()).toContain("Where to get it");
  const row = $("section:has(#sources) tbody tr")
    .filter((_, each) => $(each).find("th").text() === "acled")
    .first();
  expect(row.find("[data-label=Settings]").text()).toMatch(/ACLED_EMAIL set.*ACLED_PASSWORD not set/);
  expect(row.find("[data-label='Last read'] time")).toHaveLength(1);
  expect(row.find("[data-label='Last failure']").text()).toBe("none");
  expect(row.find("[data-label=State]").text()).toBe("OK Sample");
  expect($("section:has(#sources) .about").text()).toContain("These are samples: ");
  expect($("section:has(#sources) .provenance .tag.sample").text()).toBe("Sample");
  expect($("main").text()).not.toContain("desk@acme.example");
  await using live = await startApp(bed.database, {
    environment: { IDS_DATA: "live", IDS_TRUSTED_PROXIES: "127.0.0.0/8" },
  });
  const real = (await (await signedIn(live, "/operator", { plan: "operator" })).view()).$("section:has(#sources)");
  expect(real.find("tbody tr").length).toBeGreaterThan(30);
  expect(real.text()).not.toMatch(/sample/i);
});

test("pages say in words what the contract has a name for, without camelCase or snake_case", async () => {
  const names = new Set(
    catalog.flatMap((operation) =>
      tablesOf(operation).flatMap(({ columns }) =>
        columns.flatMap(({ field }) => field?.enum?.values.map(({ name }) => name) ?? []),
      ),
    ),
  );
  expect(names.size).toBeGreaterThan(50);
  const others = ["/", "/countries", "/countries/UA", "/countries/DE", "/chokepoints", "/tenders", "/status", "/plans"];
  const paths = [
    ...datasets.map(({ name }) => `/data/${name}`),
    ...someOf(chokepoints, 4).map(({ id }) => `/chokepoints/${id}`),
    ...[...others, "/series", "/series/risk.score", "/compare?country=DE&country=UA"],
  ];
  const raw = /(?<![\w./@:-])(?:[a-z]+(?:[A-Z][a-z0-9]{2,})+|[a-z]{2,}(?:_[a-z]{2,})+)(?![\w/.@])/;
  for (const path of paths) {
    const $ = await page(path);
    // Names of sources do not change.
    $("code, pre, [data-label=Sources]").remove();
    const cells = $("td, th, dt, dd, caption")
      .toArray()
      .map((cell) => $(cell).text());
    expect(
      cells.filter((cell) => names.has(cell) || raw.test(cell)),
      path,
    ).toEqual([]);
  }
  expect((await page("/data/internet-outages"))("#rows").parent().find("td").text()).toContain("Total");
});
