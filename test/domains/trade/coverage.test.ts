import fc from "fast-check";
import { expect, test } from "vitest";
import { afterResponse, type Coverage, type Outcome } from "../../../src/domains/trade/coverage-table.ts";

const now = new Date("2026-11-04T09:00:00Z");
const after = (outcomes: readonly Outcome[], emptyRuns: number) =>
  outcomes.reduce<Coverage | undefined>(
    (known, outcome) => afterResponse(known, outcome, { emptyRuns, now }),
    undefined,
  );

test.each<[Outcome[], number, boolean]>([
  [["data"], 1, true],
  [["data", "empty"], 1, false],
  [["data", "empty"], 3, true],
  [["data", "empty", "empty"], 3, true],
  [["data", "empty", "empty", "empty"], 3, false],
  [["data", "empty", "empty", "unanswered", "empty"], 3, false],
  [["data", "empty", "empty", "data", "empty", "empty"], 3, true],
  [["unanswered"], 3, true],
  [["empty"], 3, false],
  [["empty", "unanswered"], 3, false],
  [["empty", "data"], 1, true],
])("after %j, with %i empty runs to give up, a series is advertised: %s", (outcomes, emptyRuns, advertised) => {
  expect(after(outcomes, emptyRuns)?.advertised).toBe(advertised);
});

test("no answer changes nothing that is known", () => {
  const outcome = fc.constantFrom<Outcome>("data", "empty", "unanswered");
  fc.assert(
    fc.property(fc.array(outcome, { minLength: 1 }), fc.integer({ min: 1, max: 4 }), (outcomes, emptyRuns) => {
      expect(after([...outcomes, "unanswered"], emptyRuns)).toEqual(after(outcomes, emptyRuns));
    }),
  );
});

test("a series is advertised unless its answers since the last data are as many empty ones as it takes", () => {
  const outcome = fc.constantFrom<Outcome>("data", "empty", "unanswered");
  fc.assert(
    fc.property(fc.array(outcome), fc.integer({ min: 1, max: 4 }), (rest, emptyRuns) => {
      const outcomes: Outcome[] = ["data", ...rest];
      const since = outcomes.slice(outcomes.lastIndexOf("data"));
      const empty = since.filter((one) => one === "empty").length;
      expect(after(outcomes, emptyRuns)).toEqual({ advertised: empty < emptyRuns, emptyStreak: empty, lastOkAt: now });
    }),
  );
});
