import { dayMs, hourMs, weekMs } from "../../../reference/duration.ts";

/** Shanghai has kept UTC+8 without summer time since 1992. */
const shanghaiMs = 8 * hourMs;
/** 1970 began on a Thursday: the Monday of its week lies this far before. */
const firstMondayMs = 3 * dayMs;

/** Calendar days in Shanghai from a print, given as its midnight in UTC, to now; below 0 for one to come. */
export function calendarDaysOld(printDay: number, now: number): number {
  return Math.floor((now + shanghaiMs) / dayMs) - Math.round(printDay / dayMs);
}

/** Hours between two moments, without those of Saturdays and Sundays in UTC. */
export function weekdayHours(from: number, to: number): number {
  return (weekdayMs(to) - weekdayMs(from)) / hourMs;
}

/** Milliseconds of weekdays since that Monday. */
function weekdayMs(instant: number): number {
  const since = instant + firstMondayMs;
  const week = Math.floor(since / weekMs);
  return week * 5 * dayMs + Math.min(since - week * weekMs, 5 * dayMs);
}
