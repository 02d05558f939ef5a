import { dayMs, minuteMs } from "../reference/duration.ts";
import { manifestName } from "./manifest.ts";

/** A refresh that began before midnight may end after it. */
const closesAfterMs = 30 * minuteMs;

/** The newest UTC day that is closed, YYYY-MM-DD. */
export function lastClosedDay(now: Date): string {
  return new Date(now.getTime() - closesAfterMs - dayMs).toISOString().slice(0, 10);
}

/** The last moment of a UTC day: what is visible then is the day's. */
export function lastTimeOf(day: string): Date {
  return new Date(Date.parse(day) + dayMs - 1);
}

/** Samples are beside what is real, below a folder of their own. */
function rootOf(data: "live" | "sample"): string {
  return data === "sample" ? "sample/" : "";
}

/** Where the days of a dataset are; ends with a slash. */
export function datasetFolder(dataset: string, data: "live" | "sample"): string {
  return `${rootOf(data)}dataset=${dataset}/`;
}

/** Where a day of a dataset is. */
export function folderOf(dataset: string, day: string, data: "live" | "sample"): string {
  return `${datasetFolder(dataset, data)}day=${day}`;
}

const manifestPath = new RegExp(`/day=(\\d{4}-\\d{2}-\\d{2})/${manifestName.replace(".", "\\.")}$`);

/** The days of which paths have a manifest, oldest first. */
export function daysIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => manifestPath.exec(path)?.[1] ?? []).toSorted();
}
