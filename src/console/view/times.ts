import { type Html, html } from "../../pages/html.ts";
import { dayMs } from "../../reference/duration.ts";

const day = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short", year: "numeric" });
const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", hour: "2-digit", minute: "2-digit" });
const month = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", month: "short", year: "numeric" });
const shortDay = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "short" });

export function dayText(at: number): string {
  return day.format(at);
}

export function shortDayText(at: number): string {
  return shortDay.format(at);
}

export function monthText(at: number): string {
  return month.format(at);
}

export function instantText(at: number): string {
  return at % dayMs === 0 ? dayText(at) : `${day.format(at)}, ${clock.format(at)}`;
}

const steps: readonly (readonly [seconds: number, unit: Intl.RelativeTimeFormatUnit])[] = [
  [31_557_600, "year"],
  [2_629_800, "month"],
  [86_400, "day"],
  [3_600, "hour"],
  [60, "minute"],
];
const relative = new Intl.RelativeTimeFormat("en", { numeric: "always" });

/** `3 hours ago`, `in 20 seconds`; what was under a minute ago was just now. */
export function agoText(at: number, now: number): string {
  const seconds = (at - now) / 1000;
  const step = steps.find(([size]) => Math.abs(seconds) >= size);
  if (step) return relative.format(Math.trunc(seconds / step[0]), step[1]);
  return seconds >= 1 ? relative.format(Math.trunc(seconds), "second") : "just now";
}

/** A time as both: when, and how long ago; the second is kept up to date by the script. */
export function moment(at: number, now: number): Html {
  const iso = new Date(at).toISOString();
  return html`<time datetime="${iso}">${instantText(at)}</time> (<time datetime="${iso}" data-ago>${agoText(at, now)}</time>)`;
}

/** How long ago alone, with the time as its title. */
export function ago(at: number, now: number): Html {
  return html`<time datetime="${new Date(at).toISOString()}" title="${instantText(at)} UTC" data-ago>${agoText(at, now)}</time>`;
}

/** `13 h`, `2 days`: how long something lasts. */
export function durationText(seconds: number): string {
  if (seconds >= 172_800) return `${Math.round(seconds / 86_400)} days`;
  if (seconds >= 7_200) return `${Math.round(seconds / 3_600)} hours`;
  if (seconds >= 120) return `${Math.round(seconds / 60)} minutes`;
  return `${Math.round(seconds)} seconds`;
}
