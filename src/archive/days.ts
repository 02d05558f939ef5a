import { dayMs, minuteMs } from "../reference/duration.ts";
import { manifestName } from "./manifest.ts";

/** A refresh that starts before midnight may end after it. */
const closesAfterMs = 30 * minuteMs;

/** The newest UTC day that is closed, YYYY-MM-DD. */
export function lastClosedDay(now: Date): string {
  return new Date(now.getTime() - closesAfterMs - dayMs).toISOString().slice(0, 10);
}

/** The last timestamp of a UTC day. The data visible then is the data of the day. */
export function lastTimeOf(day: string): Date {
  return new Date(Date.parse(day) + dayMs - 1);
}

/** Sample data has its own folder, separate from live data. */
function rootOf(data: "live" | "sample"): string {
  return data === "sample" ? "sample/" : "";
}

/** Folder of all days of a dataset; ends with a slash. */
export function datasetFolder(dataset: string, data: "live" | "sample"): string {
  return `${rootOf(data)}dataset=${dataset}/`;
}

export function folderOf(dataset: string, day: string, data: "live" | "sample"): string {
  return `${datasetFolder(dataset, data)}day=${day}`;
}

const manifestPath = new RegExp(`/day=(\\d{4}-\\d{2}-\\d{2})/${manifestName.replace(".", "\\.")}$`);

/** Days for which the paths contain a manifest, oldest first. */
export function daysIn(paths: readonly string[]): readonly string[] {
  return paths.flatMap((path) => manifestPath.exec(path)?.[1] ?? []).toSorted();
}
