import fc from "fast-check";
import { expect, test } from "vitest";
import { PhysicalPremiumRegime as Regime } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { grading } from "../../../../src/domains/market/divergence/divergence-method.ts";
import { grade } from "../../../../src/domains/market/divergence/divergence-reading.ts";

const { NORMAL, ELEVATED, STRESSED, EXTREME } = Regime;

test.each([
  ["gold", -1.05, 100, NORMAL, 0],
  ["gold", 0, 100, NORMAL, 0],
  ["gold", 0.49, 100, NORMAL, 22.05],
  ["gold", 0.5, 79.9, NORMAL, 22.5],
  ["gold", 0.5, 80, ELEVATED, 45],
  ["gold", 0.5, 95, STRESSED, 70],
  ["gold", 0.5, 99, EXTREME, 90],
  ["gold", 1, 50, ELEVATED, 45],
  ["gold", 2, 50, ELEVATED, 57.5],
  ["gold", 2.4585, 50, ELEVATED, 63.23],
  ["gold", 3, 50, STRESSED, 70],
  ["gold", 4, 50, STRESSED, 80],
  ["gold", 4.9999, 10, STRESSED, 89.99],
  ["gold", 5, 1, EXTREME, 100],
  ["silver", 2.4999, 100, NORMAL, 22.5],
  ["silver", 2.5, 100, EXTREME, 90],
  ["silver", 7.4484, 60, ELEVATED, 57.24],
  ["silver", 12.81, 90, STRESSED, 75.62],
  ["silver", 19.999, 10, STRESSED, 89.99],
  ["silver", 20, 1, EXTREME, 100],
] as const)(
  "%s at %d percent and percentile %d is of regime %i with index %d",
  (metal, premium, share, regime, index) => {
    expect(grade(premium, share, grading[metal].bands)).toEqual({ regime, index });
  },
);

const metal = fc.constantFrom("gold", "silver");
const premium = fc.integer({ min: -100_000, max: 400_000 }).map((value) => value / 10_000);
const share = fc.integer({ min: 0, max: 10_000 }).map((value) => value / 100);
const floors = new Map<Regime, number>([
  [NORMAL, 0],
  [ELEVATED, 45],
  [STRESSED, 70],
  [EXTREME, 90],
]);

test("an index lies between its regime's floor and 100", () => {
  fc.assert(
    fc.property(metal, premium, share, (name, pct, rank) => {
      const { regime, index } = grade(pct, rank, grading[name as "gold"].bands);
      expect(index).toBeGreaterThanOrEqual(floors.get(regime) ?? Number.NaN);
      expect(index).toBeLessThanOrEqual(100);
    }),
  );
});

test("index and regime never fall when the premium or its rank rises", () => {
  fc.assert(
    fc.property(metal, premium, premium, share, share, (name, one, other, rank, higher) => {
      const of = (pct: number, at: number) => grade(pct, at, grading[name as "gold"].bands);
      const low = of(Math.min(one, other), Math.min(rank, higher));
      const high = of(Math.max(one, other), Math.max(rank, higher));
      expect(high.index).toBeGreaterThanOrEqual(low.index);
      expect(high.regime).toBeGreaterThanOrEqual(low.regime);
    }),
  );
});
