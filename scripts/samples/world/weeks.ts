import { stepsText } from "../format/steps.ts";

/** Weights of the days of a week, Sunday first. */
export type Week = readonly [number, number, number, number, number, number, number];

/**
 * Returns the placeholder of a number of days before the latest Sunday, in a format if one is given. Such days retain
 * their weekday.
 */
export function sunday(ago: number, form = ""): string {
  return dayAt(-ago, form);
}

/** Returns the weight of the day a number of days before the latest Sunday. A negative number is a day after it. */
export function ofWeek(week: Week, ago: number): number {
  return week[((-ago % 7) + 7) % 7] ?? 0;
}

/** Returns days before the latest Sunday with their weights, which follow the weekly cycle and rise slowly. */
export function rising(days: number, week: Week, rise: number): (readonly [number, number])[] {
  return Array.from({ length: days }, (_, ago) => [ago, ofWeek(week, ago) * (1 + rise * (1 - ago / days))]);
}

/** Returns the steps after the latest Sunday: the files from Monday, from Tuesday, and so on. */
export function weekSteps(filesOf: (newest: number) => Readonly<Record<string, string>>): string {
  return stepsText([0, 1, 2, 3, 4, 5].map((day) => ({ after: dayAt(day), files: filesOf(day + 1) })));
}

/** Returns the placeholder of a day counted from the latest Sunday. Days before it are negative. */
export function dayAt(day: number, form = ""): string {
  return `{{sun${day === 0 ? "" : day > 0 ? `+${day}` : day}${form}}}`;
}
