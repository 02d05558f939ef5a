import fc from "fast-check";
import { expect, test } from "vitest";
import { type Alert, judge } from "../../../src/domains/shipping/event.ts";

/** Returns the alerts for successive scores. */
function reported(scores: readonly number[], threshold: number): (string | undefined)[] {
  let alert: Alert | undefined;
  return scores.map((score) => {
    const judged = judge(alert, score, threshold);
    alert = judged.alert;
    return judged.event?.reason;
  });
}

const [rose, fell, changed] = ["score_crossed_threshold", "score_fell_below_threshold", "score_changed"];

test.each<[string, number[], number, (string | undefined)[]]>([
  ["a rise to the threshold is reported once", [40, 60, 61, 70], 60, [undefined, rose, undefined, undefined]],
  ["a score that is above it when first seen is reported", [61, 61], 60, [rose, undefined]],
  [
    "a fluctuation around the threshold is reported once",
    [60, 58, 60, 57, 61],
    60,
    [rose, undefined, undefined, undefined, undefined],
  ],
  [
    "five below it is reported as recovered, and the next rise again",
    [60, 56, 55, 60],
    60,
    [rose, undefined, fell, rose],
  ],
  ["near zero it recovers at zero", [3, 1, 0, 3], 3, [rose, undefined, fell, rose]],
  ["a fall without a reported rise is ignored", [40, 10], 60, [undefined, undefined]],
  ["at threshold 0 every change is reported", [0, 0, 5, 5, 4], 0, [undefined, undefined, changed, undefined, changed]],
  ["at threshold 0 a first score above 0 is reported", [5, 5], 0, [rose, undefined]],
  ["a threshold of 100 is reported at 100 only", [99, 100, 96, 95], 100, [undefined, rose, undefined, fell]],
])("%s", (_name, scores, threshold, expected) => {
  expect(reported(scores, threshold)).toEqual(expected);
});

test("whatever the scores, rises and falls alternate, and each is on its side of the threshold", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 })), fc.integer({ min: 1, max: 100 }), (scores, threshold) => {
      const reasons = reported(scores, threshold);
      const heard = reasons.filter((reason) => reason !== undefined);
      expect(heard).toEqual(heard.map((_, index) => (index % 2 === 0 ? rose : fell)));
      for (const [index, reason] of reasons.entries()) {
        if (reason === rose) expect(scores[index]).toBeGreaterThanOrEqual(threshold);
        if (reason === fell) expect(scores[index]).toBeLessThanOrEqual(Math.max(threshold - 5, 0));
      }
    }),
  );
});
