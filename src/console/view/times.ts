import { type Html, html } from "../../pages/html.ts";
import { agoText } from "./ago-text.ts";
import { periodText } from "./period-text.ts";

export { dayText, shortDayText } from "./period-text.ts";

export function monthText(at: number): string {
  return periodText(at, "month");
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

/** Returns a duration in whole units, such as `13 h` or `2 days`. */
export function durationText(seconds: number): string {
  if (seconds >= 172_800) return `${Math.trunc(seconds / 86_400)} days`;
  if (seconds >= 7_200) return `${Math.trunc(seconds / 3_600)} hours`;
  if (seconds >= 120) return `${Math.trunc(seconds / 60)} minutes`;
  return `${Math.trunc(seconds)} seconds`;
}
