import fc from "fast-check";
import { expect, test } from "vitest";
import {
  dayEnd,
  dayStart,
  instant,
  localInstant,
} from "../../../../../src/domains/economic/tenders/notices/notice-date.ts";

const zones = [
  "America/Toronto",
  "America/New_York",
  "Pacific/Auckland",
  "Europe/Luxembourg",
  "Africa/Cairo",
  "America/Havana",
  "Australia/Lord_Howe",
  "Asia/Kathmandu",
  "America/St_Johns",
  "Pacific/Kiritimati",
  "Etc/UTC",
] as const;

const minuteMs = 60_000;
const day = fc
  .date({ min: new Date("1990-01-01"), max: new Date("2037-12-30"), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10));
/** Days round the changes of clocks in some of the zones. */
const changing = fc.constantFrom(
  ...["2026-03-08", "2026-11-01", "2026-03-29", "2026-10-25", "2026-04-05", "2026-09-27", "2026-10-04"],
  ...["2026-04-23", "2026-04-24", "2026-10-29", "2026-10-30"],
);
const someDay = fc.oneof(day, changing);

/** What a wall clock in the zone shows, as `YYYY-MM-DDTHH:mm:ss`. */
function wallClock(zone: string) {
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone: zone, dateStyle: "short", timeStyle: "medium" });
  return (milliseconds: number) => format.format(milliseconds).replace(" ", "T");
}

/** Moments by the quarter of an hour from a day before to two days after the day's midnight in UTC. */
function quarters(of: string): number[] {
  return Array.from({ length: 4 * 72 }, (_, i) => Date.parse(of) - 24 * 60 * minuteMs + i * 15 * minuteMs);
}

test("a day starts and ends where the wall clocks of its zone say, whatever they do that day", () => {
  fc.assert(
    fc.property(someDay, fc.constantFrom(...zones), (of, zone) => {
      const clock = wallClock(zone);
      const within = quarters(of).filter((moment) => clock(moment).startsWith(of));
      expect(Date.parse(dayStart(of, zone))).toBe(within[0]);
      expect(Date.parse(dayEnd(of, zone))).toBe(within.at(-1)! + 15 * minuteMs - 1);
    }),
    { numRuns: 150 },
  );
});

test("a wall clock's time is the first moment at which the clocks of the zone show it", () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom("00", "15", "30", "45"));
  fc.assert(
    fc.property(someDay, time, fc.constantFrom(...zones), (of, [hour, minute], zone) => {
      const local = `${of}T${String(hour).padStart(2, "0")}:${minute}`;
      const clock = wallClock(zone);
      const shown = quarters(of).find((moment) => clock(moment) === `${local}:00`);
      const read = Date.parse(localInstant(local, zone));
      if (shown !== undefined) expect(read).toBe(shown);
      // Clocks were put forward over it: it is meant by those who had not done so yet.
      else expect(clock(read) > local && clock(read - 60 * minuteMs) < local).toBe(true);
    }),
    { numRuns: 200 },
  );
});

test("a day in an offset lasts 24 hours less a millisecond from its midnight there", () => {
  const offset = fc
    .tuple(fc.constantFrom("+", "-"), fc.integer({ min: 0, max: 14 }), fc.constantFrom("00", "30", "45"))
    .map(([sign, hours, minutes]) => `${sign}${String(hours).padStart(2, "0")}:${minutes}`);
  fc.assert(
    fc.property(day, fc.oneof(offset, fc.constant("Z")), (of, zone) => {
      const start = dayStart(of, zone);
      expect(start).toBe(instant(`${of}T00:00:00${zone}`));
      expect(Date.parse(dayEnd(of, zone)) - Date.parse(start)).toBe(86_400_000 - 1);
    }),
  );
});

test.each([
  ["2026-07-10", "+02:00", "2026-07-09T22:00:00.000Z", "2026-07-10T21:59:59.999Z"],
  ["2026-11-01", "America/Toronto", "2026-11-01T04:00:00.000Z", "2026-11-02T04:59:59.999Z"],
  ["2026-03-08", "America/Toronto", "2026-03-08T05:00:00.000Z", "2026-03-09T03:59:59.999Z"],
  // Cairo's clocks go from 00:00 to 01:00, and back from 24:00 to 23:00.
  ["2026-04-24", "Africa/Cairo", "2026-04-23T22:00:00.000Z", "2026-04-24T20:59:59.999Z"],
  ["2026-10-29", "Africa/Cairo", "2026-10-28T21:00:00.000Z", "2026-10-29T21:59:59.999Z"],
  ["2028-02-29", "Z", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"],
  ["9999-12-31", "Z", "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
])("%s in %s is from %s to %s", (of, zone, from, to) => {
  expect([dayStart(of, zone), dayEnd(of, zone)]).toEqual([from, to]);
});

test.each([
  "",
  "2026-02-30",
  "2026-13-01",
  "2026-7-10",
  "10.07.2026",
  "2026-07-10T00:00:00",
  "20260710",
  "2026-07-10 ",
])("%j is no day", (text) => {
  expect([dayStart(text, "Z"), dayEnd(text, "Z"), dayStart(text, "Asia/Tokyo"), dayEnd(text, "Asia/Tokyo")]).toEqual(
    Array(4).fill(""),
  );
});

test.each([
  ["2026-08-02T16:00:00-04:00", "2026-08-02T20:00:00.000Z"],
  ["2026-08-02T16:00-04:00", "2026-08-02T20:00:00.000Z"],
  ["2026-08-02T16:00:00Z", "2026-08-02T16:00:00.000Z"],
  ["2026-08-02T16:00:00.1234567Z", "2026-08-02T16:00:00.123Z"],
])("%s is the instant %s", (text, utc) => {
  expect(instant(text)).toBe(utc);
});

test.each([
  ...["", "tomorrow", "2026", "8/2/2026", "2026-08-02", "2026-08-02T16:00:00", "2026-02-30T16:00:00Z"],
  ...["2026-08-02T24:00:00Z", "2026-08-02T16:60:00Z", "2026-08-02T16:00:00+25:00", "2026-08-02 16:00:00Z"],
  ...["Mon, 17 Aug 2026 16:00:00 GMT", "2026-08-02T16:00:00 -04:00", "0000-01-01T00:00:00+01:00", "1754150400000"],
])("%j is no instant", (text) => {
  expect(instant(text)).toBe("");
});

test("any instant reads back as itself, and no other text as one that Date.parse guesses", () => {
  fc.assert(
    fc.property(fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true }), (date) => {
      expect(instant(date.toISOString())).toBe(date.toISOString());
      expect([date.toUTCString(), date.toString(), String(date.getTime())].map(instant)).toEqual(["", "", ""]);
    }),
  );
});

test.each([
  ["2026-08-17T14:00:00", "America/Toronto", "2026-08-17T18:00:00.000Z"],
  ["2026-12-17T14:00", "America/Toronto", "2026-12-17T19:00:00.000Z"],
  ["2026-11-01T01:30:00", "America/Toronto", "2026-11-01T05:30:00.000Z"],
  ["2026-03-08T02:30", "America/Toronto", "2026-03-08T07:30:00.000Z"],
  ["2026-08-17T16:00:00", "+12:00", "2026-08-17T04:00:00.000Z"],
  ["2026-08-17T16:00:00Z", "America/Toronto", ""],
  ["2026-08-17T16:00:00+02:00", "America/Toronto", ""],
  ["2026-08-17", "America/Toronto", ""],
  ["2026-02-30T16:00:00", "America/Toronto", ""],
  ["", "America/Toronto", ""],
])("the clock %s in %s is %s", (text, zone, utc) => {
  expect(localInstant(text, zone)).toBe(utc);
});
