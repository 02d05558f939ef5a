import { gzipSync } from "node:zlib";
import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { marksOf } from "../../src/console/map/marks.ts";
import { lineChart } from "../../src/console/view/line-chart.ts";
import { instantText, periodText } from "../../src/console/view/times.ts";
import { dayMs } from "../../src/reference/duration.ts";
import { startBed } from "../support/console/bed.ts";
import { publicPages } from "../support/console/page-list.ts";

const bed = startBed();
const text = async (path: string) => (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text();
const page = async (path: string) => load(await text(path));

interface Point {
  readonly at: number;
  readonly value: number;
}

/** Both ends and both extremes of each line of a chart, as they are drawn. */
function tellingPoints($: CheerioAPI, figure: string): readonly (readonly Point[])[] {
  const numbers = (line: string, name: string) =>
    ($(figure).find(line).attr(name) ?? "").split(" ").flatMap((each) => (each === "" ? [] : Number(each)));
  return $(figure)
    .find("g[data-at]")
    .toArray()
    .map((_, index) => {
      const line = `g[data-at]:eq(${index})`;
      const values = numbers(line, "data-value");
      const points = numbers(line, "data-at").map((at, place) => ({ at, value: values[place] ?? Number.NaN }));
      const byValue = points.toSorted((a, b) => a.value - b.value);
      return [points[0], points.at(-1), byValue[0], byValue.at(-1)].flatMap((point) => point ?? []);
    });
}

/** The value of a line at a time in the table of a chart. */
function shownIn($: CheerioAPI, table: string, at: number, line: number): number {
  const row = $(table)
    .find("tbody tr")
    .filter((_, each) => [instantText(at), periodText(at, "month")].includes($(each).find("td.time").text()));
  return Number.parseFloat(row.find("td.number").eq(line).text().replaceAll(",", ""));
}

/** Fails if the table after a chart lacks a value that shapes its curve. */
function expectReported($: CheerioAPI, figure: string, of: string): void {
  const table = `${figure} + details.as-table`;
  for (const [line, points] of tellingPoints($, figure).entries())
    for (const { at, value } of points) {
      const shown = shownIn($, table, at, line);
      expect(Math.abs(shown - value), `${of}: ${shown} for ${value}`).toBeLessThan(Math.abs(value) / 100 + 0.01);
    }
}

test("every chart has the values of its lines in a table, every map its marks", { timeout: 60_000 }, async () => {
  let [charts, maps] = [0, 0];
  for (const path of publicPages) {
    const $ = await page(path);
    for (const [index, figure] of $("figure.chart").toArray().entries()) {
      charts += 1;
      $(figure).attr("id", `chart-${index}`);
      expect(tellingPoints($, `#chart-${index}`).length, path).toBeGreaterThan(0);
      expectReported($, `#chart-${index}`, path);
    }
    for (const figure of $("figure.map").toArray()) {
      maps += 1;
      const drawn = $(figure).find(".view .points circle").toArray();
      const rows = $(figure).parent().find('[aria-label="Table: Marks of the map"] tbody tr').toArray();
      expect(rows.length, path).toBe(drawn.length);
      for (const row of rows)
        expect($(row).find("td").eq(1).text(), path).toMatch(/^\d{1,2}\.\d°[NS] \d{1,3}\.\d°[EW]$/);
      const sum = (texts: readonly string[]) => texts.reduce((all, text) => all + Number(text.replaceAll(",", "")), 0);
      const titles = drawn.map((circle) => /: ([\d,]+)/.exec($(circle).find("title").text())?.[1] ?? "");
      expect(sum(rows.map((row) => $(row).find("td.number").text())), path).toBe(sum(titles));
    }
  }
  expect([charts > 3, maps > 2]).toEqual([true, true]);
});

test("where a block is of several reads, each says which it is of", async () => {
  const footers = (await page("/countries"))("section:has(#ranking) footer.provenance");
  expect(footers.first().text()).toMatch(/^\s*Risk scores/);
  expect(footers.eq(1).text()).toMatch(/^\s*Resilience ranking/);
  expect(footers.eq(1).text()).toContain("CSV: too little data to rank");
  expect(footers.last().text()).toMatch(/^\s*Movers/);
  const files = footers.find('a[href*="format="]').toArray();
  expect(files.map((file) => footers.find(file).text())).toEqual([
    "CSV of Risk scores",
    "XLSX of Risk scores",
    "JSON of Risk scores",
    "CSV of Resilience ranking",
    "XLSX of Resilience ranking",
    "CSV: too little data to rank of Resilience ranking",
    "XLSX: too little data to rank of Resilience ranking",
    "JSON of Resilience ranking",
    ...["CSV of Movers", "XLSX of Movers", "JSON of Movers"],
  ]);
});

test("a table of more values than it has room for keeps both ends and both extremes of each line, and says so", () => {
  const start = Date.UTC(2025, 0, 1);
  const line = (key: string, course: (day: number) => number | undefined) => ({
    ...{ key, label: key },
    points: Array.from({ length: 366 }, (_, day) => ({
      at: start + day * dayMs,
      value: course(day),
      isBreak: false,
    })),
  });
  const lines = [
    line("A", (day) => (day === 100 ? 90 : day === 201 ? 5 : 50 + (day % 3))),
    line("B", (day) => (day < 30 || day % 7 === 2 ? undefined : day === 157 ? 99 : 40)),
  ];
  const chart = load(lineChart({ lines, title: "Two", unit: "" }).markup);
  expect(chart("tbody tr").length).toBeLessThan(62);
  expectReported(chart, "figure.chart", "two lines");
  expect(chart(".as-table p").text()).toBe(
    "From 366 times, this table shows the last of each week, and the first, highest, and lowest value of each line.",
  );
  const roomy = load(lineChart({ lines, title: "Two", unit: "", maxRows: 400 }).markup);
  expect([roomy("tbody tr").length, roomy(".as-table p").length]).toEqual([366, 0]);
});

test("tables of small charts weigh at most 4 kB on the wire, the marks of the world at most 10", async () => {
  for (const [path, name, max] of [
    ["/countries/UA", "Values of ", 4_000],
    ["/chokepoints/suez", "Values of ", 4_000],
    ["/", "Marks of the map", 10_000],
  ] as const) {
    const whole = await text(path);
    const table = new RegExp(`<div class="[^"]*" role="region" aria-label="Table: ${name}.*?</table></div>`, "gs");
    expect(whole, path).toMatch(table);
    const weight = gzipSync(whole).length - gzipSync(whole.replaceAll(table, "")).length;
    expect(weight, path).toBeLessThan(max);
  }
});

test("the middle of things on both sides of 180 degrees is between them", () => {
  const at = (longitude: number) => ({ latitude: 0, longitude, weight: 1, label: "", x: 0, y: 0 });
  const middle = (...longitudes: number[]) => marksOf(longitudes.map(at), 16)[0]?.longitude;
  expect(middle(179, -179.5)).toBeCloseTo(179.75);
  expect(middle(-179, 179.5)).toBeCloseTo(-179.75);
  expect(middle(-1, 2)).toBeCloseTo(0.5);
});

test("of a country that is not drawn it is said why", async () => {
  const saidOf = async (code: string) => (await page(`/countries/${code}`))("section:has(#map) .nothing").text();
  expect(await saidOf("AQ")).toBe("Not on this map. The maps here leave out Antarctica.");
  expect(await saidOf("TV")).toBe("Not on this map. Tuvalu is too small to draw. The figures below are complete.");
});

test("a country without an event, outage, or base has no zero, because a list without rows does not measure one", async () => {
  const $ = await page("/countries/LI");
  const figure = (name: string) => $(`dl.figures div:contains("${name}") dd`);
  for (const name of ["Conflict events", "Reported deaths", "Internet outages"])
    expect([figure(name).text().trim(), figure(name).children("small").text()], name).toEqual([
      ...["None on record", "None on record"],
    ]);
  for (const [id, none] of [
    ["conflict", "No event is on record in this time, which does not prove that there was none."],
    ["outages", "No outage is on record in this time, which does not prove that there was none."],
    ["bases", "No base is on record, which does not prove that there is none."],
  ]) {
    expect($(`section:has(#${id}) .content`).text().trim()).toBe(none);
    expect($(`section:has(#${id}) summary`).first().text()).not.toMatch(/\b0\b/);
  }
  expect($("main").text()).not.toContain("measured zero");
  const brief = await page("/countries/LI/brief");
  expect(brief("section:contains('Conflict') p").text()).toContain("No event is on record");
  const rows = (await page("/compare?countries=LI,UA"))("table.compared tr:contains('Conflict events, 30 days') td");
  expect([rows.eq(0).text(), rows.eq(1).text()]).toEqual(["None on record", expect.stringMatching(/^\d/)]);
});

test("codes of a source that are words are read as words, and stay codes in files", async () => {
  const $ = await page("/data/internet-outages");
  const causes = $('td[data-label="Cause"]')
    .toArray()
    .map((cell) => $(cell).text());
  expect(causes).toContain("Cable cut");
  expect(causes.filter((cause) => cause.includes("_"))).toEqual([]);
  const response = await bed.app.get("/api/infrastructure/v1/list-internet-outages");
  expect(await response.text()).toContain('"CABLE_CUT"');
});
