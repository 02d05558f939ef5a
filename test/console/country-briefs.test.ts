import { load } from "cheerio";
import { expect, test } from "vitest";
import { dayMs } from "../../src/reference/duration.ts";
import { testTime } from "../support/app.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());

test("a brief has the key figures of the API, the charts, and the names of its sources", async () => {
  const $ = await page("/countries/UA/brief");
  const brief = await bed.app.json<{
    conflict: { events: number; fatalities: number };
    macro: { prices: { inflationPct: number } };
  }>("/api/country/v1/get-country-brief?country_code=UA");
  const figures = new Map(
    $("dl.figures > div")
      .toArray()
      .map((each) => [$(each).find("dt").text(), $(each).find("dd").text()]),
  );
  expect(figures.get("Conflict events, 30 days")).toMatch(new RegExp(`^${brief.conflict.events} \\(`));
  expect(figures.get("Reported deaths, 30 days")).toMatch(new RegExp(`^${brief.conflict.fatalities} \\(`));
  expect(figures.get("Inflation")).toContain(`${brief.macro.prices.inflationPct}%`);
  expect($("svg.chart, figure.chart svg").length).toBeGreaterThanOrEqual(2);
  expect($("main footer").text()).toMatch(/Sources: .*UCDP/);
  expect($("main").text()).toContain("all values are invented");
});

test("a brief names only the sources of what it has, and the parts that only the page of the country has", async () => {
  const $ = await page("/countries/UA/brief");
  const [others, sources] = $("main footer p").toArray();
  expect($(others).text()).toBe("Not on this page: open tenders. See Ukraine.");
  expect($(others).find("a").attr("href")).toBe("/countries/UA");
  expect($(sources).text()).toMatch(/SIPRI, OpenStreetMap.*\bIMF\b/);
  const ofTenders = (await page("/countries/UA"))("section:has(> #tenders) .provenance").text();
  expect(ofTenders).toMatch(/\bTED\b/);
  expect($(sources).text()).not.toMatch(/\bTED\b/);
});

test("a brief has the figures of a comparison, with their year or the reason why they are unknown", async () => {
  const figuresOf = async (code: string) => {
    const items = (await page(`/countries/${code}/brief`))("dl.figures > div").toArray();
    return new Map(items.map((each) => [load(each)("dt").text(), load(each)("dd").text().trim()]));
  };
  const labels = [
    "Military bases",
    "Military spending, % of GDP",
    "Exports of goods",
    "Imports of goods",
    "Average tariff",
  ];
  const compared = await page("/compare?countries=TW,UA,TV,AQ");
  for (const [place, code] of ["TW", "UA", "TV", "AQ"].entries()) {
    const figures = await figuresOf(code);
    for (const label of labels) {
      const cell = compared(`tr:has(th:contains('${label}')) td`).eq(place).text();
      const text = figures.get(label);
      if (cell.startsWith("–")) expect(text, `${code} ${label}`).toMatch(/^– (?:Not covered|No value in the sources)$/);
      else expect(text, `${code} ${label}`).toBe(cell);
    }
  }
  const taiwan = await figuresOf("TW");
  expect(taiwan.get("Exports of goods")).toMatch(/^\$[\d.]+B 20\d\d$/);
  expect(taiwan.get("Military spending, % of GDP")).toBe("– No value in the sources");
  expect((await page("/countries/TW/brief"))("main footer").text()).toContain("Not on this page: defense. See Taiwan.");
});

test("a brief under another name of the country moves to its code, and an unknown country is a 404", async () => {
  const moved = await fetch(`${bed.app.url}/countries/Ukraine/brief`, { redirect: "manual" });
  expect([moved.status, moved.headers.get("Location")]).toEqual([303, "/countries/UA/brief"]);
  expect((await bed.app.get("/countries/Atlantis/brief", { key: null })).status).toBe(404);
});

test("up to four countries are compared with the values of the API, and unknown values are dashes", async () => {
  const $ = await page("/compare?country=UA&country=Poland&country=TV&country=SA&country=FR");
  const heads = $("#figures ~ .wide th[scope=col], section:has(#figures) th[scope=col]").toArray();
  expect(new Set(heads.map((head) => $(head).text()))).toEqual(
    new Set(["Figure", "Ukraine", "Poland", "Tuvalu", "Saudi Arabia"]),
  );
  const row = $("section:has(#figures) tr:contains('Risk, 0 to 100')");
  const { ciiScores } = await bed.app.json<{ ciiScores: readonly { region: string; combinedScore: number }[] }>(
    "/api/intelligence/v1/get-risk-scores",
  );
  const scores = new Map(ciiScores.map(({ region, combinedScore }) => [region, combinedScore]));
  const cells = row
    .find("td")
    .toArray()
    .map((cell) => $(cell).text());
  expect(cells.slice(0, 2)).toEqual(["UA", "PL"].map((code) => `${scores.get(code)} 2 of 4 components`));
  expect(cells[2]).toMatch(/^–/);
  expect($("main").text()).toContain("Not covered: Tuvalu");
});

test("each row of a comparison that has a series links to a chart with a line for each country", async () => {
  const $ = await page("/compare?country=DE&country=FR&country=JP");
  const rows = $("table.compared th[scope=row]").toArray();
  const hrefs = new Map(
    rows.map((row) => [$(row).find("a").contents().first().text() || $(row).text(), $(row).find("a").attr("href")]),
  );
  const ofCountries = (id: string) => `/series/${id}?keys=DE,FR,JP`;
  const expected = {
    "Risk, 0 to 100": ofCountries("risk.score"),
    "Resilience, 0 to 100": ofCountries("resilience.score"),
    "Resilience pillar, recovery capacity":
      "/series/resilience.pillar?keys=DE/recovery-capacity,FR/recovery-capacity,JP/recovery-capacity",
    "Resilience domain, economic": "/series/resilience.domain?keys=DE/economic,FR/economic,JP/economic",
    Inflation: ofCountries("macro.inflation"),
    "Exports of goods": ofCountries("trade.exports"),
    "Imports of goods": ofCountries("trade.imports"),
    "Average tariff": ofCountries("tariff.rate"),
  };
  expect(Object.fromEntries(hrefs)).toMatchObject({ ...expected, "Military bases": undefined, Population: undefined });
  for (const [label, path] of Object.entries(expected)) {
    const lines = (await page(path))(".curves g[data-key]").toArray();
    const countries = new Set(lines.map(({ attribs }) => attribs["data-key"]?.split("/")[0]));
    expect(countries, label).toEqual(new Set(label === "Average tariff" ? ["EU", "JP"] : ["DE", "FR", "JP"]));
  }
});

test("a member of the European Union has the tariff of the Union in a series that is added to a comparison", async () => {
  const cells = (await page("/compare?countries=DE,JP&series=tariff.rate"))("tbody:has(th:contains('Tariff rate')) td");
  const { points } = await bed.app.json<{ points: { key: string; value: number }[] }>(
    "/api/history/v1/get-series?series=tariff.rate&keys=DE,JP&interval=latest",
  );
  const shown = cells.map((_, { children }) => Number(load(children).root().contents().first().text())).get();
  expect(shown).toEqual(["EU", "JP"].map((code) => points.find(({ key }) => key === code)?.value));
});

test("a country keeps its color in all charts of a comparison, also in one without another country", async () => {
  const $ = await page("/compare?countries=UA,SD,DE");
  const colorsOf = (chart: string) =>
    $(`section:has(#${chart}) .curves g`)
      .toArray()
      .map((line) => [$(line).attr("data-key"), $(line).attr("class")]);
  const legend = $("section:has(#risk-score) .legend li").toArray();
  expect(colorsOf("risk-score")).toEqual([
    ["UA", "s1"],
    ["DE", "s3"],
  ]);
  expect(legend.map((item) => $(item).attr("class"))).toEqual(["s1", "s3"]);
  expect(colorsOf("resilience-score")).toContainEqual(["DE", "s3"]);
});

test("a comparison says which names are not countries, and without a choice shows only the form", async () => {
  const wrong = await page("/compare?country=Atlantis&country=UA");
  expect(wrong("[role=alert]").text()).toBe("Not a country: Atlantis");
  expect(wrong("section:has(#figures) th[scope=col]").length).toBe(2);
  const none = await page("/compare");
  expect([none("main table").length, none("main form select").length]).toEqual([0, 5]);
});

interface Explained {
  readonly pillars: readonly (Part & {
    readonly domains: readonly (Part & { readonly dimensions: readonly Dimension[] })[];
  })[];
}

interface Part {
  readonly id: string;
  readonly score: number;
  readonly coverage: number;
}

interface Dimension {
  readonly retired: boolean;
  readonly indicators: readonly { readonly value?: number; readonly inputs: readonly { readonly period: string }[] }[];
}

const explained = (code: string) =>
  bed.app.json<Explained>(`/api/resilience/v1/get-resilience-score-explanation?country_code=${code}`);

test("a comparison has every pillar and domain of the resilience score side by side", async () => {
  const codes = ["PL", "RO", "HU"];
  const $ = await page(`/compare?${codes.map((code) => `country=${code}`).join("&")}`);
  const rows = $("section:has(#figures) tr:has(th:contains('Resilience pillar'), th:contains('Resilience domain'))");
  expect(rows).toHaveLength(9);
  for (const [place, code] of codes.entries()) {
    const parts = (await explained(code)).pillars.flatMap((pillar) => [pillar, ...pillar.domains]);
    const cells = rows.toArray().map((row) => Number.parseFloat($(row).find("td").eq(place).text()));
    for (const [at, { score }] of parts.entries()) expect(cells[at], code).toBeCloseTo(score, 1);
  }
  const empty = (await page("/compare?country=PL&country=AQ"))(
    "section:has(#figures) tr:contains('Resilience domain') td:last-child",
  );
  expect(empty.first().text()).toBe("– not known");
});

test("the page of a country names the oldest input of its resilience score, and what is not known", async () => {
  for (const code of ["NO", "UA"]) {
    const dimensions = (await explained(code)).pillars
      .flatMap(({ domains }) => domains)
      .flatMap((each) => each.dimensions);
    const indicators = dimensions.filter(({ retired }) => !retired).flatMap((each) => each.indicators);
    const [period = ""] = indicators.flatMap(({ inputs }) => inputs.map((each) => each.period)).sort();
    const text = (await page(`/countries/${code}`))("section:has(> #resilience)").text();
    const years = testTime.getUTCFullYear() - Number(period.slice(0, 4));
    expect(text, code).toMatch(new RegExp(`Oldest input: [\\w ]+, ${period} \\(${years} years?\\)`));
    const unknown = indicators.filter(({ value }) => value === undefined);
    expect(text, code).toContain(`Not known, ${unknown.length} of ${indicators.length} indicators:`);
  }
});

test("the page of a country has the inputs of the largest component of risk, and says which are not listed", async () => {
  const { components } = await bed.app.json<{
    components: { name: string; score: number; terms: { inputs: { name: string; value: number }[] }[] }[];
  }>("/api/intelligence/v1/get-risk-score-explanation?region=PK");
  const unrest = components.find(({ name }) => name === "unrest");
  const inputs = unrest?.terms.flatMap((term) => term.inputs) ?? [];
  const amountOf = (wanted: string) => inputs.find(({ name }) => name === wanted)?.value;
  const text = (await page("/countries/PK"))("section:has(> #risk)").text();
  expect(text).toContain(`Largest component: unrest ${unrest?.score} of 100, from protests 50 (its limit)`);
  expect(text).toContain(`protests ${amountOf("protests")}, protest deaths ${amountOf("protestDeaths")}`);
  expect(text).toContain("No page lists the single records of acled-unrest.");
  const ukraine = (await page("/countries/UA"))("section:has(> #risk)").text();
  expect(ukraine).toContain("Largest component: conflict");
  expect(ukraine).not.toContain("No page lists");
});

test("events of 30 days are compared with as many counted days before, and unknown days are not zero", async () => {
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const { points } = await bed.app.json<{ points: { at: number; value?: number }[] }>(
    "/api/history/v1/get-series?series=conflict.events&keys=UA&interval=day",
  );
  const last = Math.max(...points.flatMap(({ at, value }) => (value === undefined ? [] : [at])));
  const totals = async (country: string, from: number, to: number) => {
    const query = new URLSearchParams({ country, start: day(from), end: day(to) });
    const path = `/api/conflict/v1/count-conflict-events?${query}`;
    const counted = await bed.app.json<{ totalEvents: number; totalFatalities: number; isPartial: boolean }>(path);
    expect(counted.isPartial).toBe(false);
    return [counted.totalEvents, counted.totalFatalities] as const;
  };
  for (const later of [0, 1]) {
    const now = testTime.getTime() + later * dayMs;
    bed.app.setTime(new Date(now));
    const first = Math.floor(now / dayMs) * dayMs - 30 * dayMs;
    const days = (last - first) / dayMs + 1;
    expect(days).toBeLessThan(30);
    const $ = await page("/compare?country=UA&country=SD&country=TV");
    const cells = (label: string) =>
      $(`section:has(#figures) tr:contains('${label}') td`).map((_, cell) => $(cell).text());
    const [events, deaths] = [cells("Conflict events"), cells("Reported deaths")];
    for (const [place, code] of ["UA", "SD"].entries()) {
      const [current, before] = [await totals(code, first, now), await totals(code, first - days * dayMs, first - 1)];
      const text = (of: 0 | 1) => `${current[of]} (in ${days} counted days; ${before[of]} in the ${days} days before)`;
      expect([events[place], deaths[place]]).toEqual([text(0), text(1)]);
    }
    expect(events[2]).toBe("None on record");
  }
  bed.app.setTime(testTime);
});
