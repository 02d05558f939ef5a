import fc from "fast-check";
import { expect, test } from "vitest";
import {
  bandOf,
  type StressSeries,
  scoreOf,
  stressIndex,
  stressSeries,
} from "../../../../src/domains/economic/us-series/stress-index.ts";

const values = new Map([
  ["T10Y2Y", 0.1],
  ["T10Y3M", -0.25],
  ["VIXCLS", 22],
  ["STLFSI4", 0.2],
  ["GSCPI", 0.4],
  ["ICSA", 230_000],
]);
const without = (...ids: string[]) => new Map([...values].filter(([id]) => !ids.includes(id)));

test.each([
  ["T10Y2Y", 20],
  ["T10Y3M", 50],
  ["VIXCLS", 10.7692],
  ["STLFSI4", 20],
  ["GSCPI", 40],
  ["ICSA", 15.625],
])("%s scores %d", (id, score) => {
  const found = stressIndex(values)?.components.find((component) => component.id === id);
  expect(found).toMatchObject({ rawValue: values.get(id), missing: false });
  expect(found?.score).toBeCloseTo(score, 4);
});

test.each([
  ["all six", values, 25.2, "Moderate"],
  ["no supply chain", without("GSCPI"), 22.6, "Moderate"],
  ["no volatility, which may not be served", without("VIXCLS"), 28.8, "Moderate"],
  ["neither", without("GSCPI", "VIXCLS"), 26.3, "Moderate"],
])("with %s the composite is the mean by the weights that are there", (_title, latest, score, label) => {
  expect(stressIndex(latest)).toMatchObject({ compositeScore: score, label });
});

test("six components are returned in their order, and a missing one is marked", () => {
  const { components = [] } = stressIndex(without("GSCPI")) ?? {};
  expect(components.map(({ id, weight }) => [id, weight])).toEqual([
    ["T10Y2Y", 0.2],
    ["T10Y3M", 0.15],
    ["VIXCLS", 0.2],
    ["STLFSI4", 0.2],
    ["GSCPI", 0.15],
    ["ICSA", 0.1],
  ]);
  expect(components[4]).toEqual({
    id: "GSCPI",
    label: "Supply Chain",
    rawValue: 0,
    score: 0,
    weight: 0.15,
    missing: true,
  });
});

test("without any value there is no index, and not one of zero", () => {
  expect(stressIndex(new Map())).toBeUndefined();
});

test("the weights of the six sum to 1", () => {
  expect(stressSeries.reduce((sum, { weight }) => sum + weight, 0)).toBeCloseTo(1, 12);
});

test.each(stressSeries.map((series) => [series.id, series] as const))(
  "%s scores 0 at calm, 100 at extreme, 50 between, and never anything beyond",
  (_id, series) => {
    const at = (share: number) => scoreOf(series, series.calm + share * (series.extreme - series.calm));
    expect([at(0), at(1), at(-5), at(5)]).toEqual([0, 100, 0, 100]);
    expect(at(0.5)).toBeCloseTo(50, 9);
    const share = fc.double({ min: -20, max: 20, noNaN: true });
    fc.assert(
      fc.property(share, share, (a, b) => {
        expect(at(a)).toBeGreaterThanOrEqual(0);
        expect(at(a)).toBeLessThanOrEqual(100);
        if (a <= b) expect(at(a)).toBeLessThanOrEqual(at(b));
      }),
    );
  },
);

test("the composite is between the lowest and the highest score, has one decimal, and its band", () => {
  const value = ({ calm, extreme }: StressSeries) =>
    fc.double({ min: -2, max: 3, noNaN: true }).map((share) => calm + share * (extreme - calm));
  const some = fc.tuple(...stressSeries.map((series) => fc.option(value(series))));
  fc.assert(
    fc.property(some, (drawn) => {
      const latest = new Map(
        stressSeries.flatMap(({ id }, i) => (drawn[i] == null ? [] : [[id, drawn[i]] as [string, number]])),
      );
      const index = stressIndex(latest);
      if (!index) {
        expect(latest.size).toBe(0);
        return;
      }
      const scores = index.components.filter(({ missing }) => !missing).map(({ score = 0 }) => score);
      expect(index.compositeScore).toBeGreaterThanOrEqual(Math.min(...scores) - 0.05 - 1e-9);
      expect(index.compositeScore).toBeLessThanOrEqual(Math.max(...scores) + 0.05 + 1e-9);
      expect(Math.round(index.compositeScore * 10) / 10).toBe(index.compositeScore);
      expect(index.label).toBe(bandOf(index.compositeScore));
    }),
    { examples: [[stressSeries.map(() => null)]] },
  );
});

test.each([
  [0, "Low"],
  [19.9, "Low"],
  [20, "Moderate"],
  [39.9, "Moderate"],
  [40, "Elevated"],
  [59.9, "Elevated"],
  [60, "Severe"],
  [79.9, "Severe"],
  [80, "Critical"],
  [100, "Critical"],
])("a score of %d is %s", (score, label) => {
  expect(bandOf(score)).toBe(label);
});
