import fc from "fast-check";
import { expect, test } from "vitest";
import { type Level, type Point, step, type Threshold } from "../../../src/domains/alerts/evaluation/series-level.ts";

/** Returns the reports for values, each an hour after the one before. */
function reported(rule: Threshold, values: readonly (number | readonly [value: number, basis: number, at?: number])[]) {
  let level: Level | undefined;
  return values.map((given, hour) => {
    const [value, basis, at = hour] = typeof given === "number" ? [given, 1] : given;
    const { crossing, ...moved } = step(level, { value, basis, at }, rule);
    level = moved.level;
    return crossing;
  });
}

const [up, down, none] = ["crossed", "recovered", undefined] as const;
const above = (threshold: number, hysteresis = 0): Threshold => ({ threshold, direction: "above", hysteresis });

type Values = Parameters<typeof reported>[1];

test.each<[string, Threshold, Values, readonly (typeof up | typeof down | typeof none)[]]>([
  ["a rise to the threshold once, and the fall below it", above(10), [9, 10, 11, 9.9, 10], [none, up, none, down, up]],
  ["the first value where it stands there already", above(10), [12, 13], [up, none]],
  [
    "nothing of what trembles within the hysteresis",
    above(10, 2),
    [10, 9, 10, 8.1, 11, 8, 10],
    [up, none, none, none, none, down, up],
  ],
  [
    "below the threshold what falls to it",
    { ...above(10, 2), direction: "below" as const },
    [11, 10, 11, 12, 9],
    [none, up, none, down, up],
  ],
  [
    "no break, and what follows it by where it stands",
    above(10),
    [9, [12, 2], [13, 2], [9, 2], [12, 2]],
    [none, none, none, down, up],
  ],
  [
    "nothing of an earlier time",
    above(10),
    [
      [9, 1, 5],
      [12, 1, 4],
      [12, 1, 5],
    ],
    [none, none, up],
  ],
])("a rule reports %s", (_, rule, values, expected) => {
  expect(reported(rule, values)).toEqual(expected);
});

const rules = fc.record({
  threshold: fc.integer({ min: -5, max: 5 }),
  direction: fc.constantFrom("above" as const, "below" as const),
  hysteresis: fc.integer({ min: 0, max: 4 }),
});
const series = fc.array(
  fc.record({
    value: fc.integer({ min: -9, max: 9 }),
    basis: fc.integer({ min: 1, max: 2 }),
    wait: fc.integer({ min: -1, max: 3 }),
  }),
  { maxLength: 60 },
);

test("whatever comes, reports alternate, a break and an earlier time report nothing, and a mirrored series reports the same", () => {
  fc.assert(
    fc.property(rules, series, (rule, given) => {
      const mirrored: Threshold = {
        ...rule,
        threshold: -rule.threshold,
        direction: rule.direction === "above" ? "below" : "above",
      };
      const isBeyond = (value: number) =>
        rule.direction === "above" ? value >= rule.threshold : value <= rule.threshold;
      const distance = (value: number) => (rule.direction === "above" ? 1 : -1) * (rule.threshold - value);
      let [level, mirror, at]: [Level | undefined, Level | undefined, number] = [undefined, undefined, 0];
      for (const { value, basis, wait } of given) {
        at += wait;
        const point: Point = { value, basis, at };
        const { crossing, ...moved } = step(level, point, rule);
        const other = step(mirror, { ...point, value: -value }, mirrored);
        expect(other.crossing).toBe(crossing);
        const isEarlier = level !== undefined && at < level.at;
        const isBreak = level !== undefined && basis !== level.basis;
        if (isEarlier || isBreak) expect(crossing).toBeUndefined();
        if (isEarlier) expect(moved.level).toBe(level);
        else if (isBreak) expect(moved.level.beyond).toBe(isBeyond(value));
        else if (crossing === "crossed") expect([level?.beyond ?? false, isBeyond(value)]).toEqual([false, true]);
        else if (crossing === "recovered")
          expect([level?.beyond, distance(value) >= rule.hysteresis && !isBeyond(value)]).toEqual([true, true]);
        else expect(moved.level.beyond).toBe(level?.beyond ?? false);
        [level, mirror] = [moved.level, other.level];
      }
    }),
    { numRuns: 300 },
  );
});
