import { dayMs } from "../../reference/duration.ts";
import { months } from "../../reference/months.ts";

/** Returns `30 Sep 2026` in UTC. */
export function dayText(at: number): string {
  return `${shortDayText(at)} ${new Date(at).getUTCFullYear()}`;
}

/** Returns `30 Sep`. */
export function shortDayText(at: number): string {
  return `${new Date(at).getUTCDate()} ${monthOf(new Date(at))}`;
}

function monthOf(day: Date): string {
  return months[day.getUTCMonth()] ?? "";
}

/** Returns whether values with this step are labeled by their whole period instead of a day. */
export function hasPeriods(step: string | undefined): boolean {
  return step === "year" || step === "quarter" || step === "month";
}

/** A year is `2026`, a quarter `Q1 2026`. For other steps, it is the day, and the time if there is one. */
export function periodText(at: number, step?: string): string {
  const date = new Date(at);
  if (step === "year") return String(date.getUTCFullYear());
  if (step === "quarter") return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (step === "month") return `${monthOf(date)} ${date.getUTCFullYear()}`;
  return at % dayMs === 0 ? dayText(at) : `${dayText(at)}, ${date.toISOString().slice(-13, -8)}`;
}
