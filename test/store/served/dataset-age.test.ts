import { expect, test } from "vitest";
import { dataStatusAt, readingOf, servableMinutes } from "../../../src/store/served/dataset-age.ts";

const at = (hours: number) => new Date(Date.UTC(2026, 10, 18, hours));
const read = (reported: Readonly<Record<string, number>>) =>
  new Map(Object.entries(reported).map(([name, hours]) => [name, at(hours)]));
const sources = [{ name: "ours", own: true as const }, { name: "a" }, { name: "b" }];
const terms = { name: "things", freshForMinutes: 60, sources };

test.each([
  [{ freshForMinutes: 60 }, 1_440],
  [{ freshForMinutes: 1_000 }, 2_000],
  [{ freshForMinutes: 60, servableForMinutes: 90 }, 90],
])("%o is servable for %i minutes", (changed, minutes) => {
  expect(servableMinutes({ ...terms, ...changed })).toBe(minutes);
});

test("without a main source it is as old as the newest answer from outside: our own list makes it no younger", () => {
  expect(readingOf({ sources }, read({ ours: 9, a: 3, b: 5 }), at(9))).toEqual({ readAt: at(5), missing: [] });
  expect(readingOf({ sources }, read({ ours: 9, b: 5 }), at(9))).toEqual({ readAt: at(5), missing: [] });
});

test("with main sources it is as old as the oldest of them, and lacks each that was never read", () => {
  const main = [{ name: "a" }, { name: "b" }];
  expect(readingOf({ sources, main }, read({ ours: 9, a: 3, b: 5 }), at(9))).toEqual({ readAt: at(3), missing: [] });
  expect(readingOf({ sources, main }, read({ ours: 9, b: 5 }), at(9))).toEqual({ readAt: at(5), missing: ["a"] });
});

test("where only our own list was read all others are missing; where there are none it is enough", () => {
  expect(readingOf({ sources }, read({ ours: 9 }), at(9))).toEqual({ readAt: at(9), missing: ["a", "b"] });
  expect(readingOf({ sources: sources.slice(0, 1) }, read({ ours: 4 }), at(9))).toEqual({ readAt: at(4), missing: [] });
});

test("it is fresh, then stale, then not to be served, and says until when", () => {
  const dataStatus = (hours: number) => dataStatusAt(terms, { readAt: at(0), missing: [] }, at(hours));
  expect(dataStatus(1)).toMatchObject({ staleForMs: 0, freshForMs: 0, servableForMs: 23 * 3_600_000 });
  expect(dataStatus(2)).toMatchObject({ staleForMs: 2 * 3_600_000, servableForMs: 22 * 3_600_000 });
  expect(dataStatus(24).rejection).toBeUndefined();
  expect(dataStatus(25).rejection).toMatch(/2026-11-18T00:00:00\.000Z/);
});
