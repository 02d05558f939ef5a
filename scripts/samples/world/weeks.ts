/** Sunday first. */
export type Week = readonly [number, number, number, number, number, number, number];

/** Days before the latest Sunday, which keep their weekdays: as a placeholder, in a form of its own where one is given. */
export function sunday(ago: number, form = ""): string {
  return `{{sun${ago === 0 ? "" : `-${ago}`}${form}}}`;
}

/** What the week gives to the day so many days before the latest Sunday. */
export function ofWeek(week: Week, ago: number): number {
  return week[(7 - (ago % 7)) % 7] ?? 0;
}

/** Days before the latest Sunday with their weights: the week's cycle on a slow rise up to now. */
export function rising(days: number, week: Week, rise: number): (readonly [number, number])[] {
  return Array.from({ length: days }, (_, ago) => [ago, ofWeek(week, ago) * (1 + rise * (1 - ago / days))]);
}
