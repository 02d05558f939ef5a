import { type Html, html } from "../../pages/html.ts";
import { columnUnit, compactText, quantityText } from "./figures.ts";
import { niceTicks, type TimeTick, timeTicks } from "./scale.ts";
import { instantText } from "./times.ts";

/** A line of a chart; a point without a value is a gap. */
export interface ChartLine {
  readonly key: string;
  readonly label: string;
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  readonly at: number;
  readonly value: number | undefined;
  /** Not comparable with the one before: another methodology, or other sources. */
  readonly isBreak: boolean;
  /** Its interval is not over. */
  readonly isPartial?: boolean;
}

export interface LineChartParts {
  readonly lines: readonly ChartLine[];
  readonly title: string;
  readonly unit: string;
  readonly scale?: number;
  readonly height?: number;
  /** Both ends of the value axis, where the figure has such. */
  readonly range?: readonly [number, number];
}

const width = 800;
const inset = { top: 26, right: 60, bottom: 30, left: 58 };

/** Lines over time, drawn whole without a script; the script adds the values under the pointer or the arrow keys. */
export function lineChart({ lines, title, unit, scale = 1, height = 280, range }: LineChartParts): Html {
  const known = lines.flatMap(({ points }) => points.filter(isKnown));
  if (known.length === 0)
    return html`<div class="nothing"><p><strong>No points.</strong> Nothing was recorded for this selection in this span of time.</p></div>`;
  const [from, to] = spanOf(lines.flatMap(({ points }) => points.map(({ at }) => at)));
  const values = known.map(({ value = 0 }) => value);
  const ticks = niceTicks(range?.[0] ?? Math.min(...values), range?.[1] ?? Math.max(...values));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const x = (at: number) => round(inset.left + ((at - from) / (to - from)) * (width - inset.left - inset.right));
  const y = (value: number) => round(inset.top + ((high - value) / (high - low)) * (height - inset.top - inset.bottom));
  const frame: Frame = { x, y, height };
  return html`<figure class="chart" data-from="${from}" data-to="${to}" data-left="${inset.left}" data-right="${width - inset.right}" data-unit="${unit}" data-scale="${scale}">
<svg viewBox="0 0 ${width} ${height}" role="img" aria-label="${summaryOf(title, lines, unit, scale)}">
${ticks.map((tick) => html`<line class="rule" x1="${inset.left}" x2="${width - inset.right}" y1="${y(tick)}" y2="${y(tick)}"/><text x="${inset.left - 8}" y="${y(tick) + 4}" text-anchor="end">${compactText(tick * scale)}</text>`)}
${timeTicks(from, to).map((tick, index) => timeTickMarkup(tick, index, frame))}
${breaksMarkup(lines, frame)}
${lines.map((line, index) => lineMarkup(line, index, frame))}
${endLabels(lines, frame, scale)}
${unit !== "" && html`<text class="unit" x="${inset.left - 8}" y="${inset.top - 12}" text-anchor="end">${columnUnit(unit, 1)}</text>`}
</svg>
${lines.length > 1 && legend(lines)}
</figure>`;
}

interface Frame {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly height: number;
}

function isKnown({ value }: ChartPoint): boolean {
  return value !== undefined;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

/** Never empty, so that a single point has a place. */
function spanOf(instants: readonly number[]): readonly [number, number] {
  const from = instants.reduce((least, at) => Math.min(least, at), Number.POSITIVE_INFINITY);
  const to = instants.reduce((most, at) => Math.max(most, at), Number.NEGATIVE_INFINITY);
  return from === to ? [from - 43_200_000, to + 43_200_000] : [from, to];
}

function timeTickMarkup({ at, text }: TimeTick, index: number, { x, height }: Frame): Html {
  const bottom = height - inset.bottom;
  return html`<line class="axis" x1="${x(at)}" x2="${x(at)}" y1="${bottom}" y2="${bottom + 4}"/><text x="${x(at)}" y="${bottom + 22}" text-anchor="middle"${index % 2 === 1 && html` class="thin"`}>${text}</text>`;
}

function breaksMarkup(lines: readonly ChartLine[], { x, height }: Frame): Html {
  const instants = new Set(lines.flatMap(({ points }) => points.filter(({ isBreak }) => isBreak).map(({ at }) => at)));
  return html`${[...instants].map(
    (at) =>
      html`<line class="break" x1="${x(at)}" x2="${x(at)}" y1="${inset.top}" y2="${height - inset.bottom}"><title>Break: another methodology or other sources from here on</title></line>`,
  )}`;
}

function lineMarkup({ key, points }: ChartLine, index: number, { x, y }: Frame): Html {
  let path = "";
  let isDown = false;
  for (const { at, value } of points) {
    if (value !== undefined) path += `${isDown ? "L" : "M"}${x(at)} ${y(value)}`;
    isDown = value !== undefined;
  }
  const alone = points.filter((point, place) => isAlone(points, place) && isKnown(point));
  const told = points.filter(isKnown);
  return html`<g class="s${(index % 8) + 1}" data-key="${key}" data-at="${told.map(({ at }) => at).join(" ")}" data-value="${told.map(({ value }) => value).join(" ")}">
<path class="curve" d="${path}"/>${alone.map(({ at, value = 0 }) => html`<circle class="dot" cx="${x(at)}" cy="${y(value)}" r="3.5"/>`)}</g>`;
}

/** A point between gaps has no line that would show it. */
function isAlone(points: readonly ChartPoint[], place: number): boolean {
  return points[place - 1]?.value === undefined && points[place + 1]?.value === undefined;
}

/** The last value of each line at its end, moved apart where they would cover one another. */
function endLabels(lines: readonly ChartLine[], { x, y, height }: Frame, scale: number): Html {
  const ends = lines
    .flatMap(({ key, points }, index) => {
      const last = points.findLast(isKnown);
      return last?.value === undefined ? [] : [{ key, index, at: last.at, value: last.value, y: y(last.value) + 4 }];
    })
    .sort((a, b) => a.y - b.y);
  let above = Number.NEGATIVE_INFINITY;
  return html`${ends.map(({ key, index, at, value, y: wanted }) => {
    const place = Math.min(Math.max(wanted, above + 15), height - inset.bottom + 4);
    above = place;
    const text = lines.length > 1 && key.length <= 4 ? key : compactText(value * scale);
    return html`<text class="end s${(index % 8) + 1}" x="${x(at) + 7}" y="${round(place)}">${text}</text>`;
  })}`;
}

function legend(lines: readonly ChartLine[]): Html {
  return html`<ul class="legend">${lines.map(
    ({ label }, index) =>
      html`<li class="s${(index % 8) + 1}"><svg viewBox="0 0 18 10" aria-hidden="true"><path d="M0 5h18" stroke="currentColor" stroke-width="3"/></svg><span>${label}</span></li>`,
  )}</ul>`;
}

function summaryOf(title: string, lines: readonly ChartLine[], unit: string, scale: number): string {
  const parts = lines.slice(0, 8).map(({ label, points }) => {
    const told = points.filter(isKnown);
    const [first, last] = [told[0], told.at(-1)];
    if (first?.value === undefined || last?.value === undefined) return `${label}: no points`;
    const [before, after] = [first.value, last.value].map((value) => quantityText(value, unit, scale));
    return `${label}: ${before} on ${instantText(first.at)}, ${after} on ${instantText(last.at)}`;
  });
  return `${title}. ${parts.join("; ")}`;
}

/** A line without axes, beside a number that says its end. */
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
