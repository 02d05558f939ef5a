import { columnUnit } from "../../contract/labels.ts";
import { type Html, html } from "../../pages/html.ts";
import { type Interval, intervals, startOf } from "../../reference/calendar.ts";
import { evenly, numberText, unknown } from "./figures.ts";
import { hasPeriods, periodText } from "./times.ts";

/** A line of a chart. A point without a value is a gap. */
export interface ChartLine {
  readonly key: string;
  readonly label: string;
  /** Shorter form of the label, which is shown at the end of the line. */
  readonly short?: string;
  /** Unit of the line, if it differs from the unit of the chart. */
  readonly unit?: string;
  /** Index of the line's color, if it differs from the index of the line. */
  readonly color?: number;
  /** Whether the line is for comparison, such as a mean. It is gray and dashed. */
  readonly isReference?: boolean;
  readonly points: readonly ChartPoint[];
}

export interface ChartPoint {
  readonly at: number;
  readonly value: number | undefined;
  /** True if another methodology or source makes the point incomparable with the previous one. */
  readonly isBreak: boolean;
  /** True if the interval of the point has not ended yet. */
  readonly isPartial?: boolean;
}

/** If a table has more lines, each row becomes a card on a phone. */
const linesOnPhone = 2;

/** Default number of rows: about one per week of a year. */
const defaultRows = 60;

export interface PointsTableParts {
  readonly title: string;
  readonly unit: string;
  readonly scale?: number;
  /** Interval of points that are labeled by month, quarter, or year. Undefined if the label is a day or time. */
  readonly step?: string | undefined;
  /**
   * Maximum number of rows. If there are more, the table shows only the last one per day, week, or month. It also shows
   * the ends and extremes of each line.
   */
  readonly maxRows?: number | undefined;
}

/** Shows the values of a chart as a table, newest first. */
export function pointsTable(
  lines: readonly ChartLine[],
  { title, unit, scale = 1, step, maxRows = defaultRows }: PointsTableParts,
): Html {
  const texts = lines.map(({ points }) => evenly(points.flatMap(({ value }) => value ?? [])));
  const measures = lines.map(({ unit: own = unit }) => columnUnit(own, scale));
  const values = lines.map(({ points }) => new Map(points.map((point) => [point.at, point])));
  const instants = [...new Set(lines.flatMap(({ points }) => points.map(({ at }) => at)))].sort((a, b) => b - a);
  const interval = intervals.find((each) => countOf(instants, each) <= maxRows) ?? "month";
  const shown = new Set(interval === "raw" ? instants : lines.flatMap(({ points }) => tellingOf(points, interval)));
  return html`<details class="as-table"><summary>Values as a table</summary>
<div class="wide scrolls" role="region" aria-label="${`Table: Values of ${title}`}" tabindex="0"><table${lines.length > linesOnPhone && html` class="cards"`}><thead><tr><th scope="col">${hasPeriods(step) ? "Period" : "Time (UTC)"}</th>${lines.map(
    ({ label }, line) =>
      html`<th scope="col" class="number">${label}${measures[line] !== "" && html`<span class="unit">${measures[line]}</span>`}</th>`,
  )}</tr></thead><tbody>${instants
    .filter((at) => shown.has(at))
    .map(
      (at) =>
        html`<tr><td class="time">${periodText(at, step)}</td>${values.map((own, line) => valueCell(lines[line]?.label, measures[line], texts[line], own.get(at)))}</tr>\n`,
    )}</tbody></table></div>
${interval !== "raw" && html`<p class="small soft">From ${numberText(instants.length)} times, this table shows the last of each ${interval}, and the first, highest, and lowest value${lines.length > 1 && " of each line"}.</p>`}</details>`;
}

function countOf(instants: readonly number[], interval: Interval): number {
  let count = 0;
  let last: number | undefined;
  for (const at of instants) {
    const start = startOf(at, interval);
    if (start !== last) count += 1;
    last = start;
  }
  return count;
}

/** Returns the times that the table shows of a line: the last of each interval, both ends, and both extremes. */
function tellingOf(points: readonly ChartPoint[], interval: Interval): readonly number[] {
  const lasts = new Map<number, number>();
  for (const { at, value } of points) {
    const start = startOf(at, interval);
    if (value !== undefined || !lasts.has(start)) lasts.set(start, at);
  }
  const [first, ...rest] = points.flatMap(({ at, value }) => (value === undefined ? [] : [{ at, value }]));
  if (!first) return [...lasts.values()];
  let [lowest, highest] = [first, first];
  for (const point of rest) {
    if (point.value < lowest.value) lowest = point;
    if (point.value >= highest.value) highest = point;
  }
  return [...lasts.values(), first.at, lowest.at, highest.at];
}

function valueCell(label = "", unit = "", text = numberText, { value, isPartial }: Partial<ChartPoint> = {}): Html {
  const named = html`data-label="${label}"${unit !== "" && html` data-unit="${unit}"`}`;
  return value === undefined
    ? html`<td class="number unknown" ${named}>${unknown}</td>`
    : html`<td class="number" ${named}>${text(value)}${isPartial && html` <span class="small soft">incomplete</span>`}</td>`;
}
