import { type CheerioAPI, load } from "cheerio";
import { expect, test } from "vitest";
import { summaryMarkup } from "../../src/console/pages/series/series-summary.ts";
import { numberText } from "../../src/console/view/figures.ts";
import { dayText } from "../../src/console/view/times.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string): Promise<CheerioAPI> => {
  const response = await bed.app.get(path, { key: null, headers: { Accept: "text/html" } });
  expect(response.status, path).toBe(200);
  return load(await response.text());
};

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value?: number;
  readonly isPartial: boolean;
}

/** Returns the points of whole intervals with a value. */
async function pointsOf(parameters: Readonly<Record<string, string>>) {
  const { points } = await bed.app.json<{ points: readonly Point[] }>(
    `/api/history/v1/get-series?${new URLSearchParams(parameters)}`,
  );
  return points.flatMap((point) =>
    point.value === undefined || point.isPartial ? [] : [{ ...point, value: point.value }],
  );
}

/** Value and remark of a cell, by heading. */
type Cells = Readonly<Record<string, readonly string[] | undefined>>;

/** Returns the cells of the summary by line. */
function summaryOf($: CheerioAPI): ReadonlyMap<string, Cells> {
  const rows = $("h3:contains('From first to last') + .wide tbody tr").toArray();
  const cellsOf = (row: (typeof rows)[number]) =>
    $(row)
      .find("td")
      .toArray()
      .map((cell) => {
        const remark = $(cell).find("div").text();
        const value = $(cell).clone().find("div").remove().end().text();
        return [$(cell).attr("data-label") ?? "", [value, ...(remark === "" ? [] : [remark])]] as const;
      });
  return new Map(rows.map((row) => [$(row).find("td").first().text(), Object.fromEntries(cellsOf(row))]));
}

function lineOf($: CheerioAPI, name: string): Cells {
  return summaryOf($).get(name) ?? {};
}

test("the page of a series has the change of each line in percent, and says which line begins later", async () => {
  const query = { keys: "VN,MX", from: "2019-01-01", to: "2023-12-31" };
  const $ = await page(`/series/trade.exports?${new URLSearchParams(query)}`);
  const points = await pointsOf({ series: "trade.exports", ...query });
  for (const [key, name, first] of [
    ["VN", "Vietnam", "2021"],
    ["MX", "Mexico", "2019"],
  ] as const) {
    const values = points.filter((point) => point.key === key).map(({ value }) => value);
    const [start = Number.NaN, end = Number.NaN] = [values[0], values.at(-1)];
    expect(lineOf($, name)).toEqual({
      Line: [name],
      First: [numberText(start), first],
      Last: [numberText(end), "2023"],
      Change: [`+${numberText(end - start)} (+${numberText(Number((100 * (end / start - 1)).toFixed(1)))}%)`],
      Lowest: [numberText(Math.min(...values)), first],
      Highest: [numberText(Math.max(...values)), "2023"],
    });
  }
  const remark = $("h3:contains('From first to last') ~ p").first();
  expect(remark.text()).toBe("Vietnam begins in 2021. Compare from 2021");
  const both = await page(remark.find("a").attr("href") ?? "");
  expect(lineOf(both, "Mexico").First?.[1]).toBe("2021");
  expect(both("main").text()).not.toContain("Vietnam begins");
});

test("extremes of a score are the latest of equal values, and so is the largest move between neighboring days", async () => {
  const $ = await page("/series/risk.score?keys=UA&from=2026-05-01");
  const points = await pointsOf({ series: "risk.score", keys: "UA", from: "2026-05-01", interval: "day" });
  const summary = lineOf($, "Ukraine");
  for (const [label, end] of [
    ["Lowest", Math.min],
    ["Highest", Math.max],
  ] as const) {
    const equal = points.filter(({ value }) => value === end(...points.map((point) => point.value)));
    const count = equal.length > 1 ? `, latest of ${equal.length}` : "";
    expect(summary[label]).toEqual([String(equal[0]?.value), `${dayText(equal.at(-1)?.at ?? 0)}${count}`]);
  }
  const [first, last] = [points[0], points.at(-1)];
  expect(summary.Last).toEqual([String(last?.value), dayText(last?.at ?? 0)]);
  const change = (last?.value ?? 0) - (first?.value ?? 0);
  expect(summary.Change).toEqual([`${change > 0 ? "+" : change < 0 ? "−" : ""}${Math.abs(change)} points`]);
  const moves = points.slice(1).map(({ at, value }, place) => ({ at, size: value - (points[place]?.value ?? value) }));
  const recent = moves.filter(({ at }) => at >= (last?.at ?? 0) - 90 * 86_400_000);
  const max = Math.max(...recent.map(({ size }) => Math.abs(size)));
  const largest = recent.findLast(({ size }) => Math.abs(size) === max);
  const [move, values] = summary["Largest move in 90 days"] ?? [];
  expect(move).toBe(`${(largest?.size ?? 0) > 0 ? "+" : "−"}${max} points`);
  const equal = recent.filter(({ size }) => Math.abs(size) === max).length;
  const remark = equal > 1 ? `, latest of ${equal} of this size` : "";
  expect(values).toMatch(new RegExp(`^\\d+ on \\d+ \\w+, \\d+ on ${dayText(largest?.at ?? 0)}${remark}$`));
  expect($("h3:contains('From first to last') ~ p").first().text()).toContain("Incomplete points are left out.");
});

test("sums of counts are of whole weeks, with a change in percent and without moves between days", async () => {
  const query = { keys: "UA", from: "2026-09-01", interval: "week" };
  const summary = lineOf(await page(`/series/conflict.fatalities?${new URLSearchParams(query)}`), "Ukraine");
  const points = await pointsOf({ series: "conflict.fatalities", ...query });
  const [first, last] = [points[0], points.at(-1)];
  expect(summary.First).toEqual([String(first?.value), `week of ${dayText(first?.at ?? 0)}`]);
  expect(summary.Last).toEqual([String(last?.value), `week of ${dayText(last?.at ?? 0)}`]);
  expect(summary.Change?.[0]).toMatch(/^(?:0|[+−]\d+) \((?:0|[+−][\d.]+)%\)$/);
  expect(Object.keys(summary)).not.toContain("Largest move in 90 days");
});

test("differences are percentage points for percentages, and points for scores, also below 0", async () => {
  const gas = lineOf(await page("/series/gas.fill"), "European Union");
  expect(gas.Change?.[0]).toMatch(/^[+−][\d.]+ percentage points$/);
  const tone = await page("/series/news.tone?keys=cyber,military&from=2026-10-02");
  expect([...summaryOf(tone).keys()]).toEqual(["Cyber", "Military"]);
  expect(lineOf(tone, "Cyber").Change?.[0]).toMatch(/^[+−][\d.]+ points$/);
  const parts = summaryOf(await page("/series/vulnerability.score?keys=DE"));
  expect(parts.size).toBe(8);
  expect([...parts.keys()][0]).toMatch(/^Germany, \w+/);
  const change = await page("/series/risk.score?keys=UA&interval=month&view=change&from=2026-10-01");
  for (const cells of summaryOf(change).values()) expect(cells.Change?.[0]).not.toContain("%");
});

test("an embed and a seasonal band have no summary", async () => {
  for (const path of ["/series/gas.fill?embed=1", "/series/gas.fill?view=band"])
    expect((await page(path))("main").text(), path).not.toContain("From first to last");
});

test("a change across a break is not comparable, and that since the break is", () => {
  const day = (place: number) => Date.UTC(2026, 9, 1 + place);
  const point = (place: number, value: number | undefined) => ({ at: day(place), value, isBreak: place === 2 });
  const points = [point(0, 10), point(1, 12), point(2, 70), point(3, undefined), point(4, 75), point(5, 73)];
  const request = { keys: ["UA"], leftOut: [], from: "2026-10-01", to: "", interval: "day", aggregation: "last" };
  const markup = summaryMarkup([{ key: "UA", label: "Ukraine", points }], {
    series: { id: "risk.score", step: "refresh", aggregation: "last" },
    request: { ...request, view: "value" },
    ...{ unit: "", step: undefined, now: day(6) },
  });
  const $ = load(markup?.markup ?? "");
  const ukraine = lineOf($, "Ukraine");
  expect(ukraine.Change).toEqual(["Not comparable: break on 3 Oct 2026", "since then +3 points"]);
  expect(ukraine["Largest move in 90 days"]).toEqual([
    "−2 points",
    "75 on 5 Oct, 73 on 6 Oct 2026, latest of 2 of this size",
  ]);
  expect($("p").text()).toContain("Values before and after a break are not comparable.");
});

test("the page of a dataset leads to its series, with the country or topic that it is filtered by", async () => {
  const addresses = {
    "/data/conflict-events?country=SD": "/series/conflict.events?keys=SD",
    "/data/trade-flows?reporting_country=484": "/series/trade.exports?keys=484",
    "/data/news-topic-timelines?topic=cyber": "/series/news.tone?keys=cyber",
    "/data/risk-scores": "/series/risk.score",
  };
  for (const [path, series] of Object.entries(addresses)) {
    const links = (await page(path))("header.top p:contains('Over time:') a");
    expect(links.map((_, { attribs }) => attribs.href).get(), path).toContain(series);
  }
  expect((await page("/data/eu-gas-storage?country=DE"))("figure.chart")).toHaveLength(0);
  expect((await page("/data/tech-events"))("header.top").text()).not.toContain("Over time");
});

test("a dataset with at most two series and no other picture starts with their charts", async () => {
  const $ = await page("/data/eu-gas-storage");
  const titles = $("main section > h2").toArray();
  expect(titles.slice(0, 3).map((title) => $(title).text())).toEqual(["Gas storage", "Gas stored", "Rows"]);
  expect($("section:has(> #gas-stored) figure.chart").attr("data-unit")).toBe("TW.h");
  expect($("#gas-fill-menu").attr("data-title")).toBe("European Union: gas storage");
  const topic = await page("/data/news-topic-timelines?topic=cyber");
  expect(topic("section:has(> #news-tone) figure.chart g[data-key]").attr("data-key")).toBe("cyber");
  for (const path of ["/data/risk-scores", "/data/conflict-events", "/data/supply-vulnerability?country_code=DE"])
    expect((await page(path))("figure.chart"), path).toHaveLength(0);
});
