import type { MessageInitShape } from "@bufbuild/protobuf";
import { z } from "zod";
import type { TenderNoticeSchema } from "../../../../../gen/es/ids/stored/v1/tender_pb.ts";
import { unreadable } from "../../../../ingest/row-fields.ts";
import type { Rejection } from "../../../../ingest/source.ts";
import { countryOf } from "../../../../reference/countries/countries.ts";
import { sourceTime } from "../../../../reference/source-time.ts";

export type Notice = MessageInitShape<typeof TenderNoticeSchema>;

export function lines(text: string): string[] {
  return text
    .split(/\r\n|\r|\n/)
    .map(plain)
    .filter(Boolean);
}

/**
 * Reads the notices of all pages. A notice that occurs twice means that the list changed between two requests, so the
 * result is incomplete. The later row is used.
 */
export function readNotices(
  values: readonly unknown[],
  available: number,
  read: (value: unknown, place: string) => (Notice & { readonly sourceNoticeId: string }) | Rejection,
) {
  const rows = new Map<string, Notice>();
  const rejected: Rejection[] = [];
  for (const [place, value] of values.entries()) {
    const notice = read(value, `#${place}`);
    if ("reason" in notice) rejected.push(notice);
    else rows.set(notice.sourceNoticeId, notice);
  }
  const isComplete = rows.size + rejected.length === available;
  return { rows: [...rows.values()], rejected, available, ...(isComplete && { complete: true }) };
}

/**
 * Returns the normalized link, or undefined if it is not allowed. It must use https, no credentials, the default port,
 * and one of the hosts. A host with a leading dot, such as `.worldbank.org`, includes subdomains.
 */
export function officialLink(url: string | undefined, hosts: readonly string[]): string | undefined {
  const link = URL.parse(url ?? "");
  if (link?.protocol !== "https:" || link.username || link.password || link.port) return undefined;
  return hosts.some((host) => isOn(host, link.hostname)) ? link.href : undefined;
}

function isOn(host: string, name: string): boolean {
  return host.startsWith(".") ? `.${name}`.endsWith(host) : name === host;
}

/**
 * Returns text on one line, without characters that the store rejects. Numbers become text. Any other value becomes an
 * empty text.
 */
export function plain(value: unknown): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string") return "";
  return value.toWellFormed().replaceAll("\0", "").replace(/\s+/g, " ").trim();
}

/** Schema of a text member, which `plain` converts to one line. An absent member becomes an empty text. */
export const text = z.unknown().optional().transform(plain);

/** Schema of a time member, which `utcTime` converts to UTC. An absent member becomes an empty text. */
export const noticeTime = (homeZone: string, ofDay: "start" | "end" = "start") =>
  text.transform(asTime(homeZone, ofDay));

export function asTime(homeZone: string, ofDay: "start" | "end" = "start") {
  return (written: string, context: z.RefinementCtx) =>
    written === "" ? "" : (utcTime(sourceTime(written, homeZone, ofDay)) ?? unreadable(written, context));
}

const lastTime = Date.parse("9999-12-31T23:59:59.999Z");

/**
 * Returns a time as ISO 8601 in UTC. Times after the year 9999 do not fit the format and become its last millisecond.
 */
export function utcTime(at: number | undefined): string | undefined {
  return at === undefined ? undefined : new Date(Math.min(at, lastTime)).toISOString();
}

/**
 * Returns the amount as a decimal text without commas and with at most six decimals. Invalid and negative amounts
 * become empty.
 */
export function decimal(value: unknown): string {
  const text = plain(value);
  const digits = /^\d{1,3}(,\d{3})+(\.\d+)?$/.test(text) ? text.replaceAll(",", "") : text;
  return /^(\d{1,18}(?:\.\d{1,6})?)(?:(?<=\.\d{6})\d*)?$/.exec(digits)?.[1] ?? "";
}

/** Returns a currency code (ISO 4217) in upper case. Other text becomes empty. */
export function currency(value: unknown): string {
  return /^[A-Z]{3}$/.exec(plain(value).toUpperCase())?.[0] ?? "";
}

/** Returns the alpha-2 code of a country that is named in any format. Empty if there is no such country. */
export function alpha2(text: string): string {
  return countryOf(text)?.alpha2 ?? "";
}

/** Returns the texts without those that are empty or occurred before. */
export function distinct(texts: readonly string[]): string[] {
  return [...new Set(texts)].filter(Boolean);
}
