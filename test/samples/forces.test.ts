import { expect, test } from "vitest";
import { defenseIndicators } from "../../src/domains/military/defense/defense-indicators.ts";
import { sampleUpstream } from "../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");
const { rows } = defenseIndicators.parse(
  await defenseIndicators.fetch(sampleUpstream(defenseIndicators.name, () => now)),
  now,
);

/** The newest value of an indicator by country. */
function newest(indicator: string): ReadonlyMap<string, number> {
  const own = rows.filter((row) => row.indicator === indicator).sort((a, b) => Number(a.year) - Number(b.year));
  return new Map(own.map(({ countryCode = "", value = 0 }) => [countryCode, value]));
}

const [burden, soldiers, dollars] = ["MS.MIL.XPND.GD.ZS", "MS.MIL.TOTL.P1", "MS.MIL.XPND.CD"].map(newest);

test.each([
  ["UA", 25, 40, 700, 900],
  ["RU", 5, 7, 1_100, 1_300],
  ["US", 3.2, 3.6, 1_250, 1_400],
  ["IL", 7, 9, 150, 190],
  ["PL", 3.5, 4.5, 150, 230],
  ["SA", 6, 8, 220, 290],
  ["CN", 1.5, 1.9, 1_900, 2_150],
  ["IN", 2, 2.7, 1_400, 1_550],
  ["KP", 15, 30, 1_150, 1_350],
] as const)("%s spends %s to %s percent of GDP and has %s to %s thousand soldiers", (country, low, high, min, max) => {
  expect(burden?.get(country)).toBeGreaterThan(low);
  expect(burden?.get(country)).toBeLessThan(high);
  expect((soldiers?.get(country) ?? 0) / 1000).toBeGreaterThan(min);
  expect((soldiers?.get(country) ?? 0) / 1000).toBeLessThan(max);
});

test("the largest forces and spenders are those of large states", () => {
  const first = (values: ReadonlyMap<string, number> | undefined, count: number) =>
    [...(values ?? [])]
      .sort(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([country]) => country);
  expect(first(soldiers, 6).sort()).toEqual(["CN", "IN", "KP", "RU", "UA", "US"]);
  expect(first(dollars, 2)).toEqual(["US", "CN"]);
  expect(first(burden, 2)).toEqual(expect.arrayContaining(["UA"]));
});
