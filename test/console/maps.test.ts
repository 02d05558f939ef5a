import { gzipSync } from "node:zlib";
import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { columnsOf, compacted, marksOf, pointsFrom } from "../../src/console/map/marks.ts";
import { mapScript } from "../../src/pages/frame/site-assets.ts";
import { chokepoints } from "../../src/reference/trade/chokepoints.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const textOf = async (path: string) =>
  (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text();
const page = async (path: string) => load(await textOf(path));
const sum = (numbers: readonly number[]) => numbers.reduce((all, each) => all + each, 0);
const drawnOn = ($: CheerioAPI) =>
  sum(
    $(".view .points title")
      .map((_, title) => Number(/: (\d+)/.exec($(title).text())?.[1]))
      .get(),
  );

test("the map of the world shows the score of most countries, and hatches and names those without a value", async () => {
  const $ = await page("/");
  expect(
    $("#shade option")
      .map((_, each) => $(each).text())
      .get(),
  ).toEqual(["Resilience", "Risk"]);
  expect($(".scale").text()).toMatch(/^Resilience0100not coveredCovers \d{3} of 250 countries$/);
  expect($("pattern#no-value")).toHaveLength(1);
  const [bare, risk] = [$(".land.none"), (await page("/?shade=risk"))(".land.none")];
  expect(bare.length).toBeGreaterThan(0);
  expect(risk.length).toBeGreaterThan(100 + bare.length);
  for (const path of bare.toArray())
    expect([$(path).attr("fill"), $(path).parent().attr("data-tip")]).toEqual([
      "url(#no-value)",
      expect.stringMatching(/\nResilience: not covered$/),
    ]);
});

test("the map of the first page counts each conflict event once, whatever number of reports it has", async () => {
  const { events } = await bed.app.json<{ events: { reportCount: number }[] }>(
    "/api/conflict/v1/list-conflict-events?limit=5000",
  );
  expect(events.some(({ reportCount }) => reportCount > 1)).toBe(true);
  const row = (await page("/"))("tr").filter((_, each) => load(each)("th").text() === "Conflict events");
  expect(row.find('td[data-label="Things"]').text()).toBe(events.length.toLocaleString("en-US"));
});

test("the page of a dataset with places shows exactly its filtered rows on a map", async () => {
  for (const query of ["country=UA", "country=SD&min_fatalities=3"]) {
    const { events } = await bed.app.json<{ events: unknown[] }>(
      `/api/conflict/v1/list-conflict-events?${query}&limit=1000`,
    );
    const $ = await page(`/data/conflict-events?${query}`);
    expect(drawnOn($), query).toBe(events.length);
    expect($(".view .points").attr("data-page"), query).toContain(query.split("&")[0]);
  }
  expect((await page("/data/global-tenders"))("figure.map")).toHaveLength(0);
  expect((await page("/data/conflict-events?country=XX"))("figure.map")).toHaveLength(0);
});

test("days in the address choose the marks of layers with times, without scripts too", async () => {
  const all = await page("/data/conflict-events");
  const [first, last] = ["first", "last"].map((name) => Number(all(".times").attr(`data-${name}`)));
  const day = (at = 0) => new Date(at * 86_400_000).toISOString().slice(0, 10);
  const [middle, next] = [
    Math.floor(((first ?? 0) + (last ?? 0)) / 2),
    Math.floor(((first ?? 0) + (last ?? 0)) / 2) + 1,
  ];
  const [early, late] = [
    await page(`/data/conflict-events?until=${day(middle)}`),
    await page(`/data/conflict-events?since=${day(next)}`),
  ];
  expect(drawnOn(early)).toBeGreaterThan(0);
  expect(drawnOn(early) + drawnOn(late)).toBe(drawnOn(all));
  expect(late("input[name=since]").attr("value")).toBe(day(next));
  expect(drawnOn(await page("/data/conflict-events?since=never"))).toBe(0);
  expect((await page("/data/military-bases"))(".times")).toHaveLength(0);
});

test("chokepoints are links on their maps, colored by disruption", async () => {
  const $ = await page("/chokepoints");
  const links = $(".pins a")
    .map((_, each) => $(each).attr("href"))
    .get();
  expect(links.sort()).toEqual(chokepoints.map(({ id }) => `/chokepoints/${id}`).sort());
  expect(
    $(".pins circle")
      .map((_, each) => $(each).attr("class"))
      .get()
      .every((step) => /^r[1-5]$/.test(step)),
  ).toBe(true);
  const own = await page("/chokepoints/hormuz_strait");
  expect(own(".pins a[aria-current]").attr("data-tip")).toMatch(/^Strait of Hormuz\nDisruption: [\d.]+$/);
});

test("the map of the first page and its script weigh at most 100 kB on the wire", async () => {
  const whole = await textOf("/");
  const [figure = ""] = /<figure class="map.*?<\/figure>/s.exec(whole) ?? [];
  expect(gzipSync(figure).length + gzipSync(mapScript.content).length).toBeLessThan(100_000);
});

test("many points are merged to fewer, without a loss of their number", () => {
  const points = Array.from({ length: 20_000 }, (_, index) => {
    const [x, y] = [(index * 7_919) % 499, (index * 104_729) % 331];
    return { x, y, latitude: y / 10 - 45, longitude: x / 6 - 160, weight: 1, label: `${index % 6}`, day: index % 30 };
  });
  const merged = compacted(points);
  expect(merged.length).toBeLessThan(points.length);
  expect(sum(merged.map(({ weight }) => weight))).toBe(points.length);
  expect(Map.groupBy(merged, ({ day }) => day).size).toBe(30);
  const few = points.slice(0, 500);
  const labels = [...new Set(few.map(({ label }) => label))];
  const columns = columnsOf(compacted(few), labels);
  expect(sum(marksOf(pointsFrom(columns, labels), 16).map(({ weight }) => weight))).toBe(few.length);
});
