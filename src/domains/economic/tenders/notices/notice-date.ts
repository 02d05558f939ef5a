import { z } from "zod";
import { dayMs } from "../../../../reference/duration.ts";

const zoned = z.union([z.iso.datetime({ offset: true }), z.iso.datetime({ offset: true, precision: -1 })]);
const unzoned = z.iso.datetime({ local: true });
const calendarDay = z.iso.date();

/** A full ISO 8601 instant with its zone as UTC with milliseconds; empty when it is anything else. */
export function instant(text: string): string {
  return zoned.safeParse(text).success ? utc(Date.parse(text)) : "";
}

/** The first moment of a day `YYYY-MM-DD` in an offset (`+02:00`, `Z`) or IANA zone, as UTC; empty when it is no day. */
export function dayStart(day: string, zone: string): string {
  return calendarDay.safeParse(day).success ? utc(moment(`${day}T00:00:00`, zone)) : "";
}

/** The last millisecond of the day, like `dayStart`. */
export function dayEnd(day: string, zone: string): string {
  if (!calendarDay.safeParse(day).success) return "";
  // After 9999-12-31, the usual "for ever", comes a year of six digits.
  const [next] = new Date(Date.parse(day) + dayMs).toISOString().split("T");
  return utc(moment(`${next}T00:00:00`, zone) - 1);
}

/** A wall clock's `YYYY-MM-DDTHH:mm[:ss]` as UTC; a time told twice is the first, one that is left out is as much later. */
export function localInstant(text: string, zone: string): string {
  return unzoned.safeParse(text).success && !text.endsWith("Z") ? utc(moment(text, zone)) : "";
}

function moment(local: string, zone: string): number {
  if (/^(Z|[+-]\d\d:\d\d)$/.test(zone)) return Date.parse(local + zone);
  const wall = Date.parse(`${local}Z`);
  const [before, after] = [offsetAt(wall - dayMs, zone), offsetAt(wall + dayMs, zone)];
  return wall - ([before, after].find((offset) => offsetAt(wall - offset, zone) === offset) ?? before);
}

/** By time zone: one takes longer to make than to ask a hundred times. */
const clocks = new Map<string, Intl.DateTimeFormat>();

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone, clock);
  return clock;
}

/** How far the zone's clocks are ahead of UTC at a moment, in milliseconds. */
function offsetAt(milliseconds: number, timeZone: string): number {
  const parts = clockOf(timeZone).formatToParts(milliseconds);
  const name = parts.find(({ type }) => type === "timeZoneName")?.value ?? "";
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
}

/** Empty for what is no moment of the years 0 to 9999. */
function utc(milliseconds: number): string {
  const text = Number.isNaN(milliseconds) ? "" : new Date(milliseconds).toISOString();
  return /^\d{4}-/.test(text) ? text : "";
}
