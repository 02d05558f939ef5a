import { isoDay } from "../reference/calendar.ts";
import { dayMs, minuteMs } from "../reference/duration.ts";
import { manifestName } from "./manifest.ts";

/** A day is archived only this long after its end, because its last refresh may still be running. */
const closesAfterMs = 30 * minuteMs;

/** Returns the newest complete UTC day in the format YYYY-MM-DD. */
export function lastClosedDay(now: Date): string {
  return isoDay(now.getTime() - closesAfterMs - dayMs);
}

/** Returns the last timestamp of a UTC day. The archive contains the data that was visible then. */
export function lastTimeOf(day: string): Date {
  return new Date(Date.parse(day) + dayMs - 1);
}

/** Returns the root folder of the archive, which differs for sample data and live data. */
function rootOf(data: "live" | "sample"): string {
  return data === "sample" ? "sample/" : "";
}

/** Returns the folder with all days of a dataset, ending with a slash. */
export function datasetFolder(dataset: string, data: "live" | "sample"): string {
  return `${rootOf(data)}dataset=${dataset}/`;
}

export function folderOf(dataset: string, day: string, data: "live" | "sample"): string {
  return `${datasetFolder(dataset, data)}day=${day}`;
}

const manifestPath = new RegExp(`/day=(\\d{4}-\\d{2}-\\d{2})/${manifestName.replace(".", "\\.")}$`);

/** Returns the days for which the given paths include a manifest, oldest first. */
export function daysIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => manifestPath.exec(path)?.[1] ?? []).toSorted();
}
