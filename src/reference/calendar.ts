import { dayMs } from "./duration.ts";

export const months: readonly string[] = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(" ");

export const intervals = ["raw", "day", "week", "month"] as const;
export type Interval = (typeof intervals)[number];

/** Start of the UTC day, week (from Monday) or month in Unix epoch milliseconds. A raw point keeps its time. */
export function startOf(at: number, interval: Interval): number {
  if (interval === "raw") return at;
  if (interval === "month") {
    const month = new Date(at);
    return Date.UTC(month.getUTCFullYear(), month.getUTCMonth());
  }
  const day = Math.floor(at / dayMs);
  // 1970-01-01 was a Thursday.
  return (interval === "week" ? day - ((((day + 3) % 7) + 7) % 7) : day) * dayMs;
}

export function nextStart(start: number, interval: Exclude<Interval, "raw">): number {
  if (interval === "week") return start + 7 * dayMs;
  if (interval === "day") return start + dayMs;
  const month = new Date(start);
  return Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1);
}
