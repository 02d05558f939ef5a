import fc from "fast-check";
import { expect, test } from "vitest";
import { type InputName, inputs } from "../../../../src/domains/resilience/inputs.ts";
import { intervalOf } from "../../../../src/domains/resilience/method/interval.ts";
import { type DimensionId, dimensions, pillars } from "../../../../src/domains/resilience/method/structure.ts";
import { confidenceOf, isEligible, movementOf } from "../../../../src/domains/resilience/scoring/assessment.ts";
import { aggregated, penalised, scoreCountry } from "../../../../src/domains/resilience/scoring/country-score.ts";
import type { DimensionScore } from "../../../../src/domains/resilience/scoring/dimension-score.ts";
import { everySource, now, type Reported, worldReporting } from "../../../support/domains/resilience.ts";

const pillar = (score: number, weight: number, coverage = 1) => ({ score, weight, coverage });

test("pillars of 70, 60 and 50 come to 46.13, for the weakest takes a quarter away", () => {
  const [a, b, c] = Object.values(pillars);
  expect(penalised([pillar(70, a ?? 0), pillar(60, b ?? 0), pillar(50, c ?? 0)])).toBeCloseTo(46.125, 9);
});

test("a pillar without coverage leaves mean and minimum; without any there is no score", () => {
  expect(penalised([pillar(80, 0.4), pillar(0, 0.35, 0), pillar(60, 0.25)])).toBeCloseTo(
    ((80 * 0.4 + 60 * 0.25) / 0.65) * 0.8,
    9,
  );
  expect(penalised([pillar(80, 0.4, 0)])).toBe(0);
});

const dimension = (id: DimensionId, over: Partial<DimensionScore> = {}): DimensionScore => ({
  ...{ id, score: 0, coverage: 0, observedWeight: 0, imputedWeight: 0, imputationClass: "" as const, slots: [] },
  freshness: { readAt: undefined, staleness: "" as const },
  ...over,
});
const whole = (score: number) =>
  (Object.keys(dimensions) as DimensionId[]).map((id) => dimension(id, { score, coverage: 1, observedWeight: 1 }));
const reported = (...some: DimensionScore[]) =>
  (Object.keys(dimensions) as DimensionId[]).map((id) => some.find((each) => each.id === id) ?? dimension(id));

test("who has the same score everywhere has it in every part, less the penalty", () => {
  const { overall, baseline, stress, stressFactor, level } = aggregated("NO", whole(80));
  expect({ overall, baseline, stress, stressFactor, level }).toEqual({
    ...{ overall: 72, baseline: 80, stress: 80, stressFactor: 0.2, level: "high" },
  });
});

test("an imputed dimension counts by half, and each by its coverage and weight", () => {
  const { domains } = aggregated(
    "NO",
    reported(
      dimension("macroFiscal", { score: 80, coverage: 1, observedWeight: 1 }),
      dimension("currencyExternal", { score: 50, coverage: 0.3, imputedWeight: 1, imputationClass: "unmonitored" }),
      dimension("tradePolicy", { score: 60, coverage: 0.5, observedWeight: 0.5 }),
    ),
  );
  const weights = [1, 0.3 * 0.5, 0.5 * 0.5];
  const expected = (80 * 1 + 50 * 0.15 + 60 * 0.25) / weights.reduce((sum, weight) => sum + weight, 0);
  expect(domains[0]?.score).toBe(Math.round(expected * 100) / 100);
  expect(domains[0]?.coverage).toBeCloseTo((1 + 0.3 + 0.5 + 0) / 4, 9);
});

test("a retired dimension and an absent fund are not part of coverage", () => {
  const recovery = (imputationClass: DimensionScore["imputationClass"]) =>
    aggregated(
      "NO",
      reported(
        dimension("fiscalSpace", { score: 50, coverage: 1, observedWeight: 1 }),
        dimension("sovereignFiscalBuffer", { imputationClass }),
      ),
    ).domains[5]?.coverage;
  expect(recovery("not-applicable")).toBeCloseTo(1 / 5, 9);
  expect(recovery("")).toBeCloseTo(1 / 6, 9);
});

test("of whom nothing is known the level is unknown, and nothing can be trusted", () => {
  const nothing = aggregated("NO", reported());
  expect(nothing).toMatchObject({ overall: 0, level: "unknown" });
  expect(confidenceOf(nothing, 5e6)).toMatchObject({ lowConfidence: true, headlineEligible: false });
});

test.each([
  [30, 90, "high"],
  [75, 60, "medium"],
  [25, 30, "low"],
])("the level of a country whose dimensions all score %i (or %i) is by the overall score", (low, score) => {
  const { overall, level } = aggregated("NO", whole(score));
  expect(level).toBe(overall >= 60 ? "high" : overall >= 30 ? "medium" : "low");
  expect(aggregated("NO", whole(low)).overall).toBeLessThanOrEqual(low);
});

test.each([
  [0.65, 200_000, false, true],
  [0.649, 200_000, false, false],
  [0.65, 199_999, false, false],
  [0.849, 199_999, false, false],
  [0.85, 199_999, false, true],
  [0.849, undefined, false, false],
  [0.85, undefined, false, true],
  [1, 1e9, true, false],
])("coverage %f, %s people and low confidence %s: eligible %s", (coverage, population, lowConfidence, eligible) => {
  expect(isEligible({ coverage, population, lowConfidence })).toBe(eligible);
});

test("what is aging counts for 0.7 of its coverage, what is stale for 0.4", () => {
  const of = (staleness: "fresh" | "aging" | "stale") =>
    confidenceOf(
      aggregated(
        "NO",
        whole(50).map((each) => ({ ...each, freshness: { readAt: now, staleness } })),
      ),
      5e6,
    ).overallCoverage;
  expect([of("fresh"), of("aging"), of("stale")].map((share) => Math.round(share * 100))).toEqual([100, 70, 40]);
});

test("the share of what is imputed is of all weight", () => {
  const some = reported(
    dimension("macroFiscal", { score: 1, coverage: 1, observedWeight: 1 }),
    dimension("education", { score: 50, coverage: 0.3, imputedWeight: 1, imputationClass: "unmonitored" }),
    dimension("tradePolicy", { score: 60, coverage: 0.6, observedWeight: 0.4, imputedWeight: 0.6 }),
  );
  expect(confidenceOf(aggregated("NO", some), 5e6).imputationShare).toBe(0.5333);
});

test("a trend needs three days and half a percent a day; the change is against the oldest day", () => {
  expect(movementOf([], 50)).toEqual({ trend: "stable", change30d: 0, hasChange30d: false });
  expect(movementOf([48], 50)).toEqual({ trend: "stable", change30d: 2, hasChange30d: true });
  expect(movementOf([48, 49], 50)).toEqual({ trend: "rising", change30d: 2, hasChange30d: true });
  expect(movementOf([50, 49], 48)).toEqual({ trend: "falling", change30d: -2, hasChange30d: true });
  expect(movementOf([50, 50.1, 50.2], 50.3)).toEqual({ trend: "stable", change30d: 0.3, hasChange30d: true });
  expect(movementOf([0, 0], 0)).toEqual({ trend: "stable", change30d: 0, hasChange30d: true });
});

test("an interval is the same at every time, holds the score, and is a point where all pillars are equal", () => {
  const unequal = [pillar(80, 0.4), pillar(40, 0.35), pillar(60, 0.25)];
  const overall = Math.round(penalised(unequal) * 100) / 100;
  const interval = intervalOf("NO", unequal, overall);
  expect(interval).toEqual(intervalOf("NO", unequal, overall));
  expect(interval.p05).toBeLessThanOrEqual(overall);
  expect(interval.p95).toBeGreaterThanOrEqual(overall);
  expect(interval.p95 - interval.p05).toBeGreaterThan(0.2);
  expect(interval.p95 - interval.p05).toBeLessThan(4);
  expect(intervalOf("SE", unequal, overall)).not.toEqual(interval);
  expect(intervalOf("NO", [pillar(80, 0.4), pillar(80, 0.6)], 72)).toEqual({ p05: 72, p95: 72 });
});

const anything = fc.dictionary(
  fc.constantFrom(...(Object.keys(inputs) as InputName[])),
  fc.oneof(fc.double({ min: -1e12, max: 1e12, noNaN: true }), fc.constantFrom(0, 1, 20, 100)),
);

test("every part of a country's score stays within its bounds, whatever the inputs", () => {
  fc.assert(
    fc.property(anything, fc.subarray(everySource), (values, unread) => {
      const world = worldReporting({ NO: values as Reported }, unread);
      const scored = scoreCountry(world.of("NO"), world);
      const { overallCoverage, imputationShare } = confidenceOf(scored, undefined);
      const scores = [scored.overall, scored.baseline, scored.stress, ...scored.domains.map(({ score }) => score)];
      expect(scores.every((score) => score >= 0 && score <= 100)).toBe(true);
      expect(scored.overall).toBeLessThanOrEqual(Math.max(...scored.pillars.map(({ score }) => score)) + 0.005);
      expect([overallCoverage, imputationShare].every((share) => share >= 0 && share <= 1)).toBe(true);
      const { p05, p95 } = intervalOf("NO", scored.pillars, scored.overall);
      expect(p05 <= scored.overall && scored.overall <= p95 && p05 >= 0 && p95 <= 100).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("a better value of one input never lowers the score of its country", () => {
  const base: Reported = { govRevenue: 20, unemployment: 12, inflation: 9, voice: 0, electricityAccess: 70, debt: 80 };
  const overall = (values: Reported) => {
    const world = worldReporting({ NO: values });
    return scoreCountry(world.of("NO"), world).overall;
  };
  fc.assert(
    fc.property(fc.double({ min: 0, max: 40, noNaN: true }), (better) => {
      expect(overall({ ...base, govRevenue: 20 + better })).toBeGreaterThanOrEqual(overall(base));
      expect(overall({ ...base, unemployment: Math.max(0, 12 - better) })).toBeGreaterThanOrEqual(overall(base));
    }),
  );
});
