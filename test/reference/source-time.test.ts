import fc from "fast-check";
import { expect, test } from "vitest";
import { sourceDay, sourceDeadline, sourceTime } from "../../src/reference/source-time.ts";

const iso = (at: number | undefined) => (at === undefined ? undefined : new Date(at).toISOString());
const dayStart = (text: string, zone: string) => iso(sourceTime(text, zone)) ?? "";
const dayEnd = (text: string, zone: string) => iso(sourceTime(text, zone, "end")) ?? "";

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

/** Time on a wall clock in the zone, as `YYYY-MM-DDTHH:mm:ss`. */
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
      const within = quarters(of).filter((instant) => clock(instant).startsWith(of));
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
      const shown = quarters(of).find((instant) => clock(instant) === `${local}:00`);
      const read = Date.parse(dayStart(local, zone));
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
    fc.property(day, fc.oneof(offset, fc.constant("UTC")), (of, zone) => {
      const start = dayStart(of, zone);
      expect(start).toBe(dayStart(`${of}T00:00:00${zone}`, "Asia/Tokyo"));
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
  ["2028-02-29", "UTC", "2028-02-29T00:00:00.000Z", "2028-02-29T23:59:59.999Z"],
  ["9999-12-31", "UTC", "9999-12-31T00:00:00.000Z", "9999-12-31T23:59:59.999Z"],
])("%s in %s is from %s to %s", (of, zone, from, to) => {
  expect([dayStart(of, zone), dayEnd(of, zone)]).toEqual([from, to]);
});

test.each([
  ["2026-08-02T16:00:00-04:00", "2026-08-02T20:00:00.000Z"],
  ["2026-08-02T16:00-0400", "2026-08-02T20:00:00.000Z"],
  ["2026-08-02 16:00:00-04", "2026-08-02T20:00:00.000Z"],
  ["2026-08-02T24:00:00-06:00", "2026-08-03T06:00:00.000Z"],
  ["2026-08-02T16:00:00.1234567Z", "2026-08-02T16:00:00.123Z"],
  ["20261118T141500Z", "2026-11-18T14:15:00.000Z"],
  ["20261118T1415Z", "2026-11-18T14:15:00.000Z"],
  ["Dec 20, 2026 10:00 am EST", "2026-12-20T15:00:00.000Z"],
  ["December 20 2026, 10:00 p.m. CET", "2026-12-20T21:00:00.000Z"],
  ["20-DEC-2026 12:00 AM", "2026-12-20T05:00:00.000Z"],
  ["2026/12/20 3:00 PM", "2026-12-20T20:00:00.000Z"],
  ["12/20/2026 15:00", "2026-12-20T20:00:00.000Z"],
  ["10/07/2026 15:00", "2026-10-07T19:00:00.000Z"],
  ["Mon, 17 Aug 2026 16:00:00 GMT", "2026-08-17T16:00:00.000Z"],
  ["17 Aug 26 16:00:00 +0200", "2026-08-17T14:00:00.000Z"],
  ["2026-12-20+0100", "2026-12-19T23:00:00.000Z"],
  ["2026-11-01T01:30:00", "2026-11-01T05:30:00.000Z"],
  ["2026-03-08T02:30", "2026-03-08T07:30:00.000Z"],
])("%s in a source of New York is %s", (text, utc) => {
  expect(iso(sourceTime(text, "America/New_York"))).toBe(utc);
});

test.each([
  ...["", "tomorrow", "2026", "2026-7-10", "10.07.2026", "2026-02-30", "2026-13-01", "Feb 29, 2027", "31-Jun-2026"],
  ...["2026-08-02T24:01Z", "2026-08-02T16:60Z", "2026-08-02T16:00:60Z", "2026-08-02T16:00+25:00", "1754150400000"],
  ...["2026-08-02T16:00 XYZ", "2026-08-02T16:00Z or later", "13:00 PM", "2026-08-02 0:30 AM", "5 Juillet 2026", "null"],
])("%j is not a date of a source", (text) => {
  expect([sourceTime(text, "UTC"), sourceTime(text, "Asia/Tokyo", "end"), sourceDay(text)]).toEqual(
    Array(3).fill(undefined),
  );
});

test.each([
  ["12/20/2026", "2026-12-20"],
  ["20/12/2026", "2026-12-20"],
  ["07/07/2026", "2026-07-07"],
  ["10/07/2026", undefined],
])("%s in a source outside of the United States is the day %s", (text, day) => {
  expect(sourceDay(text, "Europe/Luxembourg")).toBe(day);
});

test.each([
  ["2026-12-20+01:00", "12:00:00+01:00", "2026-12-20T11:00:00.000Z"],
  ["2026-12-20", "12:00 PM", "2026-12-20T11:00:00.000Z"],
  ["2026-12-20T00:00:00Z", "3:00 PM", "2026-12-20T15:00:00.000Z"],
  ["2026-12-20T00:00:00Z", "", "2026-12-20T23:59:59.999Z"],
  ["2026-12-20T15:00:00Z", "", "2026-12-20T15:00:00.000Z"],
  ["2026-12-20T24:00:00Z", "", "2026-12-21T00:00:00.000Z"],
  ["2026-12-20", "noon", undefined],
  ["soon", "12:00", undefined],
])("the date field %j with the time field %j is %s", (date, clock, utc) => {
  expect(iso(sourceDeadline(date, clock, "Europe/Luxembourg"))).toBe(utc);
});

test("a time reads back as itself from every format that JavaScript writes in UTC", () => {
  const dates = fc.date({ min: new Date(0), max: new Date("9999-12-31"), noInvalidDate: true });
  fc.assert(
    fc.property(dates, (date) => {
      expect(iso(sourceTime(date.toISOString(), "Asia/Tokyo"))).toBe(date.toISOString());
      expect(sourceTime(date.toUTCString(), "Asia/Tokyo")).toBe(Math.floor(date.getTime() / 1000) * 1000);
    }),
  );
});

test.each([
  ["Monday, 17 August 2026 4:00 PM (Pacific/Auckland UTC+12:00)", "2026-08-17T04:00:00.000Z"],
  ["Monday, 17 August 2026 4:00 PM +12:00", "2026-08-17T04:00:00.000Z"],
  ["Monday, 17 August 2026 4:00 PM", "2026-08-17T04:00:00.000Z"],
  ["Tuesday, 1 December 2026 12:00 PM", "2026-11-30T23:00:00.000Z"],
  ["Tuesday, 1 December 2026 12:30 AM NZDT", "2026-11-30T11:30:00.000Z"],
  ["1 Dec 2026 16:00", "2026-12-01T03:00:00.000Z"],
  ["Tuesday, 1 December 2026 at 4:00 pm UTC+13:00", "2026-12-01T03:00:00.000Z"],
  ["Tue, 01 Sep 2026 02:00:00 GMT", "2026-09-01T02:00:00.000Z"],
  ["Tue, 01 Sep 2026 14:00:00 +1200", "2026-09-01T02:00:00.000Z"],
  ["2026-09-01T14:00:00", "2026-09-01T02:00:00.000Z"],
  ["2026-09-01T14:00:00+12:00", "2026-09-01T02:00:00.000Z"],
  ["Tuesday, 1 December 2026", "2026-12-01T10:59:59.999Z"],
  ["2026-12-01", "2026-12-01T10:59:59.999Z"],
  ["", ""],
  ["soon", ""],
  ["Tuesday, 31 November 2026 4:00 PM", ""],
  ["Tuesday, 1 Brumaire 2026 4:00 PM", ""],
  ["Tuesday, 1 December 2026 13:00 PM", ""],
  ["Tuesday, 1 December 2026 0:30 AM", ""],
  ["Tuesday, 1 December 2026 25:00", ""],
  ["Tuesday, 1 December 2026 4:00 PM Pacific/Chatham", ""],
])("the date %j of a source in New Zealand is %j", (text, instant) => {
  expect(dayEnd(text, "Pacific/Auckland")).toBe(instant);
});

const clock = new Intl.DateTimeFormat("en-US", {
  timeZone: "Pacific/Auckland",
  weekday: "long",
  day: "numeric",
  month: "long",
  year: "numeric",
  hour: "numeric",
  minute: "2-digit",
  timeZoneName: "longOffset",
});

test("any minute reads as itself with its offset, and without it except for the repeated hour in April", () => {
  const day = fc.date({ min: new Date("2025-01-01"), max: new Date("2030-01-01"), noInvalidDate: true });
  fc.assert(
    fc.property(day, (any) => {
      const date = new Date(any.setUTCSeconds(0, 0));
      const parts = new Map(clock.formatToParts(date).map(({ type, value }) => [type, value]));
      const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? "";
      const text = `${part("weekday")}, ${part("day")} ${part("month")} ${part("year")} ${part("hour")}:${part("minute")} ${part("dayPeriod")}`;
      const offset = part("timeZoneName").replace("GMT", "UTC");
      expect(dayStart(`${text} (Pacific/Auckland ${offset})`, "UTC")).toBe(date.toISOString());
      // The first of the two counts.
      expect([0, 3_600_000]).toContain(date.getTime() - Date.parse(dayStart(text, "Pacific/Auckland")));
    }),
  );
});
