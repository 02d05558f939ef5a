import type { Source } from "../../../../ingest/source.ts";

/** Statistics of the Bank for International Settlements: what every source that reads them says of itself. */
export const bisLicense = {
  kind: "attribution",
  terms: "BIS statistics, terms of bis.org: free with attribution to the Bank for International Settlements",
} as const satisfies Source<unknown>["license"];

export const bisAddress = "https://stats.bis.org/api/v1/data";

/** The last day of a quarter like `2026-Q1`; undefined for what is none. */
export function lastDayOf(quarter: string): string | undefined {
  const [, year, number] = /^(\d{4})-Q([1-4])$/.exec(quarter) ?? [];
  return year && new Date(Date.UTC(Number(year), 3 * Number(number), 0)).toISOString().slice(0, 10);
}
