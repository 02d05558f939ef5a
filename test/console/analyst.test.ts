import { load } from "cheerio";
import { expect, test } from "vitest";
import { yearBefore } from "../../src/console/pages/series/series-views.ts";
import { numberText } from "../../src/console/view/figures.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const answered = (path: string) => bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
const page = async (path: string) => load(await (await answered(path)).text());
type Page = Awaited<ReturnType<typeof page>>;

interface Dependency {
  readonly countryName: string;
  readonly commodity: string;
  readonly tradeRole: string;
}

const dependencies = "/api/supply-chain/v1/get-chokepoint-dependencies?chokepoint_id=hormuz_strait&sort=share";

const tableOf = ($: Page, id: string) =>
  $(`section:has(> #${id}) tbody tr`)
    .toArray()
    .map((row) => {
      const [country = "", commodity = ""] = $(row)
        .find("td, th")
        .toArray()
        .map((cell) => $(cell).text());
      return `${country} ${commodity}`;
    });

test("the page of a chokepoint lists countries that export a commodity apart from those that depend on it", async () => {
  const $ = await page("/chokepoints/hormuz_strait?commodity_id=crude_oil");
  for (const [id, role] of [
    ["dependencies", "net_importer"],
    ["exporters", "net_exporter"],
  ] as const) {
    const path = `${dependencies}&commodity_id=crude_oil&page_size=100&trade_role=${role}`;
    const { dependencies: rows } = await bed.app.json<{ dependencies: Dependency[] }>(path);
    expect(rows.length, id).toBeGreaterThan(3);
    expect(tableOf($, id)).toEqual(
      rows.slice(0, 10).map(({ countryName, commodity }) => `${countryName} ${commodity}`),
    );
  }
  expect(tableOf($, "exporters")).toContain("Saudi Arabia Crude oil");
  expect(tableOf($, "dependencies")).toContain("Japan Crude oil");
  expect($("section:has(> #exporters) .about").text()).toContain("The service has no shares of exports.");
});

test("the page of a chokepoint compares the ships of each month with those of a year before", async () => {
  const { points } = await bed.app.json<{ points: { at: number; value?: number; isPartial: boolean }[] }>(
    "/api/history/v1/get-series?series=chokepoint.transits&keys=suez&from=2020-01-01&interval=month&aggregation=mean",
  );
  const values = new Map(points.map(({ at, value }) => [new Date(at).toISOString().slice(0, 7), value]));
  const last = points.findLast(({ isPartial }) => !isPartial);
  const month = new Date(last?.at ?? 0).toISOString().slice(0, 7);
  const before = values.get(`${Number(month.slice(0, 4)) - 1}${month.slice(4)}`) ?? Number.NaN;
  const change = numberText(Math.abs(((last?.value ?? Number.NaN) / before - 1) * 100));
  const $ = await page("/chokepoints/suez");
  const ships = $("section:has(> #ships)");
  expect(ships.find("p strong").text()).toContain(`${change}%`);
  expect(ships.find("p strong").text()).toContain(`than a year before (${numberText(before)}).`);
  expect(ships.find("thead th").text()).toBe("PeriodShips a dayA year beforeChange over a year%");
  const [present] = ships.find("tbody tr").toArray();
  expect($(present).find("td").last().text(), "the month in progress is not compared").toContain("unknown");
});

test("the pages of chokepoint states and stocks show their rows", async () => {
  for (const [name, path, list] of [
    ["chokepoint-status", "list-chokepoint-status", "chokepoints"],
    ["supply-buffers", "list-supply-buffers", "buffers"],
  ] as const) {
    const response = await bed.app.json<Record<string, unknown[]>>(`/api/supply-chain/v1/${path}`);
    const $ = await page(`/data/${name}`);
    expect($("section:has(> #rows) tbody tr").length).toBe(Math.min(200, response[list]?.length ?? 0));
    expect($("section:has(> #downloads) a[href*='format=csv']").length).toBe(1);
    expect($("main").text()).not.toContain("which no read lists");
  }
});

test("each risk score comes with the number of countries it covers and of its components that had data", async () => {
  const { ciiScores } = await bed.app.json<{ ciiScores: { region: string; components: Record<string, unknown> }[] }>(
    "/api/intelligence/v1/get-risk-scores",
  );
  const coverage = `${ciiScores.length} of 250 countries`;
  const score = ciiScores.find(({ region }) => region === "UA");
  const known = Object.entries(score?.components ?? {}).filter(([name, is]) => name.startsWith("has") && is === true);
  const components = `${known.length} of 4 components`;
  for (const path of ["/countries/UA", "/countries/UA/brief"])
    expect((await page(path))("dl.figures").text(), path).toContain(`${components}, ${coverage}`);
  const ranking = (await page("/countries?q=Ukraine"))("section:has(> #ranking)");
  expect(ranking.text()).toContain(coverage);
  expect(ranking.find("tr:not([hidden]) td[data-label=Risk]").first().text()).toContain(components);
  const home = (await page("/"))("section:has(> #movers)");
  expect(home.text()).toContain(coverage);
  expect(home.find("h3").first().text()).toContain(components);
  expect((await page("/compare?country=UA&country=PL"))("main").text()).toContain(components);
});

test("a brief begins with what changed and why, and names the publishers of its sources", async () => {
  const $ = await page("/countries/UA/brief");
  const [first] = $("main section, main dl.figures").toArray();
  expect($(first).find("h2").text()).toBe("What changed");
  expect($(first).text()).toMatch(/Risk score: In 30 days: .*[A-Z][a-z]+ [+−]?\d/);
  const sources = $("main footer").text();
  expect(sources).toContain("ACLED, ");
  expect(sources).toContain("World Bank");
  const { sources: all } = await bed.app.json<{ sources: { name: string }[] }>("/api/catalog/v1/list-sources");
  for (const { name } of all) if (name.includes("-")) expect(sources).not.toContain(name);
  expect((await page("/countries/TV/brief"))("main section").first().text()).toContain("not covered");
});

test("pages and labels never call sample data live", async () => {
  for (const path of ["/countries/UA", "/data/risk-scores", "/countries/UA/brief"]) {
    const $ = await page(path);
    const cells = $("main :is(dd, td)")
      .toArray()
      .map((each) => $(each).text().trim());
    expect(cells, path).not.toContain("Live");
  }
  expect((await page("/countries/UA"))("#risk ~ .content").text()).toContain("State Department");
  for (const path of ["list-coverage", "list-coverage?format=csv", "list-datasets?format=csv"])
    expect((await bed.app.get(`/api/catalog/v1/${path}`)).headers.get("X-Data-Origin")).toBe("sample");
});

test("the form for counts has country and period, and its results have totals and shares", async () => {
  const form = (await page("/data/conflict-events?country=SD"))("form[action$='#counts']");
  expect(form.find("span.field [name=country]").val()).toBe("SD");
  const start = String(form.find("input[name=start]").val());
  expect(start, "the default is the last 12 months").toBe(
    new Date(yearBefore(testTime.getTime())).toISOString().slice(0, 10),
  );
  const $ = await page("/data/conflict-events?country=SD&by=month&sum=fatalities");
  const counts = $("section:has(> #counts)");
  const path = `/api/conflict/v1/list-conflict-events?country=SD&start=${start}`;
  const counted = await bed.app.json<{ groups: { rows: number; sum: number }[]; totalRows: number }>(
    `/api/catalog/v1/count-rows?${new URLSearchParams({ path, by: "month", sum: "fatalities" })}`,
  );
  const deaths = counted.groups.reduce((all, { sum }) => all + sum, 0);
  expect(counts.text()).toContain(`Total: ${counted.totalRows} rows, ${deaths} fatalities.`);
  expect(counts.text()).toMatch(/Rows are held from .* to .*\. Others are not counted\./);
  const [first] = counted.groups;
  const cell = counts.find("tbody tr").first().find("td").last().text();
  expect(Number(cell)).toBeCloseTo((100 * (first?.sum ?? 0)) / deaths, 1);
  const all = (await page("/data/conflict-events"))("section:has(> #counts)").text();
  expect(all).toMatch(/rows of 2 sources \(ACLED \d+, UCDP \d+\), which differ in what they cover/);
});

test("counts are sorted by a column, and the link in its head leads back to them", async () => {
  const $ = await page("/data/conflict-events?by=country&sum=fatalities&order=-fatalities");
  const counts = $("section:has(> #counts)");
  const head = counts.find("th[aria-sort=descending] a");
  expect(head.attr("href")).toMatch(/order=fatalities#counts$/);
  const column = counts.find("th").index(head.parent());
  const sums = counts.find("tbody tr").map((_, row) => Number($(row).find("td").eq(column).text().replace(",", "")));
  expect(sums.length).toBeGreaterThan(3);
  expect(sums.get()).toEqual([...sums.get()].sort((a, b) => b - a));
});

test("the form of the rows requests an earlier version by day", async () => {
  const field = (await page("/data/conflict-events"))("form.filters [name=as_of]");
  expect([field.attr("type"), field.val()]).toEqual(["date", ""]);
  const first = String(field.attr("min"));
  const past = await page(`/data/conflict-events?as_of=${first}`);
  expect(past("details.more-filters[open] [name=as_of]").val()).toBe(first);
  expect(past("section:has(> #rows) tbody tr").length).toBeGreaterThan(0);
});

test("a time before the first load is answered with since when data are held", async () => {
  const $ = await page("/data/conflict-events?as_of=2020-01-01");
  const rows = $("section:has(> #rows)");
  expect(rows.text()).toMatch(/Versions of conflict events are held since \d+ \w+ \d{4}/);
  const first = rows.find("a:contains('The first version')").attr("href") ?? "";
  expect((await page(first))("section:has(> #rows) tbody tr").length).toBeGreaterThan(0);
  const file = await answered("/export/list-conflict-events?format=csv&as_of=2020-01-01");
  expect(file.status).toBe(400);
  expect(load(await file.text())("h1").text()).toBe("Not held at this time");
  expect((await page("/countries/UA?as_of=2020-01-01"))(".notice").text()).toContain("shows the present only");
  expect((await page("/countries/UA"))(".notice").text()).not.toContain("shows the present only");
});

test("the first hit of a search leads to the answer, or says that there is none", async () => {
  const answers = {
    "gas germany": "/series/gas.country_fill?keys=DE",
    "hormuz oil": "/chokepoints/hormuz_strait?commodity_id=crude_oil#dependencies",
    "closure cost": "/chokepoints/hormuz_strait#closure",
    "cost of closing suez for japan": "/chokepoints/suez?iso2=JP#closure",
    "conflict sudan fatalities by month": "/data/conflict-events?country=SD&by=month&sum=fatalities#counts",
    "who depends on suez": "/chokepoints/suez#dependencies",
    "unemployment france": "/series/macro.unemployment?keys=FR",
    inflation: "/series/macro.inflation",
    inflaton: "/series/macro.inflation",
    "tender it services poland": "/tenders?query=it+services&countries=PL",
    "ukrane risk": "/series/risk.score?keys=UA",
    "resiliance germany": "/series/resilience.score?keys=DE",
    "suez ships": "/series/chokepoint.transits?keys=suez",
    "military bases djibouti": "/data/military-bases?op=ListMilitaryBases&country=DJ#rows",
    "sudan brief": "/countries/SD/brief",
    "gas italy seasonal": "/series/gas.country_fill?keys=IT&view=band",
    "suez ships a year ago": "/series/chokepoint.transits?keys=suez&view=change",
    "bab el-mandeb closure egypt 60 days": "/chokepoints/bab_el_mandeb?iso2=EG&closure_days=60#closure",
    "who exports oil through hormuz": "/chokepoints/hormuz_strait?commodity_id=crude_oil#exporters",
    "wheat stocks egypt": "/data/supply-buffers?op=ListSupplyBuffers&commodity_id=wheat&country_code=EG#rows",
    "tenders by month and country": "/data/global-tenders?by=month&by=country#counts",
    suez: "/chokepoints/suez",
  };
  for (const [q, path] of Object.entries(answers)) {
    const $ = await page(`/search?${new URLSearchParams({ q })}`);
    expect($("main section").first().find("li > p:first-child a").attr("href"), q).toBe(path);
  }
  const none = await page("/search?q=risk+sudan");
  expect(none("main section").first().text()).toContain("No data: Risk score of Sudan");
  expect(none("main section").first().find("a").attr("href")).toBe("/series/risk.score");
  expect((await page("/search?q=weather"))("main").text()).toContain("Nothing found.");
});
