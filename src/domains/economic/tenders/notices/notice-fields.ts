import { z } from "zod";
import { unreadable } from "../../../../ingest/time-fields.ts";
import { countryOf } from "../../../../reference/countries/countries.ts";
import { sourceTime } from "../../../../reference/source-time.ts";

/** Text on one line, without what a store cannot keep; a number is its text, anything else is empty. */
export function plain(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return value.toWellFormed().replaceAll("\0", "").replace(/\s+/g, " ").trim();
}

/** A member of a row as `plain` text; empty when it is absent. */
export const text = z.unknown().optional().transform(plain);

/** A member of a row as `utcTime`; empty when it is absent. */
export const noticeTime = (homeZone: string, ofDay: "start" | "end" = "start") =>
  text.transform(asTime(homeZone, ofDay));

/** Rejects a text that is not a time. */
export function asTime(homeZone: string, ofDay: "start" | "end" = "start") {
  return (written: string, context: z.RefinementCtx) =>
    written === "" ? "" : (utcTime(sourceTime(written, homeZone, ofDay)) ?? unreadable(written, context));
}

const lastTime = Date.parse("9999-12-31T23:59:59.999Z");

/** ISO 8601 with milliseconds in UTC; a day 9999-12-31 in a western zone ends with the year. */
export function utcTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(Math.min(at, lastTime)).toISOString();
}

/** An amount of money as the source wrote it, without grouping commas; empty when it is none, or negative. Six decimals are kept. */
export function decimal(value: unknown): string {
  const text = plain(value);
  const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  return /^(\d{1,18}(?:\.\d{1,6})?)(?:(?<=\.\d{6})\d*)?$/.exec(digits)?.[1] ?? "";
}

/** ISO 4217 code in upper case; empty when it has not that form. */
export function currency(value: unknown): string {
  return /^[A-Z]{3}$/.exec(plain(value).toUpperCase())?.[0] ?? "";
}

/** Alpha-2 of a country in any form; empty when there is no such country. */
export function alpha2(text: string): string {
  return countryOf(text)?.alpha2 ?? "";
}
