import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { dayMs } from "../../src/reference/duration.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string): Promise<CheerioAPI> => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};
const read = <T>(operation: string, parameters: Readonly<Record<string, string>>) =>
  bed.app.json<T>(`/api/history/v1/${operation}?${new URLSearchParams(parameters)}`);

interface Row {
  readonly key: string;
  readonly at: number;
  readonly value?: number;
  readonly min?: number;
  readonly mean?: number;
  readonly max?: number;
  readonly oneYearBefore?: number;
  readonly isPartial: boolean;
}

/** Returns the points that a line of the chart is drawn from. */
function drawn($: CheerioAPI, key: string): readonly (readonly [at: number, value: number])[] {
  const line = $(`figure.chart g[data-key="${key}"]`);
  const numbers = (name: string) => (line.attr(name) ?? "").split(" ").map(Number);
  const values = numbers("data-value");
  return numbers("data-at").map((at, place) => [at, values[place] ?? Number.NaN]);
}

const menuOf = ($: CheerioAPI, id: string) => $(`#${id}`).parent().find(".chart-menu");

test("the index is that of the points of GetSeries, and the address states the view", async () => {
  const $ = await page("/series/macro.gdp_per_capita?keys=DE,PL&from=2018-01-01&view=index");
  expect($("#view option[selected]").attr("value")).toBe("index");
  const { points } = await read<{ points: readonly Row[] }>("get-series", {
    ...{ series: "macro.gdp_per_capita", keys: "DE,PL", from: "2018-01-01" },
  });
  for (const key of ["DE", "PL"]) {
    const own = points.filter((point) => point.key === key);
    const base = own[0]?.value ?? Number.NaN;
    const wanted = own.map(({ at, value = Number.NaN }) => [at, expect.closeTo((value / base) * 100, 6)]);
    expect(drawn($, key)).toEqual(wanted);
  }
  expect($("figure.chart").attr("data-unit")).toContain("100");
  expect($('a:contains("Remove Germany")').attr("href")).toContain("view=index");
});

test("the change over a year is recomputed from the points of two years, in points for a percentage", async () => {
  const $ = await page("/series/gas.country_fill?keys=DE&from=2026-06-01&view=change");
  const { points } = await read<{ points: readonly Row[] }>("get-series", {
    ...{ series: "gas.country_fill", keys: "DE", from: "2025-06-01" },
  });
  const byDay = new Map(points.map(({ at, value }) => [new Date(at).toISOString().slice(0, 10), value]));
  const shown = drawn($, "DE");
  expect(shown.length).toBeGreaterThan(150);
  for (const [at, change] of shown) {
    const day = new Date(at).toISOString().slice(0, 10);
    const before = byDay.get(`${Number(day.slice(0, 4)) - 1}${day.slice(4)}`) ?? Number.NaN;
    expect(change, day).toBeCloseTo((byDay.get(day) ?? Number.NaN) - before, 6);
  }
  expect($("figure.chart").attr("data-unit")).toBe("percentage points");
  const sums = await page("/series/conflict.events?keys=UA&interval=month&view=change");
  expect(sums("figure.chart").attr("data-unit")).toBe("%");
  expect(sums("#chart").parent().text()).toMatch(/Ukraine: \d+ points left out: no value of a whole interval a year/);
  expect(sums("#chart").parent().text()).toContain("1 point left out: its interval is not over.");
});

test("a series of countries has the latest value of each, the largest first, with a link to its chart", async () => {
  const $ = await page("/series/gas.country_fill");
  const rows = $("section:has(> #latest) tbody tr");
  const { points } = await read<{ points: { key: string; value: number }[] }>("get-series", {
    ...{ series: "gas.country_fill", interval: "latest" },
  });
  expect(points.length).toBeGreaterThan(10);
  expect(rows.map((_, row) => $(row).find("a").attr("href")).get()).toEqual(
    points.map(({ key }) => `/series/gas.country_fill?keys=${key}`),
  );
  expect(rows.first().find("td").eq(1).text()).toBe(String(points[0]?.value));
});

test("a series of counts has the changes of its sums as ListMovers returns them, of the days in the address", async () => {
  for (const days of [30, 90]) {
    const $ = await page(`/series/conflict.fatalities${days === 30 ? "" : `?days=${days}`}`);
    const { movers } = await read<{ movers: { key: string; valueThen: number; valueNow: number; change: number }[] }>(
      "list-movers",
      { series: "conflict.fatalities", days: String(days), limit: "100" },
    );
    expect(movers.length).toBeGreaterThan(5);
    const rows = $("section:has(> #latest) tbody tr").toArray();
    const cells = rows.map((row) => $(row).find("td").toArray().slice(0, 4));
    expect(
      cells.map(([key, ...numbers]) => [
        $(key).find("a").attr("href"),
        ...numbers.map((cell) => numberIn($(cell).text())),
      ]),
    ).toEqual(
      movers.map(({ key, valueThen, valueNow, change }) => [
        `/series/conflict.fatalities?keys=${key}`,
        valueThen,
        valueNow,
        change,
      ]),
    );
    expect($("section:has(> #latest) [aria-current]").text()).toBe(`${days} days`);
  }
});

test("the seasonal band is that of GetSeasonalBand for one key, with gaps where it has none", async () => {
  const $ = await page("/series/gas.country_fill?keys=DE,FR&from=2026-01-01&view=band");
  const { rows } = await read<{ rows: readonly Row[] }>("get-seasonal-band", {
    ...{ series: "gas.country_fill", keys: "DE", from: "2026-01-01", interval: "day" },
  });
  for (const name of ["min", "mean", "max"] as const)
    expect(drawn($, name)).toEqual(rows.flatMap((row) => (row[name] === undefined ? [] : [[row.at, row[name]]])));
  expect(drawn($, "DE")).toEqual(rows.flatMap(({ at, value }) => (value === undefined ? [] : [[at, value]])));
  expect($("figure.chart path.area").attr("d")).toMatch(/^M[^M]+Z$/);
  expect($("#chart").parent().text()).toContain("The chart draws Germany. Draw another: France");
  const other = $("#chart").parent().find("a:contains('France')").attr("href");
  expect(other).toContain("/series/gas.country_fill?keys=FR%2CDE&");
  const compared = $("#chart").parent().find("table").first().find("tbody tr");
  expect(compared.map((_, row) => $(row).find("td").first().text()).get()).toEqual(["Germany", "France"]);
  const last = rows.findLast(({ value, mean }) => value !== undefined && mean !== undefined);
  const cell = (label: string) => Number(compared.first().find(`td[data-label="${label}"]`).text());
  const year = new Date(last?.at ?? 0).getUTCFullYear();
  expect([cell("Value"), cell(`${year - 1}`), cell("Minimum")].map((each) => each.toFixed(2))).toEqual(
    [last?.value, last?.oneYearBefore, last?.min].map((each) => each?.toFixed(2)),
  );
  expect(compared.last().find('td[data-label="Maximum"]').text()).toMatch(/^\d/);
  expect($("#chart").parent().find(".content strong").first().text()).toMatch(
    /^Germany [\d.]+% on \d+ \w+ \d{4}: [\d.]+ percentage points (?:below|above) the mean of 5 years, \w+ the range\.$/,
  );
  expect($(".as-table thead").text()).toMatch(
    /Germany.*Mean of 5 years.*Minimum.*Maximum.*1 year before.*5 years before/,
  );
  expect($("figure.chart g.reference-line")).toHaveLength(1);
});

test("a view that is not possible says why, and draws no value", async () => {
  const reasons = {
    "/series/macro.growth?keys=UA&view=band": "A series with a point for each year has no seasons.",
    "/series/risk.score?keys=UA&view=band": "intervals have no band: fewer than two of the 5 years before",
    "/series/risk.score?keys=SD&view=index": "risk.score covers 31 countries; SD is not one of them.",
    "/series/gas.fill?keys=EU&from=2020-10-20&to=2020-12-01&view=change": "points left out: no value a year before.",
  };
  for (const [path, reason] of Object.entries(reasons)) {
    const $ = await page(path);
    expect($("#chart").parent().text(), path).toContain(reason);
    expect($("figure.chart g[data-value='0'], figure.chart path.area"), path).toHaveLength(0);
  }
  const related = (await page("/series/gas.fill?keys=DE,FR,IT&view=band"))("a:contains('Show gas.country_fill')");
  expect(related.attr("href")).toMatch(/^\/series\/gas\.country_fill\?keys=DE%2CFR%2CIT&.*view=band$/);
});

test("an interval that is not over is a hollow point behind a dashed line, and the chart names it", async () => {
  const $ = await page("/series/conflict.events?keys=UA,MM&interval=month");
  const { points } = await read<{ points: readonly Row[] }>("get-series", {
    ...{ series: "conflict.events", keys: "UA", from: "2025-12-01", interval: "month", aggregation: "sum" },
  });
  const line = $('figure.chart g[data-key="UA"]');
  expect(Number(line.attr("data-partial"))).toBe(points.find(({ isPartial }) => isPartial)?.at);
  expect([line.find(".curve.partial").length, $("figure.chart .dot.partial").length]).toEqual([1, 2]);
  // The solid line ends at the last whole month, where the dashed one starts.
  const end = line.find(".curve").first().attr("d")?.split(/[ML]/).at(-1);
  expect(line.find(".curve.partial").attr("d")?.startsWith(`M${end}L`)).toBe(true);
  expect($("figure.chart .notes").text()).toContain("Hollow points are incomplete: Nov 2026.");
  const whole = await page("/series/conflict.events?keys=UA&interval=month&to=2026-10-31");
  expect(whole("figure.chart .partial")).toHaveLength(0);
});

test("an axis that does not start at 0 says so", async () => {
  const $ = await page("/series/risk.score?keys=UA");
  const lowest = $("figure.chart line.rule + text").first().text();
  expect($("figure.chart .notes").text()).toContain(`The value axis starts at ${lowest}, not at 0.`);
  const bounded = await page("/chokepoints/suez");
  expect(bounded("section:has(> #disruption) figure.chart .notes").text()).not.toContain("axis");
});

test("keys are chosen and shown by name, for countries, chokepoints, and other keys", async () => {
  const proposed = ($: CheerioAPI) =>
    $("#known-keys option")
      .toArray()
      .map(({ attribs }) => attribs.value);
  const $ = await page("/series/risk.score?keys=UA,US");
  expect(proposed($)).toContain("Poland");
  expect(proposed($)).not.toContain("Ukraine");
  expect([$("#keys").attr("type"), $("#add").attr("list")]).toEqual(["hidden", "known-keys"]);
  const ends = $("figure.chart text.end").toArray();
  const lastOf = (key: string) => $(`figure.chart g[data-key=${key}]`).attr("data-value")?.split(" ").at(-1);
  const [ukraine, states] = ["UA", "US"].map(lastOf);
  expect(
    new Set(
      ends.map((end) =>
        $(end)
          .text()
          .replace(/United.*…/, "United…"),
      ),
    ),
  ).toEqual(new Set([`Ukraine ${ukraine}`, `United States ${states}`, `United… ${states}`]));
  expect($("figure.chart .legend").text()).toBe("UkraineUnited States");
  const chokepoint = await page("/series/chokepoint.disruption?keys=suez&add=Strait%20of%20Malacca");
  expect(chokepoint("#keys").attr("value")).toBe("suez,malacca_strait");
  expect(chokepoint("a:contains('Remove Strait of Malacca')").attr("href")).toContain("keys=suez&");
  expect(proposed(chokepoint)).toContain("Panama Canal");
  expect(proposed(await page("/series/news.articles?keys=cyber"))).toContain("military");
});

test("the chart is before its form in the page, and the form can be folded", async () => {
  const $ = await page("/series/risk.score?keys=UA");
  const order = $("figure.chart, form[action^='/series/']").toArray();
  expect(order.map(({ tagName }) => tagName)).toEqual(["figure", "form"]);
  expect($("details.options[open] form")).toHaveLength(1);
  expect((await page("/series/risk.score?keys=UA&embed=1"))("form")).toHaveLength(0);
});

test("the menu of a chart has the code of an embed that names the country, a citation, and a link to an alert", async () => {
  const $ = await page("/countries/UA");
  const menu = menuOf($, "risk");
  expect(menu.attr("popover")).toBe("");
  const frame = load(menu.find("pre").first().text())("iframe");
  expect(frame.attr("title")).toBe("Ukraine: risk");
  const source = new URL(frame.attr("src") ?? "");
  const embed = await page(source.pathname + source.search);
  expect([embed("head title").text(), embed("h1").text(), embed("h2").text()]).toEqual(Array(3).fill("Ukraine: risk"));
  expect(embed(".chart-menu")).toHaveLength(0);
  const [text, bibtex] = await Promise.all(
    menu
      .find("a[href^='/export']")
      .toArray()
      .map(async (link) => (await bed.app.get($(link).attr("href") ?? "", { key: null })).text()),
  );
  expect(text).toMatch(/^SAMPLE DATA: .*as_of=.*#sha256=[0-9a-f]{64} .*these bytes until 2026-11-25T/);
  expect(bibtex).toMatch(/^@misc\{ids-get-series-/);
  const alert = menu.find("a[href^='/alerts']").attr("href");
  expect(alert).toBe("/alerts?watch=series&series=risk.score&keys=UA#rule");
});

test("a block with a chart and latest values has a citation of each, and its chart is cited with keys and span", async () => {
  const $ = await page("/countries/UA");
  for (const [id, series, current] of [
    ["risk", "risk.score", "/export/get-risk-scores?region=UA&cite=text"],
    ["resilience", "resilience.score", "/export/get-resilience-score?country_code=UA&cite=text"],
  ] as const) {
    const [first, last] = $(`section:has(> #${id}) figure.chart`)
      .map((_, { attribs }) => [Number(attribs["data-from"]), Number(attribs["data-to"])])
      .get();
    expect((last ?? 0) - (first ?? 0)).toBe(365 * dayMs);
    const from = new Date(first ?? 0).toISOString().slice(0, 10);
    const cited = `/export/get-series?series=${series}&keys=UA&from=${from}&interval=day&cite=text`;
    const links = $(`section:has(> #${id}) footer a[href*="cite="]`).map((_, { attribs }) => attribs.href);
    expect(links.get()).toEqual([cited, current]);
    expect(menuOf($, id).find("a[href*='cite=text']").attr("href")).toBe(cited);
    expect(await (await bed.app.get(cited, { key: null })).text()).toContain(`series ${series}, keys UA, from ${from}`);
  }
  const outages = $("section:has(> #outages) footer a[href*='cite=']");
  expect(outages.contents().first().text()).toBe("Cite");
});

test("each chart has a menu with its series and keys", async () => {
  const charts = [
    ["/series/risk.score?keys=UA,MM", "chart", "Ukraine, Myanmar: risk score", "risk.score", "UA,MM"],
    ["/chokepoints/suez", "disruption", "Suez Canal: disruption", "chokepoint.disruption", "suez"],
    ["/compare?country=UA&country=PL", "risk-score", "Ukraine, Poland: risk score", "risk.score", "UA,PL"],
  ] as const;
  for (const [path, id, title, series, keys] of charts) {
    const menu = menuOf(await page(path), id);
    expect(menu.attr("data-title"), path).toBe(title);
    const alert = new URLSearchParams({ watch: "series", series, keys });
    expect(menu.find("a[href^='/alerts']").attr("href"), path).toBe(`/alerts?${alert}#rule`);
  }
});

function numberIn(text: string): number {
  return Number(text.replaceAll(",", "").replace("−", "-"));
}
