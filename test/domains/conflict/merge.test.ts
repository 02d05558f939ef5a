import fc from "fast-check";
import { expect, test } from "vitest";
import {
  compare,
  duplicates,
  limits,
  type Report,
  rule,
  sameEvent,
  weights,
} from "../../../src/domains/conflict/merge.ts";
import { processorMs } from "../../support/processor-time.ts";

const dayMs = 86_400_000;
const start = Date.UTC(2026, 9, 1);

const report = (over: Partial<Report> = {}): Report => ({
  id: "a",
  country: "SD",
  occurredAt: start,
  latitude: 14,
  longitude: 25,
  fatalities: 4,
  ...over,
});

test.each([
  ["the same place, day and deaths", {}, true],
  ["5 days apart", { occurredAt: start + 5 * dayMs }, true],
  ["6 days apart", { occurredAt: start - 6 * dayMs }, false],
  ["49.9 km apart", { latitude: 14.449 }, true],
  ["50.1 km apart", { latitude: 14.4506 }, false],
  ["another country", { country: "TD" }, false],
  ["half the deaths", { fatalities: 2 }, true],
  ["twice the deaths", { fatalities: 8 }, true],
  ["more than twice the deaths", { fatalities: 9 }, false],
  ["2 days and 25 km apart", { occurredAt: start + 2 * dayMs, latitude: 14.2248 }, true],
  ["3 days and 25 km apart", { occurredAt: start + 3 * dayMs, latitude: 14.2248 }, false],
  ["deaths on one side only", { fatalities: 0 }, false],
])("two reports with %s: same event is %s", (_title, over, same) => {
  expect(sameEvent(report(), report(over))).toBe(same);
  expect(duplicates([report()], [report({ id: "b", ...over })]).size).toBe(same ? 1 : 0);
});

test("two reports without deaths are the same, two of unknown countries are not", () => {
  expect(sameEvent(report({ fatalities: 0 }), report({ fatalities: 0 }))).toBe(true);
  expect(sameEvent(report({ country: "" }), report({ country: "" }))).toBe(false);
});

test("reports meet across the antimeridian", () => {
  expect(sameEvent(report({ longitude: 179.9 }), report({ longitude: -179.9 }))).toBe(true);
  expect(duplicates([report({ longitude: 179.9 })], [report({ id: "b", longitude: -179.9 })]).get("b")).toBe("a");
});

test("the pair with the highest score comes first, then the ID decides", () => {
  const first = [report({ id: "a1", occurredAt: start + 3 * dayMs }), report({ id: "a2", latitude: 14.2 })];
  expect(duplicates(first, [report({ id: "u" })]).get("u")).toBe("a2");
  const near = [...first, report({ id: "a3", latitude: 14.1 })];
  expect(duplicates(near, [report({ id: "u" })]).get("u")).toBe("a3");
  const twins = [report({ id: "a5" }), report({ id: "a4" })];
  expect(duplicates(twins, [report({ id: "u2" }), report({ id: "u1" })])).toEqual(
    new Map([
      ["u1", "a4"],
      ["u2", "a5"],
    ]),
  );
});

test("the score is 1 for equal reports and decreases by the stated weights", () => {
  expect(compare(report(), report())).toEqual({ daysApart: 0, kmApart: 0, score: 1 });
  expect(compare(report(), report({ occurredAt: start + limits.days * dayMs })).score).toBeCloseTo(1 - weights.days, 9);
  expect(compare(report(), report({ fatalities: 8 })).score).toBeCloseTo(1 - weights.deaths, 9);
  expect(compare(report(), report({ fatalities: 0 })).score).toBe(0);
  expect(weights.days + weights.km + weights.deaths).toBe(1);
  expect(rule).toBe("same-country-5d-50km-deaths-2x-score-0.6");
});

test("an event absorbs one report at most", () => {
  const pairs = duplicates([report()], [report({ id: "u1", occurredAt: start + dayMs }), report({ id: "u2" })]);
  expect(pairs).toEqual(new Map([["u2", "a"]]));
});

/** Reports so close together that many pairs compete. */
const crowd = (prefix: string) =>
  fc
    .array(
      fc.record({
        country: fc.constantFrom("SD", "TD", ""),
        occurredAt: fc.integer({ min: 0, max: 20 }).map((day) => start + day * dayMs),
        latitude: fc.integer({ min: -3, max: 3 }).map((step) => step * 0.2),
        longitude: fc.constantFrom(-179.9, 179.9, 0, 0.3, 0.5),
        fatalities: fc.constantFrom(0, 1, 2, 3, 9),
      }),
      { maxLength: 40 },
    )
    .map((reports) => reports.map((one, i): Report => ({ ...one, id: `${prefix}${i}` })));

test("pairs are of the same event, one to one, and no pair is left that could still be made", () => {
  fc.assert(
    fc.property(crowd("a"), crowd("u"), (first, second) => {
      const pairs = duplicates(first, second);
      const byId = new Map([...first, ...second].map((one) => [one.id, one]));
      for (const [u, a] of pairs) expect(sameEvent(byId.get(a)!, byId.get(u)!)).toBe(true);
      const used = new Set(pairs.values());
      expect(used.size).toBe(pairs.size);
      const free = first.filter(({ id }) => !used.has(id));
      const open = second.filter(({ id }) => !pairs.has(id));
      expect(free.some((a) => open.some((u) => sameEvent(a, u)))).toBe(false);
      // Nothing is lost: what is not a duplicate stays.
      expect(first.length + open.length).toBe(first.length + second.length - pairs.size);
    }),
  );
});

test("the order in which reports come does not matter, nor that they come again", () => {
  fc.assert(
    fc.property(crowd("a"), crowd("u"), (first, second) => {
      const pairs = duplicates(first, second);
      expect(duplicates(first.toReversed(), second.toReversed())).toEqual(pairs);
      const stored = second.filter(({ id }) => !pairs.has(id));
      const matched = new Set(pairs.values());
      expect(
        duplicates(
          first.filter(({ id }) => !matched.has(id)),
          stored,
        ).size,
      ).toBe(0);
    }),
  );
});

test("the same event is the same seen from either side", () => {
  fc.assert(
    fc.property(crowd("a"), crowd("u"), (first, second) => {
      for (const a of first) for (const u of second) expect(sameEvent(a, u)).toBe(sameEvent(u, a));
    }),
    { numRuns: 30 },
  );
});

test("100,000 reports are compared without every pair being looked at", () => {
  let state = 1;
  const random = () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
  const many = (prefix: string, count: number) =>
    Array.from({ length: count }, (_, i) =>
      report({
        id: `${prefix}${i}`,
        country: String.fromCharCode(65 + Math.floor(random() * 26), 65 + Math.floor(random() ** 2 * 4)),
        occurredAt: start + Math.floor(random() * 60) * dayMs,
        latitude: Math.round(random() * 3_000) / 100,
        longitude: Math.round(random() * 3_000) / 100,
        fatalities: Math.floor(random() ** 3 * 20),
      }),
    );
  const compare = () => expect(duplicates(many("a", 80_000), many("u", 20_000)).size).toBeGreaterThan(100);
  expect(processorMs(compare)).toBeLessThan(20_000);
});
