import type { Span } from "../../ingest/source.ts";

/** Returns the possible names of monthly releases, newest first, from next month's to the one of four months ago. */
export function candidateVersions(now: Date): readonly string[] {
  return [1, 0, -1, -2, -3, -4].map((months) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + months));
    return `${shortYear(month)}.0.${month.getUTCMonth() + 1}`;
  });
}

/** The newest name is first. The release is published about mid-year and ends with the previous year. */
export function annualVersions(now: Date): readonly string[] {
  return [`${shortYear(now)}.1`, `${shortYear(new Date(Date.UTC(now.getUTCFullYear() - 1, 0)))}.1`];
}

/** Returns the month that a monthly release covers, or undefined for another name. */
export function monthOf(release: string): Span | undefined {
  const [, year, month] = /^(\d\d)\.0\.(\d{1,2})$/.exec(release) ?? [];
  if (year === undefined) return undefined;
  const start = (months: number) => Date.UTC(2000 + Number(year), Number(month) - 1 + months);
  return { from: start(0), to: start(1) - 1 };
}

function shortYear(date: Date): string {
  return String(date.getUTCFullYear() % 100).padStart(2, "0");
}
