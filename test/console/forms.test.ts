import { load } from "cheerio";
import { expect, test } from "vitest";
import { startApp, testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";
import { signedIn } from "../support/console/signed-in.ts";

const environment = { IDS_TRUSTED_PROXIES: "127.0.0.0/8", IDS_PUBLIC_PAGES: "enterprise" };
const bed = startBed({ environment });

async function page(path: string, app: typeof bed.app = bed.app) {
  return load(await (await app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
}

interface Tenders {
  readonly total: number;
  readonly tenders: readonly { readonly countryCode: string; readonly deadline: string; readonly source: string }[];
}

const tendersOf = (query: string) => bed.app.json<Tenders>(`/api/economic/v1/list-global-tenders?${query}`);

test("the search of tenders proposes the countries that have notices, and removes each chosen one", async () => {
  const $ = await page("/tenders?countries=Germany&countries=FR&query=road&cursor=");
  const chosen = $("input[type=hidden][name=countries]").toArray();
  expect(chosen.map(({ attribs }) => attribs.value)).toEqual(["DE", "FR"]);
  const removed = $('ul[aria-label="Remove a country"] a:contains("Germany")').attr("href");
  expect(removed).toBe("/tenders?query=road&countries=FR");
  const proposed = $("datalist#filter-countries-known option");
  const { coverage } = await bed.app.json<{ coverage: { country: string; rows: number }[] }>(
    "/api/catalog/v1/list-coverage?dataset=global-tenders",
  );
  const others = coverage.filter(({ country }) => !["", "DE", "FR"].includes(country));
  expect(proposed).toHaveLength(others.length);
  const poland = others.find(({ country }) => country === "PL")?.rows ?? 0;
  expect(proposed.filter("[value=Poland]").text()).toBe(`${poland} notices`);
  const wrong = await page("/tenders?countries=FR,Atlantis");
  expect(wrong("#filter-countries").attr()).toMatchObject({ value: "Atlantis", "aria-invalid": "true" });
});

test("a notice names its portal, has no word of the source for open, and emphasizes a deadline in 7 days", async () => {
  const query = "source=contracts-finder&sort=closing_soon";
  const $ = await page(`/tenders?${query}`);
  const { tenders } = await tendersOf(query);
  const soon = tenders.filter(({ deadline }) => Date.parse(deadline) - testTime.getTime() < 7 * 86_400_000);
  const rows = $("ul.rows > li").slice(0, tenders.length);
  expect(rows.find("p.soft > strong")).toHaveLength(soon.length);
  expect(soon.length).toBeGreaterThan(0);
  for (const row of rows.toArray()) {
    expect($(row).find("p.soft").text()).toContain("UK Contracts Finder");
    expect($(row).find("p.soft").text()).not.toMatch(/contracts-finder|Active|Open/);
  }
  expect($("#results").text()).toMatch(/ open notices$/);
  expect($("#filter-source option[selected]").text()).toBe("UK Contracts Finder");
});

test("a search for several categories says that it takes one", async () => {
  const $ = await page("/tenders?category=72,48");
  expect([$("#results").text(), $(".nothing").text()]).toEqual([
    "Notices",
    "One category only. A search has one category. Search for one of them: 72, 48",
  ]);
  expect($(".nothing a").first().attr("href")).toBe("/tenders?category=72");
  const fewer = (await page("/tenders?query=zebra+software"))('main a[href="/tenders?query=software"]');
  expect(fewer.text()).toMatch(/^without “zebra” \(\d+\)$/);
  expect((await page("/tenders?category=no-such-category"))(".nothing").text()).toContain("No notice.");
});

test("a search by amount says which currencies are compared, or how many notices in others it leaves out", async () => {
  const about = async (query: string) => (await page(`/tenders?${query}`))("#results ~ .about").text();
  expect(await about("min_value=1000&page_size=100")).toMatch(
    /^Amounts are compared without conversion\. On this page: .*EUR \(\d+\)/,
  );
  expect(await about("sort=estimated_value")).toContain("compared without conversion");
  const [all, euros] = await Promise.all(
    ["", "&currency=EUR"].map((currency) =>
      bed.app.json<{ total: number }>(`/api/economic/v1/list-global-tenders?min_value=1000${currency}`),
    ),
  );
  const any = await bed.app.json<{ total: number }>("/api/economic/v1/list-global-tenders");
  const [others, without] = [(all?.total ?? 0) - (euros?.total ?? 0), (any.total ?? 0) - (all?.total ?? 0)];
  expect((await about("min_value=1000&currency=EUR")).trim()).toBe(
    `Of the same search: ${others} more in other currencies, since amounts are not converted. ${without} more state no amount, or one outside of the limits.`,
  );
  expect(await about("min_value=1000&currency=XAU&countries=PL")).toContain("in other currencies");
  expect((await about("query=road")).trim()).toBe("");
});

test("a form without filters is brief on a phone, and one with filters shows them", async () => {
  expect((await page("/tenders?query=road"))("form.brief + .after-filters nav")).toHaveLength(1);
  for (const query of ["countries=FR", "currency=EUR"])
    expect((await page(`/tenders?${query}`))("form.brief"), query).toHaveLength(0);
});

test("a comparison has trade, tariffs, military spending, and bases, each with its year", async () => {
  const $ = await page("/compare?countries=PL,JP");
  const cells = (label: string) =>
    $(`#figures ~ * th[scope=row]:contains("${label}")`)
      .closest("tr")
      .find("td")
      .toArray()
      .map((cell) => $(cell).text());
  for (const label of ["Exports of goods", "Imports of goods", "Average tariff", "Military spending, % of GDP"])
    expect(cells(label), label).toEqual([expect.stringMatching(/\d.*20\d\d/), expect.stringMatching(/\d.*20\d\d/)]);
  expect(cells("Military bases")).toHaveLength(2);
});

test("countries of a comparison can be one list, and figures are in groups with the parts of resilience folded", async () => {
  const $ = await page("/compare?countries=UA,Poland");
  expect($("section:has(#figures) thead th.number").text()).toBe("UkrainePoland");
  const headings = $("th[scope=rowgroup]").toArray();
  expect(headings.map((each) => $(each).contents().first().text().trim())).toEqual([
    "Security",
    "Resilience",
    "Economy",
  ]);
  const resilience = $("tbody:has(details)");
  expect(resilience.find("details:not([open]) > summary").text()).toBe("Pillars and domains");
  expect(resilience.find("tr").length).toBeGreaterThan(7);
});

test("a comparison without countries offers three that work", async () => {
  const $ = await page("/compare");
  const links = $("nav[aria-label=Comparisons] a").toArray();
  expect(links).toHaveLength(3);
  for (const { attribs } of links) expect((await page(attribs.href ?? ""))("#figures"), attribs.href).toHaveLength(1);
});

test("a series of countries is added to a comparison with its last values, and removed", async () => {
  const query = "country=UA&country=PL&series=macro.gdp_per_capita&series=vulnerability.score";
  const $ = await page(`/compare?${query}`);
  const group = $("tbody:has(th:contains('GDP per capita'))");
  const { points } = await bed.app.json<{ points: { key: string; value: number }[] }>(
    "/api/history/v1/get-series?series=macro.gdp_per_capita&keys=UA,PL&interval=latest",
  );
  const value = (code: string) => points.find(({ key }) => key === code)?.value ?? Number.NaN;
  const cells = group.find("td").toArray();
  for (const [place, code] of ["UA", "PL"].entries())
    expect(Number.parseFloat($(cells[place]).text().replace(",", ""))).toBeCloseTo(value(code), 0);
  expect($(cells[0]).find("small").text()).toMatch(/^2026, estimate or forecast$/);
  expect(group.find("a:contains(Chart)").attr("href")).toBe("/series/macro.gdp_per_capita?keys=UA,PL");
  expect(group.find("a:contains(Remove)").attr("href")).toBe(
    "/compare?country=UA&country=PL&series=vulnerability.score",
  );
  expect($("tbody:has(th:contains('Vulnerability score')) tr").length).toBeGreaterThan(5);
  expect($("form input[type=hidden][name=series]")).toHaveLength(2);
  const wrong = await page("/compare?country=UA&series=chokepoint.transits&series=%3Cb%3E");
  expect(wrong("[role=alert]").html()).toBe(
    "Not a series of countries: chokepoint.transits. Not a series of countries: &lt;b&gt;",
  );
});

test("a page names the parameters that it does not use, but not those of trackers", async () => {
  const unused = async (path: string) => (await page(path))("body > aside.notice").text();
  expect(await unused("/tenders?value_min=1000000&query=road")).toBe("Not used: value_min");
  expect(await unused("/status?utm_source=x&gclid=1&fbclid=2")).toBe("");
  expect(await unused("/countries/UA?a=1&a=2&%3Cb%3E=1&c=&d=&e=&f=&g=")).toBe("Not used: a, <b>, c, d, e");
  expect(await unused(`/series?${"x".repeat(500)}=1`)).toBe(`Not used: ${"x".repeat(40)}…`);
  for (const path of ["/alerts?threshhold=1", "/account?threshhold=1", "/watchlist?threshhold=1"])
    expect(await unused(path), path).toBe("Not used: threshhold");
  expect(await unused("/alerts?watch=series&series=risk.score&keys=UA&threshold=70&direction=above")).toBe("");
  expect(await unused("/account?to=%2Falerts&failed=1")).toBe("");
  expect((await page("/tenders?embed=1&value_min=1"))(".notice")).toHaveLength(0);
});

test("no link of a page has a parameter that its target does not use", async () => {
  const from = ["/", "/countries", "/countries/UA", "/compare?country=UA", "/series/risk.score", "/tenders?query=road"];
  const paths = new Set<string>();
  for (const path of [...from, "/data/conflict-events", "/chokepoints/suez", "/search?q=Ukraine"])
    for (const { attribs } of (await page(path))("a[href^='/'][href*='?']").toArray())
      if (!/^\/(api|export|docs)\b/.test(attribs.href ?? "")) paths.add(attribs.href ?? "");
  const kinds = Map.groupBy(paths, (path) => path.replaceAll(/=[^&#]*/g, "=").replace(/\/[^/?]*\?/, "/*?"));
  expect(kinds.size).toBeGreaterThan(15);
  for (const [path = ""] of kinds.values()) expect((await page(path))("body > aside.notice").text(), path).toBe("");
});

test("a visitor reads what alerts are, with examples and a report, before the field for the key", async () => {
  const $ = await page("/alerts");
  expect($("h1").text()).toBe("Alerts");
  expect($("#key").closest("form").prevAll("ul").find("li")).toHaveLength(2);
  expect($("#key").closest("form").prevAll("pre").text()).toContain("past the threshold");
  expect($("details:not([open]) > summary:contains('For the operator')")).toHaveLength(1);
  expect($("main .lead").text()).toContain("Reports arrive as a feed or webhook. This service sends no e-mail.");
  expect((await page("/account"))("h1").text()).toBe("Sign in");
});

test("a button signs in with a published demo key, without a script", async () => {
  const demoKeys = [{ key: await bed.app.key("free"), tier: 0, scopes: [] }];
  await using app = await startApp(bed.database, { environment, demoKeys });
  const $ = await page("/alerts?watch=tenders", app);
  const form = $("form:has(button:contains('Use this key'))").first();
  const key = form.find("[name=key]").attr("value") ?? "";
  expect(form.find("[name=to]").attr("value")).toBe("/alerts?watch=tenders");
  const { view } = await signedIn(app, "/alerts", { with: key });
  expect((await view()).$("#rules")).toHaveLength(1);
});

test("a new rule is first a threshold, and rare fields are folded behind a dry run that comes first", async () => {
  const { view } = await signedIn(bed.app, "/alerts");
  const { $ } = await view();
  const tabs = $('ul[aria-label="What to watch"] a');
  expect(tabs.first().attr("aria-current")).toBe("true");
  expect(tabs.toArray().map(({ attribs }) => /watch=(\w+)/.exec(attribs.href ?? "")?.[1])).toEqual([
    ...["series", "tenders", "watchlist", "changes", "staleness"],
  ]);
  const buttons = $("section:has(#rule) .buttons button").toArray();
  expect(buttons.map((each) => $(each).text())).toEqual(["Dry run", "Create rule"]);
  const changes = (await view("?watch=changes")).$;
  expect(changes("details.more-filters:not([open]) [name=condition]")).toHaveLength(1);
  expect(changes("details.more-filters:not([open]) [name=kinds]").length).toBeGreaterThan(3);
  const filled = (await view("?watch=changes&kinds=appeared")).$;
  expect(filled("details.more-filters[open] [name=kinds]:checked")).toHaveLength(1);
  expect((await view("?watch=watchlist")).$("button[value=preview-rule]:not(.actions button)")).toHaveLength(0);
});

test("an address that is too long says that its parameters were not used", async () => {
  const short = await page(`/tenders?countries=DE&query=${"x".repeat(1900)}`);
  expect(short("[role=alert]").text()).toBe("");
  const long = await page(`/tenders?countries=DE&query=${"x".repeat(2000)}`);
  expect(long("[role=alert]").text()).toContain("The address is too long, so its parameters were not used.");
});

test("a parameter that occurs twice is searched with both values", async () => {
  const $ = await page("/tenders?category=72&category=48");
  expect($("#results ~ .content").text()).toContain("One category only.");
  const both = await page("/tenders?countries=DE&countries=FR");
  expect(both("ul[aria-label='Remove a country']").text()).toContain("France");
});

test("a comparison names the countries and series that it leaves out", async () => {
  const many = await page("/compare?countries=UA,PL,DE,FR,IT");
  expect(many("[role=alert]").text()).toBe("Compared are the first 4 of 5 countries");
  const $ = await page("/compare?countries=TR,EG&series=risk.score,macro.inflation");
  expect($("[role=alert]").text()).toBe("");
  expect($("th[scope=rowgroup]").text()).toMatch(/inflation/i);
});

test("a country without events in both periods does not say that none are held", async () => {
  const text = (await page("/countries/PL"))("main").text();
  expect(text).not.toContain("no earlier period held");
});
