import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { months } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";

const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];
/** The formatter is created on first use, because this takes time and would delay the first display of the page. */
let relative: Intl.RelativeTimeFormat | undefined;

/** Returns `3 hours ago` or `in 20 seconds`. A time less than a minute ago is `just now`. */
export function agoText(at: number, now: number): string {
  relative ??= new Intl.RelativeTimeFormat("en", { numeric: "always" });
  const seconds = (at - now) / 1000;
  const step = steps.find(([size]) => Math.abs(seconds) >= size);
  if (step) return relative.format(Math.trunc(seconds / step[0]), step[1]);
  return seconds >= 1 ? relative.format(Math.trunc(seconds), "second") : "just now";
}

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

/** Returns whether points with this interval are labeled by the whole period, such as a quarter. */
export function hasPeriods(step: string | undefined): boolean {
  return step === "year" || step === "quarter" || step === "month";
}

/** Returns `2026` for a year and `Q1 2026` for a quarter. For other steps, returns the day, with its time if any. */
export function periodText(at: number, step?: string): string {
  const date = new Date(at);
  if (step === "year") return String(date.getUTCFullYear());
  if (step === "quarter") return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  if (step === "month") return `${monthOf(date)} ${date.getUTCFullYear()}`;
  return at % dayMs === 0 ? dayText(at) : `${dayText(at)}, ${date.toISOString().slice(-13, -8)}`;
}

/** Returns a year. If the year is not over, adds that its value is an estimate or forecast. */
export function yearText(year: number, current: number): string {
  return year < current ? String(year) : `${year}, estimate or forecast`;
}

/** Returns the time of the last value of a series, in the form for its interval. */
export function lastTimeText(at: number, step: string | undefined, now: number): string {
  if (step === "year") return yearText(new Date(at).getUTCFullYear(), new Date(now).getUTCFullYear());
  return hasPeriods(step) ? periodText(at, step) : dayText(at);
}

export function instantText(at: number): string {
  return periodText(at);
}

/** Returns a time with its age, which the script updates. */
export function instant(at: number, now: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${instantText(at)}</time> <span class="ago">(<time datetime="${iso}" data-ago>${agoText(at, now)}</time>)</span>`;
}

export function ago(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" title="${instantText(at)} UTC" data-ago>${agoText(at, now)}</time>`;
}

/** Returns the age of a time in Unix epoch milliseconds, or `never`. */
export function agoIfEver(at: bigint | undefined, now: number): HtmlValue {
  return at === undefined ? "never" : ago(Number(at), now);
}

/** Returns a duration in its two largest units, such as `1 day 15 h` or `3 h 20 min`. */
export function spanText(ms: number): string {
  const minutes = Math.trunc(ms / 60_000);
  const [days, hours] = [Math.trunc(minutes / 1440), Math.trunc(minutes / 60) % 24];
  const texts = [
    days > 0 ? `${days} ${days === 1 ? "day" : "days"}` : "",
    hours > 0 ? `${hours} h` : "",
    days === 0 && (minutes % 60 > 0 || hours === 0) ? `${minutes % 60} min` : "",
  ];
  return texts.filter((text) => text !== "").join(" ");
}

/** Returns a duration in whole units, such as `13 h` or `2 days`. */
export function durationText(seconds: number): string {
  if (seconds >= 172_800) return `${Math.trunc(seconds / 86_400)} days`;
  if (seconds >= 7_200) return `${Math.trunc(seconds / 3_600)} hours`;
  if (seconds >= 120) return `${Math.trunc(seconds / 60)} minutes`;
  return `${Math.trunc(seconds)} seconds`;
}
