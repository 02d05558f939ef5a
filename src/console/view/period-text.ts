import { dayMs } from "../../reference/duration.ts";

/** Made when they are asked for: of a page's script the first of `Intl` would hold up the first paint. */
let formats: {
  readonly day: Intl.DateTimeFormat;
  readonly clock: Intl.DateTimeFormat;
  readonly month: Intl.DateTimeFormat;
};

function made() {
  formats ??= {
    day: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" }),
    clock: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" }),
    month: new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" }),
  };
  return formats;
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
  const { day, clock, month } = made();
  if (step === "month") return month.format(at);
  return at % dayMs === 0 ? day.format(at) : `${day.format(at)}, ${clock.format(at)}`;
}
