import { expect, test } from "vitest";
import { changesOf, indexOf, yearBefore } from "../../src/console/pages/series/series-views.ts";

interface Point {
  readonly at: number;
  readonly value: number | undefined;
  readonly isBreak: boolean;
  readonly isPartial?: boolean;
}

const month = (year: number, place: number) => Date.UTC(year, place);
const point = (at: number, value: number | undefined, more: Partial<Point> = {}): Point => ({
  ...{ at, value, isBreak: false },
  ...more,
});
const all = { from: 0, isRelative: true, isWeekly: false, wholeSince: 0 };
const valuesOf = (points: readonly { readonly value: number | undefined }[]) => points.map(({ value }) => value);

test("the index divides by the first value, and keeps gaps", () => {
  const points = [undefined, 40, 50, undefined, 20].map((value, place) => point(month(2025, place), value));
  expect(valuesOf(indexOf(points).points)).toEqual([undefined, 100, 125, undefined, 50]);
  expect(indexOf(points).reasons).toEqual([]);
});

test("the index ends at a break, and says on which day", () => {
  const points = [10, 20, 30, 40].map((value, place) => point(month(2025, place), value, { isBreak: place === 2 }));
  const { points: shown, reasons } = indexOf(points);
  expect(valuesOf(shown)).toEqual([100, 200, undefined, undefined]);
  expect(reasons.join()).toContain("1 Mar 2025");
});

test.each([0, -3])("there is no index if the first value is %d", (base) => {
  const { points, reasons } = indexOf([point(0, base), point(1, 5)]);
  expect([points, reasons]).toEqual([[], ["The first value is not above 0, so there is no index."]]);
});

test("the change over a year is that of an independent calculation, in percent or as a difference", () => {
  // A linear congruential generator gives reproducible values.
  let seed = 7;
  const next = () => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return 1 + (seed % 900) / 10;
  };
  const points = Array.from({ length: 36 }, (_, place) => point(month(2023, place), next()));
  const value = (place: number) => points[place]?.value ?? Number.NaN;
  const relative = changesOf(points, { ...all, from: month(2024, 0) });
  const difference = changesOf(points, { ...all, from: month(2024, 0), isRelative: false });
  expect(relative.points).toHaveLength(24);
  for (let place = 12; place < 36; place += 1) {
    const percent = (100 * (value(place) - value(place - 12))) / value(place - 12);
    expect(relative.points[place - 12]?.value).toBeCloseTo(percent, 7);
    expect(difference.points[place - 12]?.value).toBeCloseTo(value(place) - value(place - 12), 7);
  }
});

test("a point without a comparable value a year before is a gap, and each reason is counted", () => {
  const points = [
    ...[point(month(2024, 0), 0), point(month(2024, 1), 5), point(month(2024, 3), 5)],
    ...[point(month(2025, 0), 7), point(month(2025, 1), 7), point(month(2025, 2), 7)],
    ...[point(month(2025, 3), 7, { isBreak: true }), point(month(2025, 4), 7, { isPartial: true })],
  ];
  const { points: shown, reasons } = changesOf(points, { ...all, from: month(2025, 0) });
  expect(valuesOf(shown)).toEqual([undefined, 40, undefined, undefined, undefined]);
  expect(reasons).toEqual([
    "1 point left out: no value a year before.",
    "1 point left out: the series breaks in between.",
    "1 point left out: the value a year before is not above 0, so a percentage has no meaning.",
    "1 point left out: its interval is not over.",
  ]);
});

test("a sum is not compared with an interval of which only a part was recorded", () => {
  const points = [0, 1, 12, 13].map((place) => point(month(2024, place), 10));
  const { points: shown } = changesOf(points, { ...all, from: month(2025, 0), wholeSince: Date.UTC(2024, 0, 19) });
  expect(valuesOf(shown)).toEqual([undefined, 0]);
});

test("weeks are compared with the week 52 weeks before, and 29 February with 28 February", () => {
  const monday = Date.UTC(2025, 2, 3);
  const points = [point(monday - 364 * 86_400_000, 4), point(monday, 6)];
  expect(changesOf(points, { ...all, from: monday, isWeekly: true }).points[0]?.value).toBe(50);
  expect(yearBefore(Date.UTC(2024, 1, 29))).toBe(Date.UTC(2023, 1, 28));
  expect(yearBefore(Date.UTC(2025, 1, 28))).toBe(Date.UTC(2024, 1, 28));
});
