import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { startBed } from "../support/console/bed.ts";
import { someOf } from "../support/thoroughness.ts";

const bed = startBed();
const page = async (path: string): Promise<CheerioAPI> => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};
const countries = async () => {
  const { points } = await bed.app.json<{ points: { country: string }[] }>(
    "/api/intelligence/v1/get-risk-scores?jmespath={points:ciiScores[].{country:region}}",
  );
  return points.map(({ country }) => country);
};
const head = ($: CheerioAPI) =>
  $("#chart")
    .parent()
    .find(".as-table thead th")
    .toArray()
    .map((cell) => $(cell).text());
const requestedKeys = ($: CheerioAPI) =>
  new Set(
    $("#chart")
      .parent()
      .find("a[href^='/export/get-series?']")
      .toArray()
      .map(({ attribs }) => new URLSearchParams(attribs.href?.split("?")[1]).get("keys")),
  );
const times = ($: CheerioAPI) =>
  $("#chart")
    .parent()
    .find("td.time")
    .toArray()
    .map((cell) => $(cell).text());
const lastPoint = ($: CheerioAPI) => $("#chart").parent().find("footer span:contains('Last point')").last().text();

test("a chart takes as many keys as a request does, and names those that it leaves out", async () => {
  const scored = await countries();
  expect(scored.length).toBeGreaterThan(25);
  const some = await page(`/series/risk.score?keys=${scored.slice(0, 25).join(",")}`);
  expect(some("#keys").attr("value")?.split(",")).toEqual(scored.slice(0, 25));
  expect(some("#chart").parent().text()).toContain("highest of 25 lines");
  expect(some("#chart").parent().text()).not.toContain("Left out");
  const many = Array.from({ length: 52 }, (_, place) => `zz${place}`);
  const $ = await page(`/series/risk.score?keys=${["UA", ...many].join(",")}`);
  expect($("#keys").attr("value")?.split(",")).toHaveLength(50);
  expect($("#chart").parent().find(".caution").text()).toMatch(/Left out.*: zz49; zz50; zz51\. .* accepts 50 keys/);
  expect($("a:contains('Remove UA'), a:contains('Remove Ukraine')").attr("href")).toContain("zz49%2Czz50%2Czz51");
  const added = await page(`/series/risk.score?keys=${many.slice(0, 50).join(",")}&add=Norway`);
  expect(added("#chart").parent().find(".caution").text()).toContain(
    "Left out of chart, table, and downloads: Norway.",
  );
  const long = await page(`/series/risk.score?keys=${"UA,".repeat(700)}`);
  expect(long("[role=alert]").text()).toContain("too long");
});

test("each series that has figures opens on keys that have some", async () => {
  const { series } = await bed.app.json<{ series: { id: string; keys: number }[] }>("/api/history/v1/list-series");
  const withFigures = series.filter(({ keys }) => keys > 0);
  expect(withFigures.length).toBeGreaterThan(25);
  const without: string[] = [];
  const opened = someOf(withFigures, 3);
  const withOthers = new Set(someOf(opened, 2).map(({ id }) => id));
  for (const { id } of opened) {
    const $ = await page(`/series/${id}`);
    if ($("figure.chart").length === 0) without.push(id);
    // Files and the curl line are of the same keys, and so is a form with a wrong or an early day.
    const keys = $("#keys").attr("value") ?? "";
    expect([id, [...requestedKeys($)]]).toEqual([id, [keys]]);
    for (const other of withOthers.has(id) ? ["interval=zzz", "to=1950-01-01", "from=zzz"] : []) {
      const stored = (await page(`/series/${id}?${other}`))("#keys").attr("value") ?? "";
      expect([id, keys.startsWith(stored)]).toEqual([id, true]);
    }
  }
  expect(without).toEqual([]);
  expect((await page("/series/gas.fill"))("#keys").attr("value")).toBe("EU");
});

test("where unit and step of a series differ by key, each line says its own", async () => {
  const one = await page("/series/labor.figure?keys=USPRIV");
  expect(one("#chart").parent().find(".about").text()).toMatch(
    /Unit and step differ by key.*Payrolls \(USPRIV\): Thousands of Persons, a point for each month\./,
  );
  expect(one("figure.chart").attr("data-unit")).toBe("Thousands of Persons");
  expect(head(one)[1]).toMatch(/Payrolls.*Thousands of Persons$/);
  expect([times(one)[0], lastPoint(one)]).toEqual(["Oct 2026", "Last point Oct 2026"]);
  const both = await page("/series/labor.figure?keys=USPRIV,ECIALLCIV");
  expect(both("#chart").parent().find(".about").text()).toMatch(/each month.*Index \(Dec 2005=100\).* each quarter/);
  expect(both("figure.chart").attr("data-unit")).toBe("");
  expect(both("figure.chart g[data-key=ECIALLCIV]").attr("data-unit")).toContain("Index");
  expect(head(both).slice(1)).toEqual([expect.stringMatching(/Persons$/), expect.stringMatching(/Index \(.*\)$/)]);
  const quarters = await page("/series/labor.figure?keys=ECIALLCIV");
  expect(times(quarters)[0]).toMatch(/^Q\d 2026$/);
  const listed = (await page("/series"))('tr:has(a[href="/series/labor.figure"])');
  expect(listed.find("[data-label=Unit], [data-label=Step]").text()).toBe("differs by key".repeat(2));
  const { series } = await bed.app.json<{ series: { id: string; title: string }[] }>("/api/history/v1/list-series");
  expect(series.find(({ id }) => id === "labor.figure")?.title).toMatch(/differ by key.*Thousands of Persons, monthly/);
});

test("what a year or a month is of is dated by it in chart, table and last point, and by days in files", async () => {
  const $ = await page("/series/macro.growth?keys=UA,RU");
  expect(times($).slice(0, 2)).toEqual(["2026", "2025"]);
  expect(lastPoint($)).toBe("Last point 2026");
  expect($("figure.chart").attr("data-step")).toBe("year");
  expect($("figure.chart svg").attr("aria-label")).toMatch(/Ukraine: [\d.-]+% in \d{4}, [\d.-]+% in 2026;/);
  const two = await page("/series/trade.exports?keys=UA&from=2024-01-01");
  const ticks = two("line.axis + text").toArray();
  expect(ticks.map((tick) => two(tick).text())).toEqual(["2024", "2025"]);
  const months = await page("/series/conflict.events?keys=UA&interval=month");
  expect(times(months)[0]).toBe("Nov 2026");
  expect(times(await page("/series/risk.score?keys=UA"))[0]).toMatch(/^\d+ Nov 2026/);
  const file = await bed.app.get("/export/get-series?series=macro.growth&keys=UA&from=2026-01-01&format=csv", {
    key: null,
  });
  expect(await file.text()).toContain("2026-01-01");
});

test("a series has a readable name, with its id next to it, on its page, in the list, and in a search", async () => {
  const $ = await page("/series/macro.gdp_per_capita");
  expect($("h1").text()).toBe("Macro GDP per capita macro.gdp_per_capita");
  expect($("h1 code").text()).toBe("macro.gdp_per_capita");
  expect($("title").text()).toMatch(/^Macro GDP per capita - /);
  const row = (await page("/series"))('th:has(a[href="/series/risk.score"])');
  expect(row.find("code").text()).toBe("risk.score");
  expect(row.text()).toBe("Risk score risk.score");
  for (const words of ["risk.score", "risk score"]) {
    const found = await page(`/search?q=${encodeURIComponent(words)}`);
    expect(found('main a[href="/series/risk.score"]').text(), words).toBe("Risk score");
  }
});

test("a chart without points says why and links to the series that has the key", async () => {
  const $ = await page("/series/gas.fill?keys=DE,FR&from=2026-10-01");
  const note = $("#chart").parent().find("p:contains('gas.fill covers EU; DE and FR are not among them.')");
  expect($("#chart").parent().find(".nothing").text()).toMatch(/^gas\.fill covers EU; DE and FR are not/);
  expect($("#chart").parent().text()).not.toContain("Nothing was recorded");
  expect(note).toHaveLength(1);
  const link = note.find("a:contains('Show gas.country_fill')").attr("href") ?? "";
  expect(link).toBe("/series/gas.country_fill?keys=DE%2CFR&from=2026-10-01&interval=raw&aggregation=last");
  expect((await page(link))("#chart").parent().find(".nothing")).toHaveLength(0);
  const early = await page("/series/trade.exports?keys=DE&from=1950-01-01&to=1951-12-31");
  expect(early("#chart").parent().find(".nothing").text()).toMatch(
    /^No points of trade\.exports from 1950-01-01 to 1951-12-31\. The points begin on \d{4}-01-01\.$/,
  );
  const some = await page("/series/risk.score?keys=UA,SD");
  expect(some("#chart").parent().text()).toContain("risk.score covers 31 countries; SD is not one of them.");
});
