import { type CheerioAPI, load } from "cheerio";
import { sql } from "kysely";
import { expect, test } from "vitest";
import { minuteMs } from "../../src/reference/duration.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";
import { isThorough, someOf } from "../support/thoroughness.ts";

const bed = startBed({ environment: { IDS_PUBLIC_PAGES: "enterprise", IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
const timeout = 120_000;

/** Each view from another address: there are more than one may have. */
let views = 0;
const get = (path: string, headers: Readonly<Record<string, string>> = {}) => {
  views += 1;
  const address = `203.0.113.${views % 200}`;
  return bed.app.get(path, { key: null, headers: { Accept: "text/html", "X-Forwarded-For": address, ...headers } });
};
const page = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
  load(await (await get(path, headers)).text());

const rowsOf = ($: CheerioAPI) => $("#rows").parent();
const fileOf = ($: CheerioAPI) => rowsOf($).find("footer a[href*='format=csv']").attr("href");
const downloadOf = ($: CheerioAPI) => $(".downloads a:contains('CSV')").attr("href");
const shownIn = ($: CheerioAPI) => rowsOf($).find("table.sorts tbody tr").length;
/** The sentence below the table. */
const reportedIn = ($: CheerioAPI) => rowsOf($).find("p.soft.small").last().text();
/** Rows have lines of their own there, whatever is in them. */
const countIn = async (file: string) => {
  const response = await get(file.replace("format=csv", "format=ndjson"));
  expect(response.status, file).toBe(200);
  return (await response.text()).split("\n").filter((line) => line !== "").length;
};

async function tablePages(): Promise<readonly string[]> {
  const list = await page("/data");
  const paths = list("#dataset-list th a")
    .toArray()
    .map((link) => list(link).attr("href") ?? "");
  const found: string[] = [];
  const addTables = async (path: string) => {
    const $ = await page(path);
    const linksOf = (label: string) =>
      $(`nav[aria-label="${label}"] a`)
        .toArray()
        .map((tab) => $(tab).attr("href") ?? "")
        .slice(1);
    found.push(path, ...linksOf("Tables"));
    return linksOf("Reads");
  };
  for (const path of paths) for (const read of await addTables(path)) await addTables(read);
  return found;
}

test("the links to files under a table and in Downloads have the rows of that table, all of them", {
  timeout,
}, async () => {
  let files = 0;
  for (const path of someOf(await tablePages(), 3)) {
    const $ = await page(path);
    const [file, download] = [fileOf($), downloadOf($)];
    if (file === undefined) continue;
    files += 1;
    expect(download, path).toBe(file);
    const [, all = ""] = /^(?:The first \d+ of )?([\d,]+) rows?/.exec(reportedIn($)) ?? [];
    expect(await countIn(file), path).toBe(all === "" ? 0 : Number(all.replaceAll(",", "")));
  }
  expect(files).toBeGreaterThan(isThorough ? 50 : 15);
});

test("a list that is short where nothing is chosen is whole on its page, in its files, its request and the map", async () => {
  const { data } = await bed.app.json<{ data: { macro: { countries: object } } }>(
    "/api/economic/v1/get-country-macro?limit=0",
  );
  const max = Object.keys(data.macro.countries).length;
  const events = await bed.app.json<{ count: number; mappableCount: number }>(
    "/api/research/v1/list-tech-events?limit=200",
  );
  for (const [path, min, count] of [
    ["/data/country-macro", 30, max],
    ["/data/tech-events", 50, events.count],
  ] as const) {
    const $ = await page(path);
    expect(count, path).toBeGreaterThan(min);
    expect([shownIn($), reportedIn($)], path).toEqual([count, expect.stringMatching(`^${count} rows\\.`)]);
    expect(rowsOf($).text(), path).not.toContain("Rows, at most");
    const [, request = ""] = /curl.*"https?:\/\/[^/]+(\/api\/.*?)"/.exec(rowsOf($).find("footer pre").text()) ?? [];
    const name = request.split("/").at(-1);
    expect(fileOf($), path).toBe(`/export/${name}&format=csv`);
  }
  const map = await page("/");
  const layer = map('[aria-label="Table: Layers of the map"] tr:contains("Tech events")');
  expect(layer.find('[data-label="Things"]').text()).toBe(String(events.mappableCount));
  expect(await countIn(layer.find("a[href*='format=csv']").attr("href") ?? "")).toBe(events.count);
});

test("a list that is not whole says so, and where the rest is", async () => {
  const cut = await page("/data/tech-events?limit=5");
  expect(reportedIn(cut)).toContain("5 rows. This is the requested number of rows, and there may be more.");
  expect(rowsOf(cut).find("a:contains('the maximum per request')").attr("href")).toBe("/data/tech-events");
  expect(cut("#downloads").parent().text()).not.toContain("all of it");
  expect(reportedIn(await page("/data/supply-vulnerability"))).toContain("Use filters to find more rows");
  const first = await page("/data/conflict-events?limit=20");
  const { pagination } = await bed.app.json<{ pagination: { totalCount: number } }>(
    "/api/conflict/v1/list-conflict-events?limit=20",
  );
  expect(reportedIn(first)).toContain(`20 rows. All pages together have ${pagination.totalCount}.`);
  const next = await page(rowsOf(first).find("a[rel=next]").attr("href") ?? "");
  expect(rowsOf(next).find("tbody").text()).not.toBe(rowsOf(first).find("tbody").text());
  expect(rowsOf(next).find("nav a:contains('First rows')").attr("href")).toBe("/data/conflict-events?limit=20");
});

test("a link to a file says how much of what is paged it has", async () => {
  const label = async (path: string, block = "rows", headers: Readonly<Record<string, string>> = {}) => {
    const $ = await page(path, headers);
    const link = $(`#${block}`).parent().find("footer a[href*='format=csv']");
    return link.text().replace(/ of .*/, "");
  };
  const { cookie } = await signedIn(bed.app, "/account");
  expect(await label("/data/conflict-events")).toBe("CSV, all rows");
  expect(await label("/data/conflict-events?limit=20")).toBe("CSV, this page");
  expect(await label("/data/conflict-events?limit=20", "rows", { Cookie: cookie })).toBe("CSV, all pages");
  expect(await label("/countries/UA", "conflict")).toBe("CSV, up to 5,000 rows");
  const statuses = "/data/global-tenders?rows=sourceStatuses";
  expect([await label(statuses), await label(statuses, "rows", { Cookie: cookie })]).toEqual(["CSV", "CSV"]);
});

test("on a phone the name of a figure has the unit that stands above its column, and no name has it twice", async () => {
  const css = (await page("/"))("link[rel=stylesheet]").attr("href") ?? "";
  expect(await (await get(css)).text()).toMatch(
    /table\.cards td\[data-unit\][^{]*:before\{content:[^}]*attr\(data-unit\)/,
  );
  for (const [path, name, unit] of [
    ["/data/trade-flows", "Export value", "million USD"],
    ["/data/country-macro", "Inflation", "%"],
    ["/data/shipping-stress", "Price", "USD"],
    ["/data/eu-gas-storage", "Gas", "TWh"],
    ["/data/metal-premiums", "Premium per oz", "USD"],
  ] as const) {
    const $ = await page(path);
    const table = rowsOf($).find("table.sorts");
    const heads = table.find("thead th").toArray();
    const head = heads.findIndex((each) => $(each).find("a").text() === name);
    expect($(heads[head]).find(".unit").text(), path).toBe(unit);
    for (const row of table.find("tbody tr").toArray())
      expect($(row).find("td").eq(head).attr("data-unit"), path).toBe(unit);
  }
  const chart = (await page("/series/gas.country_fill?keys=AT,DE,FR"))("details.as-table table.cards");
  expect(chart.find("thead .unit").length).toBe(3);
  expect(chart.find("tbody td[data-label]").length).toBeGreaterThan(3);
  expect(chart.find("tbody td[data-label]").length).toBe(chart.find("tbody td[data-unit='%']").length);
});

test("a dataset whose rows name no country has no table of countries", async () => {
  const coverage = (await page("/data/metal-premiums"))("#coverage").parent();
  expect(coverage.text()).toMatch(/No country: \d+ rows name none/);
  expect(coverage.find("table")).toHaveLength(0);
});

test("unavailable rows are marked with the reason, don't count as a result, and have no file that would be rejected", async () => {
  const before = await page("/data/metal-premiums");
  expect([shownIn(before), before("header .state").text()]).toEqual([2, "OK"]);
  await sql`update metal_current set premium_pct = premium_pct + 1`.execute(bed.database.kysely);
  bed.app.setTime(new Date(testTime.getTime() + 2 * minuteMs));
  const $ = await page("/data/metal-premiums");
  expect((await get("/export/get-physical-premiums?format=csv")).status).toBe(503);
  const text = $("main").text();
  expect(text).not.toMatch(/Nothing matches|a result of the data/);
  expect(rowsOf($).find(".nothing").text()).toMatch(
    /^Unavailable\..*available: false.*False if they were never loaded/s,
  );
  expect(rowsOf($).find("footer .state").text()).toBe("Unavailable");
  expect($("header .state").text()).toBe("Last read: OKRows: unavailable");
  const links = $("#rows, #downloads").parent().find("a[href^='/export/']").toArray();
  expect(links.map((link) => $(link).attr("href"))).toEqual([expect.stringContaining("format=json")]);
  for (const link of links) expect((await get($(link).attr("href") ?? "")).status).toBe(200);
});

test("that nothing matches filters is said only where some are set", async () => {
  for (const [path, words] of [
    ["/data/military-bases?rows=clusters", "No rows. There are none here. This does not prove"],
    ["/data/supply-buffers?commodity_id=no_such", "No rows. Nothing matches these filters. This does not prove"],
  ] as const) {
    const $ = await page(path);
    expect(rowsOf($).find(".nothing").text(), path).toContain(words);
    expect($("header .state").text(), path).toBe("OK");
  }
});

test("of an answer of several tables each says how many rows it has, shown or not", async () => {
  const $ = await page("/data/military-bases?country=US&zoom=1");
  const tabs = $('nav[aria-label="Tables"] a')
    .toArray()
    .map((link) => $(link).text());
  const [bases = 0, clusters = 0] = tabs.map((tab) => Number(/\((\d+)\)$/.exec(tab)?.[1]));
  expect(bases).toBe(shownIn($));
  expect(clusters).toBe(shownIn(await page("/data/military-bases?country=US&zoom=1&rows=clusters")));
  expect(clusters).toBeGreaterThan(0);
});

test("what lies in a box is shown of the whole world, whatever else is asked for, unless a box is", {
  timeout,
}, async () => {
  const country = await page("/countries/US");
  const list = country("#bases").parent().find("a:contains('All rows')").attr("href") ?? "";
  expect(list).toMatch(/^\/data\/military-bases\?.*country=US/);
  const ofCountry = await page(list);
  const counted = Number(country("#bases").parent().find("dd").first().text().trim());
  expect(counted).toBeGreaterThan(0);
  expect(shownIn(ofCountry)).toBe(Math.min(counted, 200));
  expect(shownIn(await page("/data/military-bases?kind=airfield"))).toBeGreaterThan(0);
  const box = "ne_lat=50&ne_lon=10&sw_lat=49&sw_lon=9&zoom=22";
  expect(shownIn(await page(`/data/military-bases?${box}`))).toBeLessThan(shownIn(await page("/data/military-bases")));
});

test("a country's page leads to all of its commodities, and an unknown read is a 404", {
  timeout,
}, async () => {
  const country = await page("/countries/DE");
  const all = country("#vulnerabilities").parent().find("a:contains('All rows')").attr("href") ?? "";
  const $ = await page(all);
  expect($("nav[aria-label='Reads'] [aria-current]").text()).toContain("Get country vulnerabilities");
  expect(shownIn($)).toBe(23);
  expect((await get("/data/supply-vulnerability?op=get-country-vulnerabilities")).status).toBe(404);
});

test("a list that is cut because a request returns no more does not say that no more was asked for", {
  timeout,
}, async () => {
  const path = "/data/supply-vulnerability?op=ListVulnerabilityRankings";
  expect(reportedIn(await page(`${path}&page_size=100`))).toContain("the maximum per request");
  expect(reportedIn(await page(`${path}&page_size=10`))).toContain("the requested number of rows");
});

test("a file of a map layer contains the rows of the map, and counts those without a place", {
  timeout,
}, async () => {
  const $ = await page("/?layer=military-bases&layer=tech-events");
  const layer = (title: string) => $(`table tr:has(th:contains('${title}'))`);
  expect(layer("Military bases").find("a:contains('JSON')")).toHaveLength(1);
  const events = layer("Tech events");
  const [, unplaced = ""] = /with (\d+) more that have no place/.exec(events.text()) ?? [];
  const shown = Number.parseInt(events.find("[data-label='Things']").text(), 10);
  expect(await countIn(events.find("a:contains('CSV')").attr("href") ?? "")).toBe(shown + Number(unplaced));
});
