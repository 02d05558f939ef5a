import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { metals } from "../../../../src/domains/market/metals.ts";
import { currentPremiums } from "../../../../src/domains/market/premiums/metal-premiums.ts";
import { premiumOf } from "../../../../src/domains/market/premiums/premium-table.ts";
import { roundedAway } from "../../../../src/reference/rounding.ts";

const [gold, silver] = metals;

test.each([
  [gold, { physical: 800, rate: 0.14, paper: 3400 }, { usdPerOz: 83.5894, pct: 2.4585 }],
  [silver, { physical: 9500, rate: 0.14, paper: 38.5 }, { usdPerOz: 2.8676, pct: 7.4484 }],
  [gold, { physical: 800, rate: 0.14, paper: 3483.5894016 }, { usdPerOz: 0, pct: 0 }],
  [gold, { physical: 780.86, rate: 0.14, paper: 3500 }, { usdPerOz: -99.7555, pct: -2.8502 }],
])("the premium of %o at %j is %j", (metal, prices, premium) => {
  expect(premiumOf(metal, prices)).toEqual(premium);
});

test("a premium is physical over paper, whatever the prices, to half of the fourth decimal", () => {
  const price = fc.double({ min: 0.01, max: 1e5, noNaN: true });
  fc.assert(
    fc.property(
      fc.constantFrom(...metals),
      price,
      price,
      fc.double({ min: 0.05, max: 0.5, noNaN: true }),
      (metal, physical, paper, rate) => {
        const perOunce = (physical * rate * 31.1034768) / (metal.metal === "gold" ? 1 : 1000);
        const { usdPerOz, pct } = premiumOf(metal, { physical, paper, rate });
        expect(Math.abs(usdPerOz - (perOunce - paper))).toBeLessThanOrEqual(0.0000501 + perOunce * 1e-12);
        const exact = (perOunce / paper - 1) * 100;
        expect(Math.abs(pct - exact)).toBeLessThanOrEqual(0.0000501 + Math.abs(exact) * 1e-9);
      },
    ),
  );
});

test.each([
  [1.00005, 4, 1.0001],
  [-0.00001, 4, 0],
  [0, 2, 0],
  [63.23125, 2, 63.23],
  [-2.5, 0, -3],
])("%d to %i decimals is %d", (value, decimals, rounded) => {
  expect(roundedAway(value, decimals)).toBe(rounded);
});

const quotes = (...rows: readonly (readonly [string, string, string])[]) =>
  rows.map(([symbol, price, asOf]) => create(MetalQuoteSchema, { symbol, price, asOf, source: `of ${symbol}` }));
const reported = { origin: "live" as const, now: new Date("2026-07-13T08:00:00Z") };
const all = [
  ["SHAU", "800", "2026-07-10"],
  ["SHAG", "9500", "2026-07-10"],
  ["GC=F", "3400", "2026-07-13T07:59:00.000Z"],
  ["SI=F", "38.5", "2026-07-13T07:58:00.000Z"],
  ["CNY/USD", "0.14", "2026-07-10T14:15:00.000Z"],
] as const;

test("the newest quote of each symbol is taken, and its clock with it", () => {
  const older = [
    ["SHAU", "700", "2026-07-09"],
    ["CNY/USD", "0.2", "2026-07-09T14:15:00.000Z"],
    ["GC=F", "1", ""],
  ] as const;
  for (const rows of [quotes(...older, ...all), quotes(...all, ...older)])
    expect(currentPremiums(rows, reported)).toMatchObject([
      {
        metal: "gold",
        print_date: "2026-07-10",
        paper_as_of: new Date("2026-07-13T07:59:00Z"),
        fx_as_of: new Date("2026-07-10T14:15:00Z"),
        premium_usd_per_oz: "83.5894",
        premium_pct: "2.4585",
        computed_at: reported.now,
      },
      { metal: "silver", paper_as_of: new Date("2026-07-13T07:58:00Z"), premium_pct: "7.4484" },
    ]);
});

test.each(all.map(([symbol]) => symbol))("without %s there is no premium of the metals that need it", (missing) => {
  const there = currentPremiums(quotes(...all.filter(([symbol]) => symbol !== missing)), reported);
  const without = missing === "CNY/USD" ? ["gold", "silver"] : /^(SHAU|GC)/.test(missing) ? ["gold"] : ["silver"];
  expect(there.map(({ metal }) => metal)).toEqual(["gold", "silver"].filter((metal) => !without.includes(metal)));
});
