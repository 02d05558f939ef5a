import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { rowsOf } from "./stories.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
}, 120_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

type Range = readonly [low: number, high: number];

/** Ranges that an expert expects of a country: percent of the labor force, percent a year, percent of GDP twice, percent a year. */
const plausible = rowsOf("plausible-countries.csv").map(([code = "", ...ranges]) => ({
  code,
  ranges: ranges.map((range) => range.split(" to ").map(Number)),
}));

/** Places of a country in the ranking of resilience. */
const ranks: Readonly<Record<string, Range>> = {
  ...{ NO: [1, 6], CH: [1, 8], DK: [1, 8], SE: [1, 9], FI: [1, 9], IS: [1, 15], NZ: [1, 20], DE: [1, 25] },
  ...{ NL: [1, 25], AT: [1, 22], JP: [8, 40], CA: [8, 40], GB: [10, 40], FR: [12, 45], AU: [8, 40], SG: [5, 45] },
  ...{ US: [10, 35], KR: [10, 40], CL: [18, 45], IT: [20, 50], PL: [22, 55], AL: [35, 75], GY: [40, 110] },
  ...{ CN: [45, 95], BR: [30, 75], ZA: [70, 120], IN: [85, 130], TR: [90, 140], EG: [90, 130], NG: [115, 165] },
  ...{ PK: [130, 170], VU: [55, 120], WS: [55, 120], BH: [55, 120], AF: [140, 172], SO: [150, 172], SS: [160, 172] },
};

interface Macro {
  readonly countries: Readonly<Record<string, Readonly<Record<string, number | undefined>>>>;
}
interface Explanation {
  readonly pillars: readonly {
    readonly domains: readonly {
      readonly dimensions: readonly {
        readonly indicators: readonly { readonly id: string; readonly value?: number }[];
      }[];
    }[];
  }[];
}

test("unemployment, growth, revenue, debt and inflation lie where an expert expects them", async () => {
  const codes = plausible.map(({ code }) => code);
  expect(codes.length).toBeGreaterThanOrEqual(40);
  const { data } = await app.json<{ data: Record<"macro" | "growth" | "labor", Macro> }>(
    `/api/economic/v1/get-country-macro?limit=0&countries=${codes.join(",")}`,
  );
  const { labor, growth, macro } = data;
  const wrong: string[] = [];
  const served = new Map<string, number>();
  for (const { code, ranges } of plausible) {
    const { pillars } = await app.json<Explanation>(
      `/api/resilience/v1/get-resilience-score-explanation?country_code=${code}`,
    );
    const dimensions = pillars.flatMap(({ domains }) => domains.flatMap((domain) => domain.dimensions));
    const indicators = dimensions.flatMap((dimension) => dimension.indicators);
    const values = {
      unemployment: labor.countries[code]?.unemploymentPct,
      growth: growth.countries[code]?.realGdpGrowthPct,
      revenue: macro.countries[code]?.govRevenuePct,
      debt: indicators.find(({ id }) => id === "recoveryDebtToGdp")?.value,
      inflation: macro.countries[code]?.inflationPct,
    };
    for (const [place, [what, value]] of Object.entries(values).entries()) {
      if (value === undefined) continue;
      served.set(what, (served.get(what) ?? 0) + 1);
      const [low = 0, high = 0] = ranges[place] ?? [];
      if (value < low || value > high) wrong.push(`${code} ${what} ${value}`);
    }
  }
  expect(wrong).toEqual([]);
  for (const [what, count] of served) expect(count, what).toBeGreaterThanOrEqual(40);
});

test("the ranking of resilience has no absurd neighbors", async () => {
  const { items } = await app.json<{ items: { countryCode: string }[] }>("/api/resilience/v1/get-resilience-ranking");
  const rankOf = (code: string) => items.findIndex(({ countryCode }) => countryCode === code) + 1;
  expect(Object.keys(ranks).length).toBeGreaterThanOrEqual(25);
  expect(
    Object.entries(ranks)
      .filter(([code, [low, high]]) => rankOf(code) < low || rankOf(code) > high)
      .map(([code]) => `${code} ${rankOf(code)}`),
  ).toEqual([]);
  expect(rankOf("CL")).toBeLessThan(rankOf("AL"));
  for (const code of ["VU", "WS", "NR", "BH"])
    if (rankOf(code) > 0) expect(rankOf("KR"), code).toBeLessThan(rankOf(code));
});

describe("gas storage has seasons", () => {
  const yearsKnown = 5;

  async function levels(series: string, key: string): Promise<ReadonlyMap<string, number>> {
    const from = new Date(testTime.getTime() - (yearsKnown + 1) * 366 * 86_400_000).toISOString().slice(0, 10);
    const { points } = await app.json<{ points: { at: number; value: number }[] }>(
      `/api/history/v1/get-series?series=${series}&keys=${key}&from=${from}`,
    );
    return new Map(points.map(({ at, value }) => [new Date(Number(at)).toISOString().slice(0, 10), value]));
  }

  test.each([
    ["gas.fill", "EU"],
    ["gas.country_fill", "DE"],
    ["gas.country_fill", "FR"],
    ["gas.country_fill", "GB"],
  ])(
    "%s of %s is drawn down from November to March and filled from April to October, five years long",
    async (series, key) => {
      const byDay = await levels(series, key);
      expect(byDay.size).toBeGreaterThanOrEqual(yearsKnown * 365);
      expect(Math.max(...byDay.values())).toBeLessThanOrEqual(100);
      const firsts = [...byDay].filter(([day]) => day.endsWith("-01"));
      const wrong = firsts.slice(1).filter(([, level], place) => {
        const [before = "", levelBefore = 0] = firsts[place] ?? [];
        const month = Number(before.slice(5, 7));
        return month >= 4 && month <= 10 ? level <= levelBefore : level >= levelBefore;
      });
      expect(firsts.length).toBeGreaterThanOrEqual(yearsKnown * 12);
      expect(wrong).toEqual([]);
      const winters = firsts.filter(([day]) => day.slice(5, 7) === "04").map(([, level]) => level);
      expect(Math.max(...winters) - Math.min(...winters), "no two winters leave the same").toBeGreaterThan(3);
    },
  );

  test.each([
    ["2027-01-20T12:00:00Z", "withdrawing"],
    ["2027-07-20T12:00:00Z", "injecting"],
    ["2027-09-15T12:00:00Z", "injecting"],
  ])("a sample that starts at %s is %s", async (at, trend) => {
    app.setTime(new Date(at));
    await app.refresh("eu-gas-storage");
    expect(await app.json("/api/economic/v1/get-eu-gas-storage")).toMatchObject({ trend });
  });
});
