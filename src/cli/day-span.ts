import { WrongCommandLine } from "./wrong-command-line.ts";

/** First and last day of a command, both included, YYYY-MM-DD. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Throws `WrongCommandLine` if a day is not in the calendar, or if the last day is before the first. */
export function checkedSpan(span: DaySpan): DaySpan {
  for (const day of [span.from, span.to]) {
    // `Date.parse` reads `2026-02-30` as a day in March.
    const isDay = day === undefined || (/^\d{4}-\d{2}-\d{2}$/.test(day) && isoOf(Date.parse(day)).startsWith(day));
    if (!isDay) throw new WrongCommandLine(`--from and --to must be days such as 2026-03-01, not ${day}`);
  }
  const { from, to } = span;
  if (from !== undefined && to !== undefined && to < from)
    throw new WrongCommandLine(`--to must not be before --from: ${to} is before ${from}`);
  return span;
}

function isoOf(instant: number): string {
  return Number.isNaN(instant) ? "" : new Date(instant).toISOString();
}
