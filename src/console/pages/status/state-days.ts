import type { StateSpan } from "../../../../gen/es/ids/catalog/v1/states_pb.ts";
import { type Html, html } from "../../../pages/html.ts";
import { dayMs } from "../../../reference/duration.ts";
import { type Availability, catalogState } from "../../view/availability.ts";
import { numberText } from "../../view/figures.ts";
import { dayText } from "../../view/times.ts";

/** Days that are drawn, today included. */
const days = 90;
/** Of a day, in the units of the drawing, with the gap behind it. */
const dayWidth = 8;
/** Bad days are told one by one; so many at most. */
const maxTold = 6;

/** Of a dataset, or of a source of one: all its days. */
export type StateDays = ReadonlyMap<string, readonly StateSpan[]>;

export function stateDays(spans: readonly StateSpan[]): StateDays {
  return Map.groupBy(spans, ({ dataset, source }) => keyOf(dataset, source));
}

/** The days as bars, and in words for who does not see them. */
export function daysMarkup(all: StateDays, { dataset, source = "" }: Subject, since: string): Html {
  const spans = all.get(keyOf(dataset, source)) ?? [];
  if (spans.length === 0) return html`<span class="soft">not recorded yet</span>`;
  const begin = Date.parse(since);
  const x = (day: string) => Math.max(0, (Date.parse(day) - begin) / dayMs) * dayWidth;
  return html`<svg class="days" viewBox="0 0 ${days * dayWidth} 14" preserveAspectRatio="none" role="img" aria-label="${textOf(spans)}"><path d="M0 7H${days * dayWidth}"/>${spans.map(
    (span) =>
      html`<path class="${toneOf(span)}" d="M${x(span.from)} 7H${x(span.to) + dayWidth}"><title>${spanText(span)}</title></path>`,
  )}</svg>`;
}

interface Subject {
  readonly dataset: string;
  readonly source?: string;
}

function keyOf(dataset: string, source: string): string {
  return `${dataset} ${source}`;
}

function toneOf({ state }: StateSpan): Availability["tone"] {
  return catalogState(state).tone;
}

function textOf(spans: readonly StateSpan[]): string {
  const bad = spans.filter(({ state }) => state !== "ok");
  const first = Math.min(...spans.map(({ from }) => Date.parse(from)));
  const since = `since ${dayText(first)}`;
  if (bad.length === 0) return `OK ${since}`;
  const told = bad.slice(-maxTold).map(spanText);
  const more = bad.length > maxTold ? `; and ${bad.length - maxTold} times before` : "";
  return `${sharePercent(spans)}% OK ${since}: ${told.join("; ")}${more}`;
}

function spanText({ from, to, state, minutes }: StateSpan): string {
  const [first, last] = [from, to].map((day) => dayText(Date.parse(day)));
  const when = from === to ? first : `${first} to ${last}`;
  if (minutes.length < 2) return `${catalogState(state).word}: ${when}`;
  return `${when}: ${minutes.map((each) => `${catalogState(each.state).word} ${timeText(each.minutes)}`).join(", ")}`;
}

function timeText(minutes: number): string {
  return minutes < 120 ? `${minutes} minutes` : `${numberText(Math.round(minutes / 6) / 10)} hours`;
}

/** The part of the time that was looked at in which all was as it should be, rounded down: 100 is never said of less. */
function sharePercent(spans: readonly StateSpan[]): string {
  const times = spans.flatMap(({ minutes }) => minutes);
  const all = times.reduce((sum, { minutes }) => sum + minutes, 0);
  const good = times.filter(({ state }) => state === "ok").reduce((sum, { minutes }) => sum + minutes, 0);
  return numberText(all === 0 ? 0 : Math.floor((good / all) * 1000) / 10);
}

/** The same as a column beside the bars; nothing where nothing was looked at for a while. */
export function shareMarkup(all: StateDays, { dataset, source = "" }: Subject): Html {
  const spans = all.get(keyOf(dataset, source)) ?? [];
  const isLooked = spans.some(({ minutes }) => minutes.some((each) => each.minutes > 0));
  return html`${isLooked ? `${sharePercent(spans)}%` : "–"}`;
}
