import fc from "fast-check";
import { expect, test } from "vitest";
import { PhysicalPremiumTrend as Trend } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { change, percentile, robustZ, trendOf } from "../../../../src/domains/market/divergence/divergence-reading.ts";

const pct = fc.integer({ min: -50_000, max: 250_000 }).map((value) => value / 10_000);
const values = fc.array(pct, { minLength: 1, maxLength: 250 });

test("the percentile is the share of values that are not above, by counting", () => {
  fc.assert(
    fc.property(values, fc.nat(), (all, place) => {
      const value = all[place % all.length] ?? 0;
      const sorted = all.toSorted((a, b) => a - b);
      const share = percentile(all, value);
      expect(share).toBeCloseTo((100 * (sorted.lastIndexOf(value) + 1)) / all.length, 9);
      expect(share).toBeGreaterThan(0);
      expect(percentile(all, Math.max(...all))).toBe(100);
    }),
  );
});

test("the percentile grows with the value, and does not depend on the order", () => {
  fc.assert(
    fc.property(values, pct, pct, (all, one, other) => {
      const [low, high] = [Math.min(one, other), Math.max(one, other)];
      expect(percentile(all, low)).toBeLessThanOrEqual(percentile(all, high));
      expect(percentile(all.toReversed(), one)).toBe(percentile(all, one));
    }),
  );
});

test("a value 9.331566 scaled deviations from the median has that distance", () => {
  expect(robustZ([1.0, 1.2, 1.1, 0.9, 1.3, 1.0, 1.1, 1.05, 0.95, 2.4585], 2.4585)).toBe(9.331566);
});

test("where most values are one, that one is at distance 0 and any other at none", () => {
  expect(robustZ([1, 1, 1, 2], 1)).toBe(0);
  expect(robustZ([1, 1, 1, 2], 2)).toBeUndefined();
});

test("the distance moves with neither origin nor scale, and has the sign of the value's side", () => {
  fc.assert(
    fc.property(
      fc.array(fc.integer({ min: -1000, max: 1000 }), { minLength: 3, maxLength: 60 }),
      fc.nat(),
      (all, place) => {
        const value = all[place % all.length] ?? 0;
        const z = robustZ(all, value);
        expect(
          robustZ(
            all.map((one) => 4 * one + 128),
            4 * value + 128,
          ),
        ).toBe(z);
        const below = all.filter((one) => one < value).length;
        const above = all.filter((one) => one > value).length;
        if (z !== undefined && z !== 0) expect(Math.sign(z)).toBe(Math.sign(below - above));
      },
    ),
  );
});

test.each([
  [[1, 2, 3, 4, 5, 6.5], 5, 5.5],
  [[0.1, 0, 0, 0, 0, 0.3], 5, 0.2],
])("the newest of %j less the one %i before is %d", (all, prints, delta) => {
  expect(change(all, prints)).toBe(delta);
});

test.each([
  [0.0101, Trend.WIDENING],
  [0.01, Trend.STABLE],
  [0, Trend.STABLE],
  [-0.01, Trend.STABLE],
  [-0.0101, Trend.NARROWING],
])("a change of %d percentage points is trend %i", (delta, trend) => {
  expect(trendOf(delta)).toBe(trend);
});
