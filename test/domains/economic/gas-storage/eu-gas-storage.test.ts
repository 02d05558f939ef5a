import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import {
  EuGasStorageDaySchema,
  GetEuGasStorageResponseSchema,
} from "../../../../gen/es/ids/economic/v1/economic_pb.ts";
import { gasStorage, gasStorageAt } from "../../../../src/domains/economic/gas-storage/eu-gas-storage.ts";

const readAt = new Date("2026-07-13T12:00:00Z");
const day = (date: string, fillPct: number, gasTwh = 720.5) => create(EuGasStorageDaySchema, { date, fillPct, gasTwh });
const days = (...levels: readonly number[]) =>
  levels.map((level, i) => day(new Date(Date.UTC(2026, 6, 1 + i)).toISOString().slice(0, 10), level));

test("720.5 TWh are 40 days of winter consumption", () => {
  expect(gasStorage([day("2026-07-12", 62.4)], readAt).gasDaysConsumption).toBe(40);
});

test.each([
  [0.05, "stable"],
  [0.06, "injecting"],
  [-0.05, "stable"],
  [-0.06, "withdrawing"],
  [0, "stable"],
])("a change of %d points is reported as %s", (change, trend) => {
  expect(gasStorage(days(62.4, 62.4 + change), readAt)).toMatchObject({ fillPctChange1d: change, trend });
});

test("the change is that of the levels as published, whatever floating point makes of them", () => {
  const level = fc.integer({ min: 1, max: 10_000 });
  fc.assert(
    fc.property(level, level, (before, after) => {
      const { fillPctChange1d, trend } = gasStorage(days(before / 100, after / 100), readAt);
      expect(fillPctChange1d).toBe((after - before) / 100);
      const expected = after - before > 5 ? "injecting" : after - before < -5 ? "withdrawing" : "stable";
      expect(trend).toBe(expected);
    }),
  );
});

test("over a gap there is no change of one day: 0, and stable", () => {
  expect(gasStorage([day("2026-07-10", 60), day("2026-07-12", 62)], readAt)).toMatchObject({
    fillPct: 62,
    fillPctChange1d: 0,
    trend: "stable",
    history: [{ date: "2026-07-10" }, { date: "2026-07-12" }],
  });
});

test("adjacent days are consecutive across the end of a month and of a year", () => {
  const change = (before: string, after: string) =>
    gasStorage([day(before, 60), day(after, 61)], readAt).fillPctChange1d;
  expect([change("2026-06-30", "2026-07-01"), change("2026-12-31", "2027-01-01")]).toEqual([1, 1]);
});

test("the last five days are returned, oldest first and rounded, in whatever order they come", () => {
  const all = days(60.111, 60.222, 60.333, 60.444, 60.555, 60.666, 60.777);
  fc.assert(
    fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (shuffled) => {
      const { history, fillPct, updatedAt, seededAt } = gasStorage(shuffled, readAt);
      expect(history?.map(({ fillPct: level }) => level)).toEqual([60.33, 60.44, 60.56, 60.67, 60.78]);
      expect(history?.map(({ date }) => date).at(0)).toBe("2026-07-03");
      expect({ fillPct, updatedAt, seededAt }).toEqual({
        fillPct: 60.78,
        updatedAt: "2026-07-07",
        seededAt: BigInt(readAt.getTime()),
      });
    }),
    { numRuns: 20 },
  );
});

test("gas is returned with one decimal", () => {
  expect(gasStorage([day("2026-07-12", 62.4, 716.95)], readAt).history?.[0]?.gasTwh).toBe(717);
});

test("the values stay when their source is silent, and are unavailable after 72 hours", () => {
  const levels = [day("2026-07-11", 60), day("2026-07-12", 61)];
  const stored = create(GetEuGasStorageResponseSchema, gasStorage(levels, readAt));
  const after = (hours: number, ms = 0) => gasStorageAt(stored, new Date(readAt.getTime() + hours * 3_600_000 + ms));
  expect(after(72)).toMatchObject({ unavailable: false, fillPct: 61 });
  expect(after(72, 1)).toMatchObject({ unavailable: true, fillPct: 61, trend: "injecting", history: { length: 2 } });
});

test("without any day, or before the first refresh, it is unavailable", () => {
  expect(gasStorage([], readAt)).toEqual({ unavailable: true });
  expect(gasStorageAt(undefined, readAt)).toEqual({ unavailable: true });
});
