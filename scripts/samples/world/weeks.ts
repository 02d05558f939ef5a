import { stepsText } from "../format/steps.ts";

/** Sunday first. */
export type Week = readonly [number, number, number, number, number, number, number];

/** Days before the latest Sunday, which keep their weekdays: as a placeholder, in a form of its own where one is given. */
export function sunday(ago: number, form = ""): string {
  return dayAt(-ago, form);
}

/** What the week gives to the day so many days before the latest Sunday, or after it where below 0. */
export function ofWeek(week: Week, ago: number): number {
  return week[((-ago % 7) + 7) % 7] ?? 0;
}

/** Days before the latest Sunday with their weights: the week's cycle on a slow rise up to now. */
export function rising(days: number, week: Week, rise: number): (readonly [number, number])[] {
  return Array.from({ length: days }, (_, ago) => [ago, ofWeek(week, ago) * (1 + rise * (1 - ago / days))]);
}

/** The week's steps after the latest Sunday: what files hold from Monday on, from Tuesday on, and so on. */
export function weekSteps(filesOf: (newest: number) => Readonly<Record<string, string>>): string {
  return stepsText([0, 1, 2, 3, 4, 5].map((day) => ({ after: dayAt(day), files: filesOf(day + 1) })));
}

/** A day counted from the latest Sunday, before or after it. */
export function dayAt(day: number, form = ""): string {
  return `{{sun${day === 0 ? "" : day > 0 ? `+${day}` : day}${form}}}`;
}
