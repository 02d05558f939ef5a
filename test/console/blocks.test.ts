import { load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("a dataset is filtered by every spelling of a country, and an unknown country is named with the rule", async () => {
  const rows = async (query: string) => (await page(query))("main").text();
  const outages = "/data/internet-outages?country";
  expect((await page(`${outages}=Syria`))("tbody").text()).toBe((await page(`${outages}=SY`))("tbody").text());
  expect((await page("/data/global-tenders?countries=uk,de"))("tbody").text()).toBe(
    (await page("/data/global-tenders?countries=GB,DE"))("tbody").text(),
  );
  for (const query of ["/data/conflict-events?country=ZZ", "/data/global-tenders?countries=UK,de,ZZ"])
    expect(await rows(query)).toContain("value must be a country: ISO 3166-1");
  expect((await page("/data/conflict-events?country=AX"))(".nothing").text()).toMatch(/No row of Åland.* is held/);
});

test("the page explains next to a score how reliable it is, in the words of the ranking", async () => {
  const ranking = await page("/countries");
  for (const code of ["YE", "KP", "TW", "UA"]) {
    const note = ranking(`#countries tr:has(a[href="/countries/${code}"]) [data-label=Level]`).text();
    const remark = (await page(`/countries/${code}`))("dl.figures div:contains('Resilience') small").text();
    expect(remark.split(" in 30 days, ").at(-1), code).toBe(note);
  }
});

test("the files of open tenders have all rows that are counted, as far as one page goes", async () => {
  for (const code of ["UA", "US"]) {
    const $ = await page(`/countries/${code}`);
    const block = $("#tenders").parent();
    const counted = Number.parseInt(block.find(".content").text().replace(/\D+/, ""), 10);
    const fileOf = async (format: string) =>
      (await bed.app.get(block.find(`footer a[href*="format=${format}"]`).attr("href") ?? "", { key: null })).text();
    expect((await fileOf("csv")).trim().split("\n").length - 1, code).toBe(counted);
    expect(JSON.parse(await fileOf("json")).tenders, code).toHaveLength(counted);
  }
});

test("a list that is paged leads on, and back to its first page", async () => {
  for (const path of ["/tenders?page_size=5&query=road", "/data/global-tenders?page_size=5"]) {
    const first = await page(path);
    expect(first('nav a:contains("First")'), path).toHaveLength(0);
    const second = await page(first("a[rel=next]").attr("href") ?? "");
    expect(second('nav a:contains("First")').attr("href"), path).toBe(path);
  }
});

test("a rejected search cannot be saved as an alert, and its field is marked", async () => {
  const $ = await page("/tenders?query=road&min_value=abc");
  expect([$("main").text().includes("Save this search"), $("#filter-min_value").attr("aria-invalid")]).toEqual([
    false,
    "true",
  ]);
});

test("who is not signed in reads what alerts are", async () => {
  const alerts = await page("/alerts");
  expect(alerts("main .lead").text()).toContain("a rule says what to look for");
  // A risk score is an integer.
  expect(alerts("pre").text()).toMatch(/risk\.score UA: \d+, before \d+ \(above 70\)/);
});

test("tenders of countries without data are reported as unknown, and a code that isn't a country is named", async () => {
  const found = async (countries: string) => {
    const $ = await page(`/tenders?countries=${countries}`);
    const block = $("#results").parent();
    return [$("#results").text(), block.find(".state").last().text(), block.find(".nothing, .caution").text()];
  };
  const [title, state, text] = await found("AX");
  expect([title, state]).toEqual(["Notices", "Not covered"]);
  expect(text).toContain("so their number is unknown");
  expect((await page("/tenders?countries=QQ"))("main").text()).toContain("value must be a country");
  const [some, partly, caution] = await found("FR,AX");
  expect([some, partly]).toEqual([expect.stringMatching(/^\d+ open notices$/), "Incomplete"]);
  expect(caution).toContain("No source has an open notice of some of these countries");
  expect(await found("FR")).toEqual([expect.stringMatching(/^\d+ open notices$/), "Current", ""]);
});

test("the page shows the default filters above its rows, until the user sets them", async () => {
  const events = await page("/data/conflict-events");
  const reported =
    "Default filters: Start: the start of the UTC day 30 days ago, or 30 days before an earlier end; End: the end of the current UTC day";
  expect(events("main").text()).toContain(reported);
  expect(events("#filter-sort option").first().text()).toBe("Newest (default)");
  const chosen = await page("/data/conflict-events?start=2026-11-01&end=2026-11-02&limit=10");
  expect(chosen("main").text()).not.toContain("Where nothing is chosen");
  expect((await page("/data/trade-flows"))("main").text()).toContain("Reporting country: 840, the United States");
  expect((await page("/data/supply-vulnerability"))("main").text()).toContain("Rows, at most: 25");
  expect((await page("/data/eu-gas-storage"))("main").text()).not.toContain("Where nothing is chosen");
});

test("a link to a file says whether it has a page or all, to who may have all", async () => {
  const label = ($: Awaited<ReturnType<typeof page>>) =>
    $("#results").parent().find("footer a[href*='format=csv']").text();
  expect(label(await page("/tenders"))).toMatch(/^CSV, this page/);
  const { view } = await signedIn(bed.app, "/tenders");
  expect(label((await view()).$)).toMatch(/^CSV, all pages/);
});

test("every value behind a score is one step from it, and columns that read alike say what they are of", async () => {
  const country = await page("/countries/UA");
  const links = country('a:contains("Every value behind it")').toArray();
  const paths = links.map((link) => country(link).attr("href") ?? "");
  expect(paths).toEqual([
    "/data/risk-scores?op=GetRiskScoreExplanation&region=UA#rows",
    "/data/resilience-scores?op=GetResilienceScoreExplanation&country_code=UA#rows",
  ]);
  for (const path of paths) {
    const $ = await page(path);
    const heads = $("th a")
      .toArray()
      .map((head) => $(head).text());
    expect(heads.length, path).toBeGreaterThan(5);
    expect(new Set(heads).size, path).toBe(heads.length);
    // The country is the same in all rows, so it is named once above the table.
    expect($("#rows ~ .content .facts-list dt").first().text(), path).toMatch(/^(Country|Region)$/);
    expect($("#rows ~ .content .facts-list a[href='/countries/UA']"), path).toHaveLength(1);
  }
});

test("the service's report of its own state is current, from its own records, and its file has the rows shown", async () => {
  for (const [path, id] of [
    ["/", "datasets"],
    ["/status", "datasets"],
    ["/data/conflict-events", "freshness"],
  ] as const) {
    const footer = (await page(path))(`#${id}`).parent().find("footer");
    expect(footer.text(), `${path} ${id}`).toMatch(/As of .*\d+ \w+ \d{4}[\s\S]*Source: this service/);
  }
  const status = await page("/status");
  const sources = status("#sources").parent().find("footer a[href*='format=csv']").attr("href") ?? "";
  expect(sources).toMatch(/^\/export\/list-sources\?/);
  expect(status("#sources").parent().find("tbody tr").length).toBeGreaterThan(50);
});

test("the small lines of the chokepoints have their values in a table", async () => {
  const table = (await page("/chokepoints"))("details.as-table table");
  expect([table.find("thead th").length, table.find("tbody tr").length > 5]).toEqual([14, true]);
});

test("the order of a column outlives the filter form, and the page says that it sorts only this page", async () => {
  const sorted = await page("/data/conflict-events?country=UA&sort=oldest&order=-fatalities");
  const block = sorted("#rows").parent();
  expect(block.find("form.filters input[type=hidden][name=order]").attr("value")).toBe("-fatalities");
  const note = block.find("p:contains('Sorted on this page only')");
  expect(note.text()).toMatch(/files and the curl line keep the order of the API, which the Sort filter sets/);
  expect(note.find("a").attr("href")).toBe("/data/conflict-events?country=UA&sort=oldest");
  // The files and the request use the order of the API.
  const files = block.find("footer a[href^='/export/']").toArray();
  expect(files.map((file) => sorted(file).attr("href"))).toEqual([
    expect.stringMatching(/sort=oldest.*format=csv/),
    expect.stringMatching(/sort=oldest.*format=xlsx/),
    expect.stringMatching(/sort=oldest.*format=json/),
    expect.stringMatching(/sort=oldest.*cite=text/),
  ]);
  expect(block.find("footer pre").text()).toContain("sort=oldest");
  for (const query of ["", "?order=-nothing"]) {
    const $ = await page(`/data/conflict-events${query}`);
    expect([$("form.filters [name=order]").length, $("main").text().includes("Sorted on this page")], query).toEqual([
      0,
      false,
    ]);
  }
  expect((await page("/data/internet-outages?order=country"))("#rows").parent().text()).not.toContain("Sort filter");
});

test("what a chart compares is named as people name it, also to be removed", async () => {
  const names = async (path: string) => {
    const $ = await page(path);
    return $("ul[aria-label='Remove a line'] a")
      .toArray()
      .map((link) => $(link).text());
  };
  expect(await names("/series/risk.score?keys=UA,PL,ZZ")).toEqual([
    "Remove Ukraine ×",
    "Remove Poland ×",
    "Remove ZZ ×",
  ]);
  expect(await names("/series/chokepoint.disruption?keys=suez,hormuz_strait")).toEqual([
    "Remove Suez Canal ×",
    "Remove Strait of Hormuz ×",
  ]);
});

test("a chart without a point is not called current", async () => {
  const state = async (query: string) => {
    const chart = (await page(`/series/risk.score?${query}`))("#chart").parent();
    return [chart.find("footer .state").text(), chart.find("footer a[href^='/export/']").length];
  };
  expect(await state("keys=ZZ")).toEqual(["No values", 0]);
  expect(await state("keys=UA&from=2001-01-01&to=2001-02-01")).toEqual(["No values", 0]);
  expect(await state("keys=UA,ZZ")).toEqual(["Current", 4]);
});
