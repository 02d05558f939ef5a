import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { dayMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";
import { type CurrentFigure, currentFigures, type Figure } from "./current-figures.ts";

interface Listed {
  readonly id: string;
  readonly step: string;
  readonly aggregation: string;
  readonly firstAt: number;
}

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value: number;
  readonly isBreak: boolean;
}

let database: Database;
let app: TestApp;
let listed: readonly Listed[];
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  ({ series: listed } = await app.json<{ series: Listed[] }>("/api/history/v1/list-series"));
}, 120_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const daysKnown = 395;
const longAgo = new Date(testTime.getTime() - 30 * 365 * dayMs);
/** Days between two points that don't count as a hole: a market rests for some, and a monthly source for more. */
const usualDays = new Map([
  ["refresh", 1],
  ["day", 1],
  ["quarter", 92],
  ["year", 366],
]);
/** The longest holes of sources that skip some days. */
const holes = new Map([
  ["premium.percent", 11],
  ["premium.usd", 11],
  ["news.tone", 2],
  ["news.articles", 2],
  // A month that was never counted.
  ["labor.figure", 92],
]);

const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);
const isShown = (figure: CurrentFigure | "webhooks" | undefined): figure is CurrentFigure => typeof figure === "object";

async function keysOf(series: string, max: number): Promise<string[]> {
  const { rows } = (await database.query(
    "select key from series_key where series = $1 and origin = 'sample' order by md5(key) limit $2",
    [series, max],
  )) as { rows: { key: string }[] };
  return rows.map(({ key }) => key);
}

/** The points of the keys, oldest first. */
async function pointsOf(series: string, keys: readonly string[], query = ""): Promise<Map<string, Point[]>> {
  const from = dayOf(longAgo.getTime());
  const { points } = await app.json<{ points: Point[] }>(
    `/api/history/v1/get-series?series=${series}&keys=${keys.map(encodeURIComponent)}&from=${from}${query}`,
  );
  return Map.groupBy(points, ({ key }) => key);
}

/** Points of single days, weighted alike, summed by week from the first. */
function byWeek(points: readonly Point[], first: number): number[] {
  const weeks: number[] = [];
  for (const { at, value } of points) {
    const week = Math.floor((at - first) / (7 * dayMs));
    weeks[week] = (weeks[week] ?? 0) + value;
  }
  return Array.from(weeks, (sum) => sum ?? 0);
}

function correlation(a: readonly number[], b: readonly number[]): number {
  const mean = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [meanA, meanB] = [mean(a), mean(b)];
  const product = a.map((value, place) => (value - meanA) * ((b[place] ?? 0) - meanB));
  const spread = (values: readonly number[], middle: number) => Math.sqrt(mean(values.map((v) => (v - middle) ** 2)));
  return mean(product) / (spread(a, meanA) * spread(b, meanB));
}

describe("the sample's history", () => {
  test("reaches back more than a year in every series, at its cadence, without holes and breaks", async () => {
    for (const { id, step, firstAt } of listed) {
      const points = await pointsOf(id, await keysOf(id, 8));
      expect(points.size, id).toBeGreaterThan(0);
      const firsts = [...points.values()].map(([first]) => first?.at ?? 0);
      expect(firstAt, id).toBeLessThanOrEqual(testTime.getTime() - daysKnown * dayMs);
      expect(Math.min(...firsts), id).toBeGreaterThanOrEqual(firstAt);
      const max = Math.max(usualDays.get(step) ?? 0, (holes.get(id) ?? 0) + 1);
      for (const [key, own] of points) {
        expect(own[0]?.at, `${id} ${key}`).toBeLessThanOrEqual(testTime.getTime() - daysKnown * dayMs);
        expect(
          own.filter(({ isBreak }) => isBreak),
          `${id} ${key}`,
        ).toEqual([]);
        for (const [place, { at }] of own.entries()) {
          const before = own[place - 1]?.at ?? at;
          expect(
            Math.floor(at / dayMs) - Math.floor(before / dayMs),
            `${id} ${key} before ${dayOf(at)}`,
          ).toBeLessThanOrEqual(max);
        }
      }
    }
  });

  test("counts in every week about as much as in those that the sample lists", async () => {
    for (const { id } of listed.filter(({ aggregation }) => aggregation === "sum")) {
      const points = [...(await pointsOf(id, await keysOf(id, 40))).values()].flat();
      const weeks = byWeek(points, Math.min(...points.map(({ at }) => at))).slice(0, -1);
      const median = weeks.toSorted((a, b) => a - b)[Math.floor(weeks.length / 2)] ?? 0;
      expect(weeks.length, id).toBeGreaterThan(daysKnown / 7 - 1);
      expect(median, id).toBeGreaterThan(0);
      // Some weeks report one outage, and some none.
      const min = median > 20 ? median / 4 : 0;
      for (const [week, sum] of weeks.entries()) {
        expect(sum, `${id} week ${week}`).toBeGreaterThanOrEqual(min);
        expect(sum, `${id} week ${week}`).toBeLessThan(median * 5);
      }
      const ofUkraine = (await pointsOf(id, ["UA"])).get("UA") ?? [];
      expect(maxQuietMs(ofUkraine), id).toBeLessThan(id.startsWith("conflict") ? 14 : 200);
    }
  });

  test("ends with the current value of the read that shows it", async () => {
    for (const { id } of listed) {
      const shown = currentFigures[id];
      expect(shown, `where ${id} is shown`).toBeDefined();
      if (!isShown(shown)) continue;
      const figures = shown.read((await app.json<unknown>(shown.path)) as never);
      expect(figures.length, id).toBeGreaterThan(0);
      await expectReported(id, figures);
    }
  });

  test("moves related values together: gas with its level, premiums with their percentage, deaths and risk with events", async () => {
    const values = async (id: string, key: string) =>
      new Map(((await pointsOf(id, [key])).get(key) ?? []).map(({ at, value }) => [at, value]));
    const [fill, stored] = [await values("gas.fill", "EU"), await values("gas.stored", "EU")];
    for (const [at, level] of fill) expect((stored.get(at) ?? 0) / level, dayOf(at)).toBeCloseTo(11.3, 1);
    const [percent, dollars] = [await values("premium.percent", "gold"), await values("premium.usd", "gold")];
    expect([...percent.keys()]).toEqual([...dollars.keys()]);
    for (const [at, share] of percent) expect((dollars.get(at) ?? 0) / share, dayOf(at)).toBeGreaterThan(30);
    const [events, deaths] = [await values("conflict.events", "UA"), await values("conflict.fatalities", "UA")];
    for (const [at, count] of deaths) expect((events.get(at) ?? 0) > 0 || count === 0, dayOf(at)).toBe(true);

    const first = testTime.getTime() - daysKnown * dayMs;
    const inYear = ({ at }: Point) => at >= first && at < testTime.getTime() - 70 * dayMs;
    for (const key of ["UA", "MM", "YE"]) {
      const [risk, violence] = await Promise.all(
        ["risk.score", "conflict.events"].map(async (id) =>
          byWeek(((await pointsOf(id, [key])).get(key) ?? []).filter(inYear), first).slice(1, -1),
        ),
      );
      expect(correlation(risk ?? [], violence ?? []), key).toBeGreaterThan(0.4);
    }
  });

  test("says as of a day what its series say of that day, or since when there is anything", async () => {
    let reported = 0;
    for (const { id } of listed) {
      const shown = currentFigures[id];
      if (!isShown(shown)) continue;
      for (const daysAgo of [1, 10]) {
        const day = dayOf(testTime.getTime() - daysAgo * dayMs);
        const response = await app.get(`${shown.path}${shown.path.includes("?") ? "&" : "?"}as_of=${day}`);
        const answer = (await response.json()) as never;
        if (response.status === 400) {
          expect(answer, id).toMatchObject({
            violations: [
              {
                field: "as_of",
                description: expect.stringMatching(
                  /or later: no earlier versions of [a-z-]+ are stored\. GetSeries may have earlier values of [a-z.]+$/,
                ),
              },
            ],
          });
          continue;
        }
        expect(response.status, id).toBe(200);
        expect(response.headers.get("X-Data-Origin"), id).toBe("sample");
        const figures = shown.read(answer);
        await expectReported(id, figures, `&to=${day}`);
        await expectReported(id, figures, `&as_of=${day}`);
        reported += figures.length;
      }
    }
    expect(reported).toBeGreaterThan(50);
  });
});

test("what is invented stays as it was when the sample has moved on by a week", { timeout: 120_000 }, async () => {
  await using stack = new AsyncDisposableStack();
  const own = stack.adopt(await openLoaded(), (opened) => opened.close());
  const later = stack.use(await startApp(own));
  const past = async () =>
    Promise.all(
      ["outages.count&keys=SY,US", "conflict.events&keys=UA", "gas.fill&keys=EU", "premium.usd&keys=gold"].map(
        (series) => later.json(`/api/history/v1/get-series?series=${series}&from=2025-10-20&to=2026-06-15`),
      ),
    );
  const before = await past();
  for (const days of [1, 7]) {
    later.setTime(new Date(testTime.getTime() + days * dayMs));
    for (const name of ["internet-outages", "conflict-events", "eu-gas-storage", "metal-premiums"] as const)
      await later.refresh(name);
    expect(await past()).toEqual(before);
  }
});

/** The series says of the days of the figures what they are; without a day it ends with them. */
async function expectReported(series: string, figures: readonly Figure[], query = ""): Promise<void> {
  const points = await pointsOf(series, [...new Set(figures.map(({ key }) => key))].slice(0, 40), query);
  expect(points.size, series).toBeGreaterThan(0);
  for (const [key, own] of points) {
    const reported = new Map(own.map(({ at, value }) => [dayOf(at), value]));
    for (const figure of figures.filter((each) => each.key === key)) {
      const value = figure.day === undefined ? own.at(-1)?.value : reported.get(figure.day);
      expect(value, `${series} ${key} ${figure.day}${query}`).toBe(figure.value);
    }
  }
}

/** Days in a row without anything. */
function maxQuietMs(points: readonly Point[]): number {
  let [max, quiet] = [0, 0];
  for (const { value } of points) {
    quiet = value === 0 ? quiet + 1 : 0;
    max = Math.max(max, quiet);
  }
  return max;
}
