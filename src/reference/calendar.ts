import { dayMs } from "./duration.ts";

export const months: readonly string[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const intervals = ["raw", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

/** Returns the start of the UTC day, month, or week (Monday) in Unix epoch milliseconds. `raw` keeps the time. */
export function startOf(at: number, interval: Interval): number {
  if (interval === "raw") return at;
  if (interval === "month") {
    const month = new Date(at);
    return Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  }
  const day = Math.floor(at / dayMs);
  // Day 0, 1970-01-01, was a Thursday, so the Monday of its week was three days before.
  return (interval === "week" ? day - ((((day + 3) % 7) + 7) % 7) : day) * dayMs;
}

export function nextStart(start: number, interval: Exclude<Interval, "raw">): number {
  if (interval === "week") return start + 7 * dayMs;
  if (interval === "day") return start + dayMs;
  const month = new Date(start);
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
}

/** Returns the UTC day of a time, YYYY-MM-DD. */
export function isoDay(time: number | Date): string {
  return new Date(time).toISOString().slice(0, 10);
}
