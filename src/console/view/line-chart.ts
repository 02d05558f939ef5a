import { columnUnit } from "../../contract/labels.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { dayMs } from "../../reference/duration.ts";
import { compactText, quantityText } from "./figures.ts";
import { type ChartLine, type ChartPoint, pointsTable } from "./points-table.ts";
import { dayText, hasPeriods, periodText, shortDayText } from "./times.ts";

export interface LineChartParts {
  readonly lines: readonly ChartLine[];
  readonly title: string;
  readonly unit: string;
  readonly scale?: number;
  /** Interval between points, which determines their labels. Undefined if they are labeled by day or time. */
  readonly step?: string | undefined;
  /** Height of the chart in pixels. Its width adapts to the page. */
  readonly height?: number;
  /** Minimum and maximum of the value axis, if the values have fixed bounds. */
  readonly range?: readonly [number, number];
  /** Maximum number of rows in the table below the chart. Excess rows are thinned out. */
  readonly maxRows?: number;
  readonly whyEmpty?: HtmlValue;
}

/** Width of the coordinate system for curves, which CSS stretches to the size of the chart. */
const unitsWide = 1000;
const unitsHigh = 400;
const lineHeight = 15;

const maxPeriods = 6;

/** Default number of table rows: about one per week of a year. */
const defaultRows = 60;

/** Draws a chart that works without a script. With a script, it shows the values at the pointer. */
export function lineChart(parts: LineChartParts): Html {
  const { lines, title, unit: ofAll, scale = 1, step, height = 220, range, maxRows = defaultRows, whyEmpty } = parts;
  const known = lines.flatMap(({ points }) => points.filter(isKnown));
  if (known.length === 0)
    return html`<div class="nothing"><p>${whyEmpty || html`<strong>No points.</strong> No value was recorded in this time.`}</p></div>`;
  const instants = lines.flatMap(({ points }) => points.map(({ at }) => at));
  const [from, to] = spanOf(instants);
  const units = new Set(lines.map(({ unit: own = ofAll }) => own));
  const [unit = ""] = units.size === 1 ? units : [];
  const values = known.map(({ value = 0 }) => value);
  const ticks = niceTicks(range?.[0] ?? Math.min(...values), range?.[1] ?? Math.max(...values));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const frame: Frame = { x: (at) => (at - from) / (to - from), y: (value) => (high - value) / (high - low), height };
  return html`<figure class="chart" data-from="${from}" data-to="${to}" data-unit="${unit}" data-scale="${scale}"${step !== undefined && html` data-step="${step}"`}>
<div class="plot"><svg height="${height}" role="img" aria-label="${summaryOf(parts)}">
${ticks.map((tick) => {
  const y = percent(frame.y(tick));
  return html`<line class="rule" x2="100%" y1="${y}" y2="${y}"/><text y="${y}" dx="-8" dy="4" text-anchor="end">${compactText(tick * scale)}</text>`;
})}
${ticksOf(instants, step).map((tick, index) => timeTickMarkup(tick, index, frame))}
${breaksMarkup(lines, frame)}
<svg class="curves" width="100%" height="100%" viewBox="0 0 ${unitsWide} ${unitsHigh}" preserveAspectRatio="none">${lines.map((line, index) => lineMarkup(line, index, frame))}</svg>
${lines.map((line, index) => dotsMarkup(line, index, frame))}
${endLabels(lines, frame, scale)}
${unit !== "" && html`<text class="unit" y="-14" dx="-8" text-anchor="${columnUnit(unit, 1).length > 4 ? "start" : "end"}">${columnUnit(unit, 1)}</text>`}
</svg></div>
${lines.length > 1 && legend(lines)}
</figure>
${pointsTable(lines, { title, unit: ofAll, scale, step, maxRows })}`;
}

/** Converts points to fractions of width and height, so that marks keep their size if the chart is stretched. */
interface Frame {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly height: number;
}

function percent(part: number): string {
  return `${Math.round(part * 10_000) / 100}%`;
}

function isKnown({ value }: ChartPoint): boolean {
  return value !== undefined;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Returns the time span. A single point gets a longer span than zero, so that it has a position. */
function spanOf(instants: readonly number[]): readonly [number, number] {
  const from = instants.reduce((min, at) => Math.min(min, at), Number.POSITIVE_INFINITY);
  const to = instants.reduce((max, at) => Math.max(max, at), Number.NEGATIVE_INFINITY);
  return from === to ? [from - 43_200_000, to + 43_200_000] : [from, to];
}

/** Returns the ticks of the time axis. A chart of a few periods has a tick for each. */
function ticksOf(instants: readonly number[], step: string | undefined): readonly TimeTick[] {
  const own = [...new Set(instants)];
  if (hasPeriods(step) && own.length <= maxPeriods) return own.map((at) => ({ at, text: periodText(at, step) }));
  return timeTicks(...spanOf(instants));
}

function timeTickMarkup({ at, text }: TimeTick, index: number, { x, height }: Frame): Html {
  const place = percent(x(at));
  return html`<line class="axis" x1="${place}" x2="${place}" y1="${height}" y2="${height + 4}"/><text x="${place}" y="${height + 20}" text-anchor="middle"${index % 2 === 1 && html` class="thin"`}>${text}</text>`;
}

function breaksMarkup(lines: readonly ChartLine[], { x }: Frame): Html {
  const instants = new Set(lines.flatMap(({ points }) => points.filter(({ isBreak }) => isBreak).map(({ at }) => at)));
  return html`${[...instants].map(
    (at) =>
      html`<line class="break" x1="${percent(x(at))}" x2="${percent(x(at))}" y2="100%"><title>Break: another methodology or other sources from here on</title></line>`,
  )}`;
}

function lineMarkup({ key, unit, points }: ChartLine, index: number, { x, y }: Frame): Html {
  let path = "";
  let isDown = false;
  for (const { at, value } of points) {
    if (value !== undefined) path += `${isDown ? "L" : "M"}${round(x(at) * unitsWide)} ${round(y(value) * unitsHigh)}`;
    isDown = value !== undefined;
  }
  const reported = points.filter(isKnown);
  return html`<g class="s${(index % 8) + 1}" data-key="${key}"${unit !== undefined && html` data-unit="${unit}"`} data-at="${reported.map(({ at }) => at).join(" ")}" data-value="${reported.map(({ value }) => value).join(" ")}"><path class="curve" d="${path}"/></g>`;
}

function dotsMarkup({ points }: ChartLine, index: number, { x, y }: Frame): Html {
  // A point between two gaps has no line, so it is drawn as a dot.
  const isAlone = (place: number) => points[place - 1]?.value === undefined && points[place + 1]?.value === undefined;
  const only = points.filter((point, place) => isAlone(place) && isKnown(point));
  return html`${only.map(({ at, value = 0 }) => html`<circle class="dot s${(index % 8) + 1}" cx="${percent(x(at))}" cy="${percent(y(value))}" r="3.5"/>`)}`;
}

/** Labels each line with its last value. Overlapping labels are moved apart. */
function endLabels(lines: readonly ChartLine[], { x, y, height }: Frame, scale: number): Html {
  const ends = lines
    .flatMap(({ key, points }, index) => {
      const last = points.findLast(isKnown);
      return last?.value === undefined
        ? []
        : [{ key, index, at: last.at, value: last.value, y: y(last.value) * height + 4 }];
    })
    .sort((a, b) => a.y - b.y);
  let above = Number.NEGATIVE_INFINITY;
  return html`${ends.map(({ key, index, at, value, y: wanted }) => {
    const place = Math.min(Math.max(wanted, above + lineHeight), height + 4);
    above = place;
    const text = lines.length > 1 && key.length <= 4 ? key : compactText(value * scale);
    return html`<text class="end s${(index % 8) + 1}" x="${percent(x(at))}" dx="7" y="${round(place)}">${text}</text>`;
  })}`;
}

function legend(lines: readonly ChartLine[]): Html {
  return html`<ul class="legend">${lines.map(
    ({ label }, index) =>
      html`<li class="s${(index % 8) + 1}"><svg viewBox="0 0 18 10" aria-hidden="true"><path d="M0 5h18" stroke="currentColor" stroke-width="3"/></svg><span>${label}</span></li>`,
  )}</ul>`;
}

function summaryOf({ title, lines, unit: ofAll, scale = 1, step }: LineChartParts): string {
  const [inOrOn, text] = [hasPeriods(step) ? "in" : "on", (at: number) => periodText(at, step)];
  const parts = lines.slice(0, 8).map(({ label, unit = ofAll, points }) => {
    const reported = points.filter(isKnown);
    const [first, last] = [reported[0], reported.at(-1)];
    if (first?.value === undefined || last?.value === undefined) return `${label}: no points`;
    const [before, after] = [first.value, last.value].map((value) => quantityText(value, unit, scale));
    return `${label}: ${before} ${inOrOn} ${text(first.at)}, ${after} ${inOrOn} ${text(last.at)}`;
  });
  return `${title.replace(/\.$/, "")}. ${parts.join("; ")}`;
}

export function sparkline(values: readonly number[]): Html {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const step = 96 / Math.max(values.length - 1, 1);
  const path = values
    .map(
      (value, index) =>
        `${index === 0 ? "M" : "L"}${round(index * step)} ${round(20 - ((value - low) / (high - low || 1)) * 18)}`,
    )
    .join("");
  return html`<svg class="spark" viewBox="0 0 96 22" aria-hidden="true"><path d="${path}"/></svg>`;
}

/** Returns four to six round values around the minimum and the maximum. */
function niceTicks(low: number, high: number): readonly number[] {
  const isFlat = high === low;
  const [from, to] = isFlat
    ? [low - Math.max(Math.abs(low) * 0.1, 1), high + Math.max(Math.abs(high) * 0.1, 1)]
    : [low, high];
  const rough = (to - from) / 4;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((factor) => factor * power).find((size) => size >= rough) ?? rough;
  const first = Math.floor(from / step);
  const last = Math.ceil(to / step);
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

interface TimeTick {
  readonly at: number;
  readonly text: string;
}

function timeTicks(from: number, to: number): readonly TimeTick[] {
  const days = (to - from) / dayMs;
  const years = days / 365;
  if (days > 1_100) return monthTicks(from, to, 12 * Math.max(1, Math.ceil(years / 7)));
  if (days > 100) return monthTicks(from, to, Math.ceil(days / 30 / 6));
  const step = Math.max(1, Math.ceil(days / 6)) * dayMs;
  const first = Math.ceil(from / dayMs) * dayMs;
  const ticks: TimeTick[] = [];
  for (let at = first; at <= to; at += step) ticks.push({ at, text: shortDayText(at) });
  return ticks.length > 0 ? ticks : [{ at: from, text: dayText(from) }];
}

/** Ticks that are whole years apart are in January. */
function monthTicks(from: number, to: number, step: number): TimeTick[] {
  const begin = new Date(from);
  const isOfYears = step % 12 === 0;
  const ticks: TimeTick[] = [];
  for (let month = isOfYears ? 0 : begin.getUTCMonth() + 1; ; month += step) {
    const at = Date.UTC(begin.getUTCFullYear(), month);
    if (at > to) return ticks;
    if (at >= from) ticks.push({ at, text: periodText(at, isOfYears ? "year" : "month") });
  }
}
