import fc from "fast-check";
import { expect, test } from "vitest";
import { stressOf } from "../../../../src/domains/supply-chain/shipping-stress/shipping-stress.ts";

test.each([
  [-1, 43, "moderate"],
  [-4, 52, "elevated"],
  [-12, 76, "critical"],
  [6, 22, "low"],
  [0, 40, "moderate"],
  [-20, 100, "critical"],
  [20, 0, "low"],
])("a mean change of %d %% is a stress of %d: %s", (mean, stressScore, stressLevel) => {
  expect(stressOf([mean])).toEqual({ stressScore, stressLevel });
  expect(stressOf([mean - 3, mean + 1, mean + 2])).toEqual({ stressScore, stressLevel });
});

test.each([
  [5, 25, "moderate"],
  [-3.3333, 50, "elevated"],
  [-11.6667, 75, "critical"],
])("a bound belongs to the level above it: %d %% is %d, %s", (mean, stressScore, stressLevel) => {
  expect(stressOf([mean])).toEqual({ stressScore, stressLevel });
});

test("without carriers there is no score and no level", () => {
  expect(stressOf([])).toEqual({ stressScore: 0, stressLevel: "" });
});

test("whatever the changes, the score is a whole number within 0 and 100, and falls when all rise", () => {
  const change = fc.double({ min: -100, max: 1000, noNaN: true });
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 6 }),
      fc.double({ min: 0, max: 50, noNaN: true }),
      (all, up) => {
        const { stressScore } = stressOf(all);
        expect(Number.isInteger(stressScore) && stressScore >= 0 && stressScore <= 100).toBe(true);
        expect(stressOf(all.map((one) => one + up)).stressScore).toBeLessThanOrEqual(stressScore);
      },
    ),
  );
});
