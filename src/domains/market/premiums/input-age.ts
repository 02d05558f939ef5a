import { dayMs, hourMs, weekMs } from "../../../reference/duration.ts";

/** Shanghai has used UTC+8 without daylight saving time since 1992. */
const shanghaiMs = 8 * hourMs;
/** 1970 began on a Thursday, so the Monday of its week was this long before. */
const firstMondayMs = 3 * dayMs;

/** The print is given as its midnight in UTC. The age of a future print is negative. */
export function calendarDaysOld(printDay: number, now: number): number {
  return Math.floor((now + shanghaiMs) / dayMs) - Math.round(printDay / dayMs);
}

/** Returns the hours between two timestamps, without those of Saturdays and Sundays in UTC. */
export function weekdayHours(from: number, to: number): number {
  return (weekdayMs(to) - weekdayMs(from)) / hourMs;
}

function weekdayMs(instant: number): number {
  const since = instant + firstMondayMs;
  const week = Math.floor(since / weekMs);
  return week * 5 * dayMs + Math.min(since - week * weekMs, 5 * dayMs);
}
