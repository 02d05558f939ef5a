import { months } from "../../../../reference/months.ts";
import { instant, localInstant } from "./notice-date.ts";

const zone = "Pacific/Auckland";

/** `Monday, 17 August 2026 4:00 PM (Pacific/Auckland UTC+12:00)`, `Fri, 10 Jul 2026 00:00:00 GMT`: weekday, time and zone may be missing. */
const written =
  /^(?:[a-z]+,? )?(\d{1,2}) ([a-z]{3,9}),? (\d{4})(?:,? (?:at )?(\d{1,2}):(\d\d)(?::(\d\d))?(?: ?([ap])\.?m\.?)?)?(?: \(?([^()]+)\)?)?$/i;

/** The moment that the feed writes, in UTC; empty when it is none. Without a zone New Zealand's is meant; a day alone is what `ofDay` takes of it. */
export function getsMoment(text: string, ofDay: (day: string, zone: string) => string): string {
  const [, date = "", month = "", year = "", hour, minute = "", second = "00", half, zoneName = ""] =
    written.exec(text) ?? [];
  if (date === "") return ofDay(text, zone) || instant(text) || localInstant(text, zone);
  const day = `${year}-${monthNumber(month)}-${date.padStart(2, "0")}`;
  if (hour === undefined) return zoneName === "" ? ofDay(day, zone) : "";
  const local = `${day}T${hour24(hour, half)}:${minute}:${second}`;
  return zoneName === "" ? localInstant(local, zone) : instant(local + offset(zoneName));
}

/** Two digits, by the first three letters; nothing for what begins like no month. */
function monthNumber(word: string): string {
  const index = months.findIndex((month) => word.slice(0, 3).toLowerCase() === month.toLowerCase());
  return index < 0 ? "" : String(index + 1).padStart(2, "0");
}

/** Two digits; nothing for an hour that no clock with AM and PM shows. */
function hour24(hour: string, half: string | undefined): string {
  if (half === undefined) return hour.padStart(2, "0");
  const shown = Number(hour);
  if (shown < 1 || shown > 12) return "";
  return String((shown % 12) + (half.toLowerCase() === "p" ? 12 : 0)).padStart(2, "0");
}

const offsets = new Map([
  ["GMT", "Z"],
  ["UTC", "Z"],
  ["Z", "Z"],
  ["NZST", "+12:00"],
  ["NZDT", "+13:00"],
]);

/** `Pacific/Auckland UTC+12:00`, `+1200` and `GMT` as ISO 8601; a zone that is unknown is no instant. */
function offset(name: string): string {
  const [, sign, hours = "", minutes = "00"] = /(?:^|[ C])([+-])(\d{1,2}):?(\d\d)?$/.exec(name) ?? [];
  if (sign) return `${sign}${hours.padStart(2, "0")}:${minutes}`;
  return offsets.get(name.toUpperCase()) ?? "unknown";
}
