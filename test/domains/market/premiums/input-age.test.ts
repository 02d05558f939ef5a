import fc from "fast-check";
import { expect, test } from "vitest";
import { calendarDaysOld, weekdayHours } from "../../../../src/domains/market/premiums/input-state.ts";

const hourMs = 3_600_000;
const at = (text: string) => Date.parse(text);

test.each([
  // Friday evening to Monday morning.
  ["2026-07-10T22:00:00Z", "2026-07-13T08:00:00Z", 10],
  ["2026-07-10T14:15:00Z", "2026-07-13T14:15:00Z", 24],
  ["2026-07-11T09:00:00Z", "2026-07-12T21:00:00Z", 0],
  ["2026-07-12T23:00:00Z", "2026-07-13T01:00:00Z", 1],
  ["2026-07-07T08:00:00Z", "2026-07-08T20:00:00Z", 36],
  ["1969-12-31T12:00:00Z", "1970-01-05T00:00:00Z", 60],
])("from %s to %s are %d hours without Saturday and Sunday", (from, to, hours) => {
  expect(weekdayHours(at(from), at(to))).toBe(hours);
});

test("hours of weekdays are those that counting hour by hour finds", () => {
  const hour = fc.integer({ min: at("1960-01-01") / hourMs, max: at("2100-01-01") / hourMs });
  fc.assert(
    fc.property(hour, fc.integer({ min: 0, max: 24 * 40 }), (start, length) => {
      let counted = 0;
      for (let one = start; one < start + length; one++)
        if (![0, 6].includes(new Date(one * hourMs).getUTCDay())) counted++;
      expect(weekdayHours(start * hourMs, (start + length) * hourMs)).toBe(counted);
    }),
  );
});

test("an age never shrinks, and grows by at most the time that passes", () => {
  const instant = fc.integer({ min: at("2000-01-01"), max: at("2050-01-01") });
  fc.assert(
    fc.property(instant, fc.nat(1e9), fc.nat(1e9), (from, first, second) => {
      const growth = weekdayHours(from, from + first + second) - weekdayHours(from, from + first);
      expect(growth).toBeGreaterThanOrEqual(0);
      expect(growth * hourMs).toBeLessThanOrEqual(second + 1);
    }),
  );
});

test.each([
  // Midnight in Shanghai is 16:00 UTC.
  ["2026-07-10", "2026-07-10T15:59:59Z", 0],
  ["2026-07-10", "2026-07-10T16:00:00Z", 1],
  ["2026-07-10", "2026-07-09T16:00:00Z", 0],
  ["2026-07-10", "2026-07-09T15:59:59Z", -1],
  ["2026-07-10", "2026-07-22T15:59:59Z", 12],
  ["2026-07-10", "2026-07-22T16:00:00Z", 13],
])("the print of %s is at %s %i calendar days old in Shanghai", (day, now, days) => {
  expect(calendarDaysOld(at(day), at(now))).toBe(days);
});

test("calendar days are those between the days that Shanghai's clocks show", () => {
  const shown = new Intl.DateTimeFormat("sv-SE", { timeZone: "Asia/Shanghai" });
  const instant = fc.integer({ min: at("2000-01-01"), max: at("2050-01-01") });
  fc.assert(
    fc.property(instant, fc.integer({ min: -400, max: 400 }), (now, days) => {
      const print = at(shown.format(now)) - days * 24 * hourMs;
      expect(calendarDaysOld(print, now)).toBe(days);
    }),
  );
});
