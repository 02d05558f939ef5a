import fc from "fast-check";
import { expect, test } from "vitest";
import { intervalPoints } from "../../../src/domains/history/intervals.ts";
import { dayMs, minuteMs } from "../../../src/reference/duration.ts";

test("an interval holds the last, mean, least, greatest, or summed value, and is absent without points", () => {
  const point = fc.record({ minute: fc.nat({ max: 40 * 24 * 60 - 1 }), value: fc.integer({ min: -50, max: 50 }) });
  const start = Date.parse("2026-03-30T00:00:00Z");
  fc.assert(
    fc.property(
      fc.uniqueArray(point, { selector: ({ minute }) => minute, minLength: 1, maxLength: 60 }),
      fc.constantFrom("day", "week", "month" as const),
      fc.constantFrom("last", "mean", "min", "max", "sum" as const),
      (drawn, interval, aggregation) => {
        const points = drawn
          .toSorted((a, b) => a.minute - b.minute)
          .map(({ minute, value }) => ({ key: "K", at: start + minute * minuteMs, value, basis: 1 }));
        const to = start + 40 * dayMs - 1;
        const made = intervalPoints(points, { to, interval, aggregation, step: "day" });
        let place = 0;
        for (const [index, { at, value }] of made.entries()) {
          const end = Number(made[index + 1]?.at ?? BigInt(to + 1));
          const own = points.filter((each) => each.at >= Number(at) && each.at < end);
          const values = own.map((each) => each.value);
          const sum = values.reduce((a, b) => a + b, 0);
          const expected = {
            last: values.at(-1),
            mean: sum / values.length,
            min: Math.min(...values),
            max: Math.max(...values),
            sum,
          }[aggregation];
          expect(value).toEqual(values.length === 0 ? undefined : expected);
          place += own.length;
        }
        expect(place).toBe(points.length);
        const monday = (day: number) => new Date(day).getUTCDay() === 1;
        if (interval === "week") expect(made.every(({ at }) => monday(Number(at)))).toBe(true);
        if (interval === "month") expect(made.every(({ at }) => new Date(Number(at)).getUTCDate() === 1)).toBe(true);
      },
    ),
  );
});

test("the mean of values that hold until the next one is weighted by time", () => {
  const day = Date.parse("2026-03-30T00:00:00Z");
  const at = (hours: number, value: number) => ({
    key: "K",
    at: day + hours * 60 * minuteMs,
    value,
    basis: 1,
  });
  const mean = (points: ReturnType<typeof at>[], to = day + 2 * dayMs - 1) =>
    intervalPoints(points, { to, interval: "day", aggregation: "mean", step: "refresh" }).map(({ value }) => value);
  expect(mean([at(0, 10), at(18, 50), at(24, 50)])).toEqual([20, 50]);
  // Nothing is said of the time before the first value, nor of a day on which nothing was measured.
  expect(mean([at(12, 10), at(18, 20)])).toEqual([15, undefined]);
});
