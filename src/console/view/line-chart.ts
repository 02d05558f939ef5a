import { columnUnit } from "../../contract/labels.ts";
import { type Html, type HtmlValue, html } from "../../pages/html.ts";
import { niceTicks, spanOf, type TimeTick, ticksOf } from "./chart-ticks.ts";
import { compactText, quantityText } from "./figures.ts";
import { type ChartLine, type ChartPoint, type PointsTableParts, pointsTable } from "./points-table.ts";
import { hasPeriods, periodText } from "./times.ts";

export interface LineChartParts extends PointsTableParts {
  readonly lines: readonly ChartLine[];
  /** Lines that are only in the table. */
  readonly more?: readonly ChartLine[] | undefined;
  /** Height of the chart in pixels. Its width adapts to the page. */
  readonly height?: number;
  /** Minimum and maximum of the value axis, if the values have fixed bounds. */
  readonly range?: readonly [number, number];
  readonly whyEmpty?: HtmlValue;
  readonly area?: ChartArea | undefined;
}

/** An area between two lines that have the same times. */
export interface ChartArea {
  readonly label: string;
  readonly low: ChartLine;
  readonly high: ChartLine;
}

/** Size of the coordinate system for curves. CSS stretches it to the size of the chart. */
const unitsWide = 1000;
const unitsHigh = 400;
const lineHeight = 15;
/** Maximum letters of the name at the end of a line, on wide and narrow charts. */
const [wideName, narrowName] = [17, 11];
/** If a value follows the name of a line, the name is not cut to fewer letters than this. */
const minName = 5;

/** Draws a chart that works without a script. With a script, it shows the values at the pointer. */
export function lineChart(parts: LineChartParts): Html {
  const { lines, title, unit: ofAll, scale = 1, step, height = 220, range, maxRows } = parts;
  const { whyEmpty, area, more = [] } = parts;
  const all = area ? [...lines, area.low, area.high] : lines;
  const known = all.flatMap(({ points }) => points.filter(isKnown));
  if (known.length === 0)
    return html`<div class="nothing"><p>${whyEmpty || html`<strong>No points.</strong> No value was recorded in this time.`}</p></div>`;
  const instants = lines.flatMap(({ points }) => points.map(({ at }) => at));
  const [from, to] = spanOf(instants);
  const units = new Set(lines.map(({ unit: own = ofAll }) => own));
  const [unit = ""] = units.size === 1 ? units : [];
  const values = known.map(({ value = 0 }) => value);
  const ticks = niceTicks(range?.[0] ?? Math.min(...values), range?.[1] ?? Math.max(...values));
  const [low = 0, high = 1] = [ticks[0], ticks.at(-1)];
  const x: Frame["x"] = (at) => (at - from) / (to - from);
  const frame: Frame = { x, y: (value) => (high - value) / (high - low), height, step };
  return html`<figure class="chart${lines.length > 1 && " named"}" data-from="${from}" data-to="${to}" data-unit="${unit}" data-scale="${scale}"${step !== undefined && html` data-step="${step}"`}>
<div class="plot"><svg height="${height}" role="img" aria-label="${summaryOf(parts)}">
${ticks.map((tick) => {
  const y = percent(frame.y(tick));
  return html`<line class="rule" x2="100%" y1="${y}" y2="${y}"/><text y="${y}" dx="-8" dy="4" text-anchor="end">${compactText(tick * scale)}</text>`;
})}
${ticksOf(instants, step).map((tick, index) => timeTickMarkup(tick, index, frame))}
${breaksMarkup(lines, frame)}
<svg class="curves" width="100%" height="100%" viewBox="0 0 ${unitsWide} ${unitsHigh}" preserveAspectRatio="none">${area && areaMarkup(area, frame)}${lines.map((line, index) => lineMarkup(line, index, frame))}${area && [area.low, area.high].map((line) => groupMarkup(line, "edge", html``))}</svg>
${lines.map((line, index) => dotsMarkup(line, index, frame))}
${endLabels(lines, frame, scale)}
${unit !== "" && html`<text class="unit" y="-14" dx="-8" text-anchor="${columnUnit(unit, 1).length > 4 ? "start" : "end"}">${columnUnit(unit, 1)}</text>`}
</svg></div>
${(lines.length > 1 || area) && legend(lines, area)}
${notesMarkup(all, low * scale, high * scale, step)}
</figure>
${pointsTable([...all, ...more], { title, unit: ofAll, scale, step, maxRows })}`;
}

/** Converts points to fractions of the chart's width and height, so that dots keep their size if it is stretched. */
interface Frame {
  readonly x: (at: number) => number;
  readonly y: (value: number) => number;
  readonly height: number;
  readonly step: string | undefined;
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

function lineMarkup(line: ChartLine, index: number, { x, y }: Frame): Html {
  let [path, partial] = ["", ""];
  let pen: { readonly place: string; readonly isPartial: boolean } | undefined;
  for (const { at, value, isPartial = false } of line.points) {
    const place = value === undefined ? undefined : `${round(x(at) * unitsWide)} ${round(y(value) * unitsHigh)}`;
    const isDashed = pen !== undefined && (isPartial || pen.isPartial);
    if (place !== undefined && isDashed) partial += `M${pen?.place}L${place}`;
    if (place !== undefined && !isPartial) path += `${pen === undefined || isDashed ? "M" : "L"}${place}`;
    pen = place === undefined ? undefined : { place, isPartial };
  }
  return groupMarkup(
    line,
    colorOf(line, index),
    html`<path class="curve" d="${path}"/>${partial !== "" && html`<path class="curve partial" d="${partial}"/>`}`,
  );
}

/** Groups what is drawn of a line with its values, which the script shows at the pointer. */
function groupMarkup({ key, label, unit, points }: ChartLine, name: string, content: Html): Html {
  const reported = points.filter(isKnown);
  const partial = reported.filter(({ isPartial }) => isPartial).map(({ at }) => at);
  return html`<g class="${name}" data-key="${key}" data-label="${label}"${unit !== undefined && html` data-unit="${unit}"`}${partial.length > 0 && html` data-partial="${partial.join(" ")}"`} data-at="${reported.map(({ at }) => at).join(" ")}" data-value="${reported.map(({ value }) => value).join(" ")}">${content}</g>`;
}

/** Draws the area between two lines. It has a gap where one of the lines has no value. */
function areaMarkup({ low, high }: ChartArea, { x, y }: Frame): Html {
  const upper = new Map(high.points.map(({ at, value }) => [at, value]));
  const place = (at: number, value: number) => `${round(x(at) * unitsWide)} ${round(y(value) * unitsHigh)}`;
  const runs: [above: string, below: string][][] = [[]];
  for (const { at, value } of low.points) {
    const top = upper.get(at);
    if (value === undefined || top === undefined) runs.push([]);
    else runs.at(-1)?.push([place(at, top), place(at, value)]);
  }
  const shapes = runs.filter((run) => run.length > 0);
  const path = shapes.map(
    (run) => `M${[...run.map(([top]) => top), ...run.map(([, low]) => low).reverse()].join("L")}Z`,
  );
  return html`<path class="area" d="${path.join("")}"/>`;
}

/** Returns the class with the color of a line. */
function colorOf({ isReference, color }: ChartLine, index: number): string {
  return isReference === true ? "reference-line" : `s${((color ?? index) % 8) + 1}`;
}

function dotsMarkup(line: ChartLine, index: number, { x, y, step }: Frame): Html {
  const { points } = line;
  // A point between two gaps has no line, so it is drawn as a dot.
  const isAlone = (place: number) => points[place - 1]?.value === undefined && points[place + 1]?.value === undefined;
  const dots = points.filter((point, place) => isKnown(point) && (point.isPartial === true || isAlone(place)));
  return html`${dots.map(({ at, value = 0, isPartial }) => html`<circle class="dot ${colorOf(line, index)}${isPartial && " partial"}" cx="${percent(x(at))}" cy="${percent(y(value))}" r="3.5">${isPartial && html`<title>${periodText(at, step)}, incomplete</title>`}</circle>`)}`;
}

/** Labels each line with its name, or a single line with its last value. Overlapping labels are moved apart. */
function endLabels(lines: readonly ChartLine[], { x, y, height }: Frame, scale: number): Html {
  const lastOf = ({ points }: ChartLine, end = Infinity) =>
    points.findLast((point) => isKnown(point) && point.at <= end);
  // A mean may be known for later days, but its label shows the value at the time of the last measured value.
  const measured = lines.flatMap((line) => (line.isReference ? [] : (lastOf(line)?.at ?? [])));
  const compared = measured.length > 0 ? Math.max(...measured) : undefined;
  const ends = lines
    .flatMap((line, index) => {
      const { label, short = label } = line;
      const last = lastOf(line, line.isReference ? compared : undefined);
      if (last?.value === undefined) return [];
      const value = compactText(last.value * scale);
      return [
        {
          name: lines.length > 1 ? short : "",
          value,
          color: colorOf(line, index),
          at: last.at,
          y: y(last.value) * height + 4,
        },
      ];
    })
    .sort((a, b) => a.y - b.y);
  // Labels at the lower end move up, so that the last one stays within the chart.
  const places = ends.map(({ y: wanted }) => wanted);
  for (let place = 1; place < places.length; place += 1)
    places[place] = Math.max(places[place] ?? 0, (places[place - 1] ?? 0) + lineHeight);
  let below = height + 4 + lineHeight;
  for (let place = places.length - 1; place >= 0; place -= 1) {
    below = Math.min(places[place] ?? 0, below - lineHeight);
    places[place] = below;
  }
  return html`${ends.map(({ name, value, color, at }, place) => {
    const labelIn = (max: number) =>
      name === "" ? value : `${shortened(name, Math.max(minName, max - value.length - 1))} ${value}`;
    const [wide, narrow] = [wideName, narrowName].map(labelIn);
    const label = (shown = "", name = "") =>
      html`<text class="end${name} ${color}" x="${percent(x(at))}" dx="7" y="${round(places[place] ?? 0)}">${shown}</text>`;
    return wide === narrow ? label(wide) : html`${label(wide, " wide-name")}${label(narrow, " narrow-name")}`;
  })}`;
}

function shortened(text: string, max: number): string {
  return text.length <= max ? text : `${text.slice(0, max - 1).trimEnd()}…`;
}

function legend(lines: readonly ChartLine[], area: ChartArea | undefined): Html {
  const item = (name: string, label: string, width: number) =>
    html`<li class="${name}"><svg viewBox="0 0 18 10" aria-hidden="true"><path d="M0 5h18" stroke="currentColor" stroke-width="${width}"/></svg><span>${label}</span></li>`;
  return html`<ul class="legend">${lines.map((line, index) => item(colorOf(line, index), line.label, 3))}${area && item("area-sign", area.label, 10)}</ul>`;
}

/** Says what readers of a chart could mistake: that the axis does not start at 0, or that an interval is incomplete. */
function notesMarkup(lines: readonly ChartLine[], low: number, high: number, step: string | undefined): Html {
  const points = lines.flatMap((line) => line.points);
  const partial = new Set(points.filter((point) => point.isPartial && isKnown(point)).map(({ at }) => at));
  const notes = [
    ...(low > 0 ? [`The value axis starts at ${compactText(low)}, not at 0.`] : []),
    ...(high < 0 ? [`The value axis ends at ${compactText(high)}, not at 0.`] : []),
    ...(partial.size > 0
      ? [`Hollow points are incomplete: ${[...partial].map((at) => periodText(at, step)).join(", ")}.`]
      : []),
  ];
  return html`${notes.length > 0 && html`<p class="notes small soft">${notes.join(" ")}</p>`}`;
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
