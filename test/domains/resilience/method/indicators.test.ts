import fc from "fast-check";
import { expect, test } from "vitest";
import { type InputName, inputs } from "../../../../src/domains/resilience/inputs.ts";
import { debtSustainabilityGap, gapOf } from "../../../../src/domains/resilience/method/derived.ts";
import { claimsScore } from "../../../../src/domains/resilience/method/financial-exposure.ts";
import { languageFactor } from "../../../../src/domains/resilience/method/indicator.ts";
import { indicators } from "../../../../src/domains/resilience/method/indicators.ts";
import { exactScore, type Scale, scoreOn } from "../../../../src/domains/resilience/method/scale.ts";
import { type DimensionId, dimensions } from "../../../../src/domains/resilience/method/structure.ts";
import { combine, scoreDimension } from "../../../../src/domains/resilience/scoring/dimension-score.ts";
import { everySource, type Reported, worldReporting } from "../../../support/domains/resilience.ts";

function indicator(dimension: DimensionId, id: string) {
  const found = indicators[dimension].find((each) => each.id === id);
  if (!found) throw new Error(`No ${id}`);
  return found;
}

/** A dimension of Norway (or another country) with these inputs. */
function scored(
  id: DimensionId,
  reported: Reported,
  country = "NO",
  unread: Parameters<typeof worldReporting>[1] = [],
) {
  const world = worldReporting({ [country]: reported }, unread);
  return scoreDimension(id, world.of(country), world);
}

test.each([
  ...[
    [-5, 0],
    [-2, 50],
    [0, 83],
    [0.5, 92],
    [1, 100],
    [2, 100],
    [3, 100],
  ],
  ...[
    [5, 96],
    [10, 85],
    [26.5, 50],
    [50, 0],
    [900, 0],
    [-30, 0],
  ],
])("inflation of %f percent scores %i", (percent, score) => {
  expect(scoreOn(indicator("currencyExternal", "inflationStability").scale, percent ?? 0)).toBe(score);
});

const claimsScale = indicator("financialSystemExposure", "bisLbsXborderPctGdp").scale;

test.each([
  ...[
    [0, 30],
    [1, 39],
    [5, 75],
    [15, 88],
    [25, 100],
    [40, 76],
    [60, 45],
    [70, 40],
    [80, 35],
    [250, 35],
  ],
])("claims of foreign banks of %f percent of GDP score %i where many countries share them", (percent = 0, score) => {
  expect(scoreOn(claimsScale, percent)).toBe(score);
  expect(claimsScore(percent, 100)).toBe(score);
});

test.each([
  [25, 10, 100],
  [25, 5, 86],
  [25, 1, 75],
  [25, undefined, 75],
  [15, 4, 79],
])("claims of %f percent from %s home countries score %i", (percent, homes, score) => {
  const { scale } = indicator("financialSystemExposure", "financialCenterRedundancy");
  expect(claimsScore(percent, homes === undefined ? undefined : scoreOn(scale, homes))).toBe(score);
});

test.each([
  [25, 27],
  [50, 54],
  [85, 92],
  [90, 95],
  [98.2, 99],
  [100, 100],
])("schooling of %f percent scores %i", (percent, score) => {
  expect(scoreOn(indicator("education", "femaleUpperSecondaryAttainment").scale, percent)).toBe(score);
});

test.each([
  [3, 22.12],
  [6, 39.35],
  [12, 63.21],
  [24, 86.47],
  [0, 0],
])("a fund of %f months of imports scores %f without rounding", (months, score) => {
  const { scale } = indicator("sovereignFiscalBuffer", "recoverySovereignWealthEffectiveMonths");
  expect(exactScore(scale, months)).toBeCloseTo(score, 2);
  expect(scoreOn(scale, months)).toBe(exactScore(scale, months));
});

test("the gap of a debt of 60 percent is the one that was worked out by hand", () => {
  const gap = gapOf({ debt: 60, balance: -3, primary: -1, growth: 2, inflation: 2.5 });
  expect(gap).toBeCloseTo(-0.3018, 4);
  expect(scoreOn(indicator("fiscalSpace", "debtSustainabilityGap").scale, gap)).toBe(59);
});

test("the gap is of the newest year of which all is known, and of none with high inflation or without debt", () => {
  const all = { debt: 60, fiscalBalance: -3, primaryBalance: -1, growth: 2, inflation: 2.5 };
  const of = (reported: Reported) => debtSustainabilityGap(worldReporting({ NO: reported }).of("NO"));
  expect(of(all)).toBeCloseTo(-0.3018, 4);
  expect(
    of({
      ...all,
      debt: [
        ["2026", 90],
        ["2025", 60],
      ],
    }),
  ).toBeCloseTo(-0.3018, 4);
  expect(of({ ...all, growth: [["2024", 2]] })).toBeUndefined();
  expect(of({ ...all, inflation: 10.1 })).toBeUndefined();
  expect(of({ ...all, debt: 0 })).toBeUndefined();
});

test.each([
  ["GB", 1, 61],
  ["ZA", 0.7, 64],
  ["DE", 0.4, 67],
  ["MN", 0.2, 71],
])("what is written in English counts in %s by %f", (country, factor, score) => {
  const [press, velocity, threat] = indicators.informationCognitive;
  if (!press || !velocity || !threat) throw new Error("Three indicators");
  expect(languageFactor(country)).toBe(factor);
  const values = [25, Math.log10(101), 10];
  const slots = [press, velocity, threat].map((each, place) => ({
    ...{ indicator: each, weight: each.weight, factor: each.byLanguage ? factor : 1, certainty: 1 },
    score: scoreOn(each.scale, values[place] ?? 0),
  }));
  expect(combine(slots)).toMatchObject({ score, coverage: 1 });
});

test("who reports no tariffs and of whom none are known scores 60 with a coverage of 0.24", () => {
  expect(scored("tradePolicy", {})).toMatchObject({
    ...{ score: 60, coverage: 0.24, observedWeight: 0, imputedWeight: 0.6, imputationClass: "unmonitored" },
  });
});

test.each<[string, Reported, number, string]>([
  ["both", { inflation: 2, reserveMonths: 12 }, 0.85, ""],
  ["inflation", { inflation: 2 }, 0.55, ""],
  ["reserves", { reserveMonths: 12 }, 0.4, ""],
  ["neither", {}, 0.3, "unmonitored"],
])("coverage of the currency where %s is known", (_which, reported, coverage, imputationClass) => {
  expect(scored("currencyExternal", reported)).toMatchObject({ coverage, imputationClass });
});

test("without an event a conflict is a measured 0; without a word of its source there is nothing", () => {
  const quiet = { conflictEvents: 0, conflictKinds: 0, conflictDeaths: 0, population: 5.5 };
  const known = scored("borderSecurity", quiet);
  expect(known.slots[0]).toMatchObject({ value: 0, score: 100, certainty: 1 });
  const unknown = scored("borderSecurity", { population: 5.5 });
  expect(unknown.slots[0]?.score).toBeUndefined();
  expect(unknown).toMatchObject({ coverage: 0.21, score: 85, imputationClass: "stable-absence" });
});

test("conflict counts by people, of small and unknown populations as of half a million; for the state it counts whole", () => {
  const war = { conflictEvents: 4, conflictKinds: 7, conflictDeaths: 25 };
  const value = (reported: Reported) => scored("borderSecurity", reported).slots[0]?.value;
  expect(value({ ...war, population: 10 })).toBe(2);
  expect([value({ ...war, population: 0.1 }), value(war)]).toEqual([40, 40]);
  expect(value({ ...war, population: 10_000_000 })).toBe(2);
  expect(scored("stateContinuity", { ...war, population: 10 }).slots[1]?.value).toBe(20);
});

test("what shakes the world's trade reaches a country by its share of trade", () => {
  const score = (reported: Reported) => scored("logisticsSupply", reported).slots[2]?.score;
  expect(score({ transitDisruption: 15, tradeShare: 80 })).toBe(50);
  expect(score({ transitDisruption: 15, tradeShare: 25 })).toBe(75);
  expect(score({ transitDisruption: 15 })).toBeUndefined();
  // 76.43 before it is rounded, once; a score that was rounded before its share is 77.
  expect(score({ transitDisruption: 7.334, tradeShare: 48.2 })).toBe(76);
});

test.each<[string, Reported, string, Partial<Record<string, unknown>>]>([
  [
    "a country without a fund",
    { imports: 1e9 },
    "MN",
    { score: 0, coverage: 0, imputedWeight: 0, imputationClass: "not-applicable" },
  ],
  [
    "a country with one",
    { imports: 1.2e11, usableFunds: 1.04e12 },
    "NO",
    { score: 100, coverage: 1, imputationClass: "" },
  ],
  [
    "one whose imports are not known",
    { usableFunds: 1.04e12 },
    "NO",
    { score: 50, coverage: 0.3, imputationClass: "unmonitored" },
  ],
])("the fund of %s", (_whose, reported, country, expected) => {
  expect(scored("sovereignFiscalBuffer", reported, country)).toMatchObject(expected);
});

test.each(["NO", "AE"])("reserves count for at most a year; of a re-export hub for what it keeps (%s)", (country) => {
  const { slots } = scored("liquidReserveAdequacy", { reserveMonths: 14, reexportShare: 0.5 }, country);
  expect(slots[0]?.value).toBe(country === "AE" ? 24 : 12);
});

test.each([
  [2025, 1],
  [2022, 1],
  [2021, 0.8],
  [2019, 0.4],
  [2010, 0.3],
])("imports of %i are certain by %f", (year, certainty) => {
  expect(scored("importConcentration", { importHhi: [[String(year), 0.1]] }).coverage).toBeCloseTo(certainty, 9);
});

test("schooling of too few countries is a failure of its source", () => {
  const few = scored("education", { schooling: 90 });
  expect(few).toMatchObject({ score: 50, coverage: 0.3, imputationClass: "source-failure" });
});

const finance = { shortTermDebt: 3, gni: 100, bankClaims: 25, gdp: 100, fatfListing: 0 };

test.each<[string, Reported, string, number | undefined]>([
  ["in the middle", finance, "BR", 71],
  ["under an embargo", finance, "RU", 15],
])("the exposure of a country %s is capped if it is cut off", (_where, reported, country, score) => {
  expect(scored("financialSystemExposure", reported, country).score).toBe(score);
});

test("the exposure: shut out of the market, unreported debt, and compliance by absence only", () => {
  const shut = { shortTermDebt: 0.5, gni: 100, bankClaims: 0.5, gdp: 100, fatfListing: 0 };
  expect(scored("financialSystemExposure", shut).slots[0]).toMatchObject({ weight: 0.35 * 0.3, certainty: 0.3 });
  const unreported = { bankClaims: 3, gdp: 100, debtNotReported: 1, fatfListing: 0 };
  expect(scored("financialSystemExposure", unreported).slots[0]).toMatchObject({ imputation: "debtNotReported" });
  const others = worldReporting({ NO: {}, IR: {}, MM: { fatfListing: 2 } });
  const listed = (country: string) => scoreDimension("financialSystemExposure", others.of(country), others);
  expect([listed("NO").coverage, listed("IR").coverage, listed("MM").coverage]).toEqual([0, 0.2, 0.2]);
  expect(listed("MM").score).toBe(0);
});

test("without the program's sources the exposure is off; with one that failed it is a failure", () => {
  const off = worldReporting(
    { NO: finance },
    [],
    everySource.filter((source) => source !== "fatf"),
  );
  const zeros = { score: 0, coverage: 0, observedWeight: 0 };
  expect(scoreDimension("financialSystemExposure", off.of("NO"), off)).toMatchObject({
    ...{ ...zeros, imputedWeight: 0, imputationClass: "" },
  });
  expect(scored("financialSystemExposure", finance, "NO", ["fatf"])).toMatchObject({
    ...{ ...zeros, imputedWeight: 1, imputationClass: "source-failure" },
  });
});

test("retired dimensions keep their row without weight", () => {
  for (const id of ["reserveAdequacy", "fuelStockDays"] as const)
    expect(scored(id, {})).toMatchObject({
      score: 50,
      coverage: 0,
      observedWeight: 0,
      imputedWeight: 0,
      imputationClass: "",
    });
});

const scales = Object.values(indicators).flatMap((slots) => slots.map(({ id, scale }) => [id, scale] as const));

test.each(scales)("%s scores every number from 0 to 100, and nothing that is not a number", (_id, scale: Scale) => {
  fc.assert(
    fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (value) => {
      const score = scoreOn(scale, value) ?? -1;
      return (Number.isInteger(score) || "filling" in scale) && score >= 0 && score <= 100;
    }),
  );
  expect([Number.NaN, Number.POSITIVE_INFINITY].map((value) => scoreOn(scale, value))).toEqual([undefined, undefined]);
});

const anything = fc.dictionary(
  fc.constantFrom(...(Object.keys(inputs) as InputName[])),
  fc.oneof(fc.double({ min: -1e15, max: 1e15, noNaN: true }), fc.constantFrom(0, 1, 50, 100)),
);

test("every dimension stays within its bounds, whatever the inputs", () => {
  fc.assert(
    fc.property(
      anything,
      fc.constantFrom("NO", "RU", "AE", "TV"),
      fc.subarray(everySource),
      (reported, country, unread) => {
        for (const id of Object.keys(dimensions) as DimensionId[]) {
          const { score, coverage, observedWeight, imputedWeight } = scored(id, reported as Reported, country, unread);
          expect(Number.isInteger(score) && score >= 0 && score <= 100).toBe(true);
          for (const share of [coverage, observedWeight, imputedWeight, observedWeight + imputedWeight])
            expect(share >= 0 && share <= 1.0001).toBe(true);
        }
      },
    ),
    // A share that cannot be.
    { numRuns: 200, examples: [[{ tradeShare: -0.2499999995000002, transitDisruption: 100 }, "NO", []]] },
  );
});
