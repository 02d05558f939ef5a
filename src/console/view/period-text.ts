import { dayMs } from "../../reference/duration.ts";
import { months } from "../../reference/months.ts";

/** `30 Sep 2026`, of UTC. */
export function dayText(at: number): string {
  return `${shortDayText(at)} ${new Date(at).getUTCFullYear()}`;
}

/** `30 Sep`. */
export function shortDayText(at: number): string {
  return `${new Date(at).getUTCDate()} ${monthOf(new Date(at))}`;
}

function monthOf(day: Date): string {
  return months[day.getUTCMonth()] ?? "";
}

/** Whether what is told by this step is dated by its whole period, not by a day. */
export function hasPeriods(step: string | undefined): boolean {
  return step === "year" || step === "quarter" || step === "month";
}

/** What a figure is of, as finely as its step tells: `2026`, `Q1 2026`, `Jan 2026`; of any other step its day, with the time where it has one. */
export function periodText(at: number, step?: string): string {
  const date = new Date(at);
  if (step === "year") return String(date.getUTCFullYear());
  if (step === "quarter") return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (step === "month") return `${monthOf(date)} ${date.getUTCFullYear()}`;
  return at % dayMs === 0 ? dayText(at) : `${dayText(at)}, ${date.toISOString().slice(-13, -8)}`;
}
