import { isoDay } from "./calendar.ts";
import { dayMs, minuteMs } from "./duration.ts";

/** A date in the text of a source, with the time and the zone if the text has them. */
export interface WrittenTime {
  /** The day as YYYY-MM-DD in the zone of the text. */
  readonly day: string;
  /** The local date and time, read as if they were UTC, in epoch milliseconds. */
  readonly wall: number;
  readonly hasClock: boolean;
  /** An offset such as `+02:00`, or the IANA name of a time zone. */
  readonly zone?: string;
}

type Parts = Readonly<Record<string, string | undefined>>;

const dateFormats = [
  // Matches 2026-12-20, 2026/12/20, and 20261220.
  /^(?<year>\d{4})(?<mark>[-/]?)(?<month>\d\d)\k<mark>(?<day>\d\d)(?!\d)/,
  // Matches 12/20/2026 and 20/12/2026.
  /^(?<first>\d{1,2})\/(?<second>\d{1,2})\/(?<year>\d{4})(?!\d)/,
  // Matches 20-DEC-2026, Sun, 20 December 2026, and Sun, 20 Dec 26 10:00:00.
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?<day>\d{1,2})[ -](?<month>[a-z]{3,9})[., -]{1,2}(?<year>\d{4}(?!\d)|\d\d(?= \d))/i,
  // Matches Dec 20, 2026.
  /^(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]*,? )?(?<month>[a-z]{3,9})\.? (?<day>\d{1,2}),? (?<year>\d{4})(?!\d)/i,
];
const clockFormat =
  /^(?:t|,? (?:at )?)(?<hour>\d\d?(?=:)|\d\d)(?<colon>:?)(?<minute>\d\d)(?:\k<colon>(?<second>\d\d)(?:[.,](?<fraction>\d+))?)?(?: ?(?<half>[ap])\.?m\b\.?)?/i;
const monthNames = "january february march april may june july august september october november december".split(" ");

const namedZones: Readonly<Record<string, string>> = {
  ...{ Z: "+00:00", UT: "+00:00", UTC: "+00:00", GMT: "+00:00", CET: "+01:00", CEST: "+02:00" },
  ...{ EST: "-05:00", EDT: "-04:00", CST: "-06:00", CDT: "-05:00", MST: "-07:00", MDT: "-06:00" },
  ...{ PST: "-08:00", PDT: "-07:00", NZST: "+12:00", NZDT: "+13:00", ET: "America/New_York" },
};

/** Parses a date or time in any format that sources use. Undefined for any other text. */
export function writtenTime(text: string, homeZone = ""): WrittenTime | undefined {
  const trimmed = text.trim().replace(/\s+/g, " ");
  const date = dateFormats.map((format) => format.exec(trimmed)).find((found) => found !== null);
  if (!date?.groups) return undefined;
  const clock = clockFormat.exec(trimmed.slice(date[0].length));
  const zoneText = trimmed.slice(date[0].length + (clock?.[0].length ?? 0)).trim();
  const zone = zoneOf(zoneText);
  const midnight = midnightOf(inOrder(date.groups, homeZone));
  const sinceMidnight = clock?.groups ? sinceMidnightOf(clock.groups) : 0;
  if (midnight === undefined || sinceMidnight === undefined || (zoneText !== "" && zone === undefined))
    return undefined;
  const day = isoDay(midnight);
  return { day, wall: midnight + sinceMidnight, hasClock: clock !== null, ...(zone !== undefined && { zone }) };
}

/** Returns the day in a text as YYYY-MM-DD, or undefined if the format is unknown. */
export function sourceDay(text: string, homeZone = ""): string | undefined {
  return writtenTime(text, homeZone)?.day;
}

/**
 * Returns the time in a text in epoch milliseconds, or undefined for an unknown format. Without a zone, it is in
 * `homeZone`. Without a time, it is the first or last millisecond of the day.
 */
export function sourceTime(text: string, homeZone: string, ofDay: "start" | "end" = "start"): number | undefined {
  const written = writtenTime(text, homeZone);
  if (!written) return undefined;
  const { wall, hasClock, zone = homeZone } = written;
  return hasClock || ofDay === "start" ? timeAt(wall, zone) : timeAt(wall + dayMs, zone) - 1;
}

/**
 * Like `sourceTime`, for separate fields. Midnight in the date field means that the time is unknown. In that case, it
 * is the end of the day.
 */
export function sourceDeadline(date: string, clock: string, homeZone: string): number | undefined {
  const written = writtenTime(date, homeZone);
  if (!written) return undefined;
  const { day, wall, zone = homeZone } = written;
  if (clock !== "") return sourceTime(`${day} ${clock}`, zone);
  return sourceTime(wall === Date.parse(day) ? day : date, zone, "end");
}

/** Orders the parts of 10/07/2026. American sources put the month first. For others, an ambiguous date is invalid. */
function inOrder(date: Parts, homeZone: string): Parts {
  const { first, second, year = "" } = date;
  if (first === undefined || second === undefined) return date;
  if (homeZone === "America/New_York" || Number(second) > 12) return { year, month: first, day: second };
  return Number(first) > 12 || first === second ? { year, month: second, day: first } : { year };
}

/** Returns midnight of the day in UTC, or undefined for an invalid day, such as February 30. */
function midnightOf({ year = "", month = "", day = "" }: Parts): number | undefined {
  const named = monthNames.findIndex((name) => name.startsWith(month.toLowerCase()));
  const number = /^\d/.test(month) ? Number(month) : named + 1;
  const iso = `${year.padStart(4, "20")}-${String(number).padStart(2, "0")}-${day.padStart(2, "0")}`;
  const midnight = Date.parse(`${iso}T00:00:00Z`);
  return !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(iso) ? midnight : undefined;
}

/** Returns the milliseconds since midnight, or undefined for an invalid time. 24:00 is the end of the day. */
function sinceMidnightOf(clock: Parts): number | undefined {
  const { hour = "", minute = "", second = "0", fraction = "", half } = clock;
  const shown = Number(hour);
  if (half !== undefined && (shown < 1 || shown > 12)) return undefined;
  const hours = half === undefined ? shown : (shown % 12) + (half.toLowerCase() === "p" ? 12 : 0);
  const seconds = Number(second);
  const milliseconds =
    (hours * 60 + Number(minute)) * minuteMs + seconds * 1000 + Number(fraction.padEnd(3, "0").slice(0, 3));
  return Number(minute) < 60 && seconds < 60 && milliseconds <= dayMs ? milliseconds : undefined;
}

/** Returns the offset or zone of `Z`, `-0600`, `EST`, or `(Pacific/Auckland UTC+12:00)`. Undefined for other text. */
function zoneOf(text: string): string | undefined {
  const name = text.replace(/^\((.*)\)$/, "$1");
  const [, sign, hours = "", minutes = "00"] =
    /^(?:[a-z]+\/[a-z_]+ )?(?:utc|gmt)?([+-])(\d{1,2}):?(\d\d)?$/i.exec(name) ?? [];
  if (sign === undefined) return namedZones[name.toUpperCase()];
  return Number(hours) <= 14 && Number(minutes) < 60 ? `${sign}${hours.padStart(2, "0")}:${minutes}` : undefined;
}

/** Converts a local time to UTC. If it occurs twice, the first one counts. If clocks skip it, it moves ahead. */
function timeAt(wall: number, zone: string): number {
  const [before, after] = [offsetAt(wall - dayMs, zone), offsetAt(wall + dayMs, zone)];
  return wall - ([before, after].find((offset) => offsetAt(wall - offset, zone) === offset) ?? before);
}

/** Formatters are cached by time zone, because their creation is slow. */
const clocks = new Map<string, Intl.DateTimeFormat>();

/** Returns by how many milliseconds the local time of a zone is ahead of UTC. */
function offsetAt(at: number, zone: string): number {
  const name = /^[+-]/.test(zone) ? `GMT${zone}` : offsetName(at, zone);
  const [, sign, hours, minutes] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * minuteMs;
}

function offsetName(at: number, timeZone: string): string {
  const clock = clocks.get(timeZone) ?? new Intl.DateTimeFormat("en", { timeZone, timeZoneName: "longOffset" });
  clocks.set(timeZone, clock);
  return clock.formatToParts(at).find(({ type }) => type === "timeZoneName")?.value ?? "";
}
