import { load } from "cheerio";
import { beforeAll, describe, expect, test } from "vitest";
import { labelOf } from "../../src/contract/labels.ts";
import { startBed } from "../support/console/bed.ts";

const bed = startBed();
const page = async (path: string) =>
  load(await (await bed.app.get(path, { key: null, headers: { Accept: "text/html" } })).text());
type Page = Awaited<ReturnType<typeof page>>;

interface Mover {
  readonly key: string;
  readonly valueNow: number;
  readonly change: number;
  readonly components: readonly { readonly name: string; readonly change?: number }[];
}

const moversOf = async (series: string, days: number, limit = 100, direction = "any") =>
  (
    await bed.app.json<{ movers: readonly Mover[] }>(
      `/api/history/v1/list-movers?series=${series}&days=${days}&limit=${limit}&direction=${direction}`,
    )
  ).movers;

/** At most five changes for the worse, and then at most five for the better. */
async function listsOf(series: string, days: number, max = 3): Promise<readonly Mover[]> {
  const [up, down] = await Promise.all(["up", "down"].map((direction) => moversOf(series, days, max, direction)));
  return [...((series === "risk.score" ? up : down) ?? []), ...((series === "risk.score" ? down : up) ?? [])];
}

const largestIn = (movers: readonly Mover[]) => Math.max(...movers.map(({ change }) => Math.abs(change)));

const numberIn = (text: string) => Number(text.replace("−", "-"));

function shownIn($: Page) {
  return $(".movers > li")
    .toArray()
    .map((each) => {
      const [change = "", now = ""] = $(each).find("p.number").text().split(" to ");
      const key = $(each).find("a").attr("href")?.split("/").at(-1);
      return { key, change: numberIn(change), now: Number(now), reason: $(each).find("p.small").text() };
    });
}

describe("the largest changes on the home page", () => {
  let series: readonly string[];
  beforeAll(async () => {
    const listed = await bed.app.json<{ series: readonly { id: string; components: string }[] }>(
      "/api/history/v1/list-series",
    );
    series = listed.series.filter(({ components }) => components !== "").map(({ id }) => id);
  });

  test("are those of ListMovers for each explained series and period, before the map", async () => {
    for (const days of [7, 30, 90]) {
      const $ = await page(days === 30 ? "/" : `/?days=${days}`);
      const movers = await Promise.all(series.map((id) => listsOf(id, days)));
      const expected = movers
        .sort((a, b) => largestIn(b) - largestIn(a))
        .flat()
        .map(({ key, change, valueNow }) => ({ key, change, now: valueNow }));
      expect(shownIn($).map(({ reason: _, ...rest }) => rest)).toEqual(expected);
      const titles = $(".groups h4")
        .toArray()
        .map((each) => $(each).text());
      expect(titles).toEqual(series.flatMap(() => ["Worse", "Better"]));
      expect($("#movers").text()).toBe(`Largest changes, ${days} days`);
      expect($("[aria-label=Period] [aria-current]").text()).toBe(`${days} days`);
      expect(
        $("main section > h2")
          .toArray()
          .map((each) => $(each).attr("id"))
          .slice(0, 2),
      ).toEqual(["movers", "world"]);
    }
  });

  test("have reasons that add up to the change, and name the two largest components", async () => {
    const $ = await page("/");
    const all = (await Promise.all(series.map((id) => listsOf(id, 30)))).flat();
    for (const { key, change, reason } of shownIn($)) {
      const parts = [...reason.matchAll(/[+−][\d.]+/g)].map(([text]) => numberIn(text));
      expect(
        parts.reduce((sum, each) => sum + each, 0),
        `${key} ${reason}`,
      ).toBeCloseTo(change, 6);
      const mover = all.find((each) => each.key === key && each.change === change);
      const [largest] = mover?.components ?? [];
      expect(parts[0]).toBeCloseTo(largest?.change ?? Number.NaN, 1);
    }
  });
});

test("the page and the brief of a country name each component that changed, also if all changes are small", async () => {
  const named = async (code: string, series: string, least: number) => {
    const path = `/api/history/v1/list-movers?series=${series}&days=30&keys=${code}`;
    const { components = [] } = (await bed.app.json<{ movers: readonly Mover[] }>(path)).movers[0] ?? {};
    const names = components.flatMap(({ name, change = 0 }) => (Math.abs(change) >= least ? [labelOf(name)] : []));
    expect(names.length, `${code} ${series}`).toBeGreaterThan(3);
    for (const shownAt of [`/countries/${code}`, `/countries/${code}/brief`]) {
      const texts = (await page(shownAt))("p:contains('In 30 days:')").map((_, each) => load(each).text());
      const own = texts.get().find((text) => names.every((name) => text.includes(`${name} `)));
      expect(own, `${shownAt} ${names}`).toMatch(/In 30 days: [+−\d.]+\. /);
      expect(own).not.toContain("others");
    }
  };
  await named("UA", "risk.score", 0.06);
  await named("UA", "resilience.score", 0.06);
  await named("TW", "resilience.score", 0.006);
});

test("the ranking has the change of each scored country and sorts by it", async () => {
  const movers = new Map((await moversOf("risk.score", 30)).map(({ key, change }) => [key, change]));
  const $ = await page("/countries?sort=change");
  expect($("th[aria-sort]").text()).toBe("30-day change");
  const shown = $("#countries tbody tr:has(td[data-label='30-day change'] .bar-cell)").toArray();
  const changes = shown.map((row) => ({
    key: $(row).find("th a").attr("href")?.split("/").at(-1) ?? "",
    change: numberIn($(row).find("td[data-label='30-day change'] .bar-cell > span").first().text()),
  }));
  expect(changes.length).toBeGreaterThan(20);
  for (const { key, change } of changes) expect(change, key).toBe(movers.get(key) ?? 0);
  expect(changes.map(({ change }) => change)).toEqual(changes.map(({ change }) => change).sort((a, b) => b - a));
});

test("the ranking shows a curve and the reason of each change, also of one of 0", async () => {
  const $ = await page("/countries");
  const cells = $("#countries td[data-label='30-day change']:has(.bar-cell)").toArray();
  expect(cells.some((cell) => $(cell).find(".bar-cell > span").text() === "0")).toBe(true);
  for (const cell of cells) {
    expect($(cell).find(".spark path").attr("d")).toMatch(/L/);
    expect($(cell).find("> .small").text()).not.toBe("");
  }
  const shown = shownIn($).slice(0, 10);
  expect(shown.map(({ key }) => key)).toEqual((await listsOf("risk.score", 30, 5)).map(({ key }) => key));
});

test("a country page says why each score changed, with a link to the inputs", async () => {
  const $ = await page("/countries/UA");
  const [mover] = (await moversOf("risk.score", 30)).filter(({ key }) => key === "UA");
  const text = $("section:has(> #risk) p:contains('In 30 days')");
  const change = mover?.change ?? 0;
  const sign = change > 0 ? "+" : change < 0 ? "−" : "";
  expect(text.find("strong").text()).toBe(`${sign}${Math.abs(change)}`);
  expect(text.find("a").attr("href")).toContain("op=GetRiskScoreExplanation&region=UA");
  expect($("section:has(> #resilience) p:contains('In 30 days')")).toHaveLength(1);
});
