import type { Source } from "../../../../ingest/source.ts";

export const bisLicense = {
  kind: "attribution",
  terms: "BIS statistics, terms of bis.org: free with attribution to the Bank for International Settlements",
} as const satisfies Source<unknown>["license"];

export const bisAddress = "https://stats.bis.org/api/v1/data";

/** Returns the last day of a quarter such as `2026-Q1`, or undefined for other text. */
export function lastDayOf(quarter: string): string | undefined {
  const [, year, number] = /^(\d{4})-Q([1-4])$/.exec(quarter) ?? [];
  return year && new Date(Date.UTC(Number(year), 3 * Number(number), 0)).toISOString().slice(0, 10);
}
