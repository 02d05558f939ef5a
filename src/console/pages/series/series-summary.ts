import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { type Html, type HtmlValue, html, joined } from "../../../pages/html.ts";
import { table } from "../../../pages/layout.ts";
import { isoDay } from "../../../reference/calendar.ts";
import { dayMs } from "../../../reference/duration.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { evenly, numberText, unknown } from "../../view/figures.ts";
import type { ChartLine, ChartPoint } from "../../view/points-table.ts";
import { hasPeriods, lastTimeText, periodText, shortDayText } from "../../view/times.ts";
import { changeText } from "../movers.ts";
import { type SeriesRequest, seriesAddress } from "./series-request.ts";
import { isRelative, pointsUnit } from "./series-views.ts";

interface SummaryTerms {
  readonly series: Pick<Series, "id" | "step" | "aggregation">;
  readonly request: Omit<SeriesRequest, "isChosen">;
  readonly unit: string;
  /** Interval of the labels of points. */
  readonly step: string | undefined;
  readonly now: number;
}

interface KnownPoint extends ChartPoint {
  readonly value: number;
}

/** Days before the last point within which the largest change of a line between two points is searched. */
const moveDays = 90;
const decimals = 9;
/** Lines that begin less than this time apart begin together, because sources skip weekends and holidays. */
const minLaterMs = 7 * dayMs;

/** Says what each line did: its first and last value, the change, and its extremes. Incomplete points do not count. */
export function summaryMarkup(lines: readonly ChartLine[], terms: SummaryTerms): Html | undefined {
  const shown = lines.filter(({ points, isReference }) => !isReference && points.some(isWhole));
  if (shown.length === 0) return undefined;
  const { series, request } = terms;
  const hasMoves = /^(?:raw|day)$/.test(request.interval) && /^(?:refresh|day)$/.test(series.step);
  const moves = hasMoves ? [`Largest move in ${moveDays} days`] : [];
  const headings = ["Line", "First", "Last", "Change", "Lowest", "Highest", ...moves];
  const rows = shown.map((line) => rowOf(line, terms, hasMoves));
  const points = shown.flatMap((line) => line.points);
  const remarks = [
    ...beginRemarks(shown, terms),
    points.some((point) => point.isPartial && isKnown(point)) && "Incomplete points are left out.",
    points.some(({ isBreak }) => isBreak) && "Values before and after a break are not comparable.",
  ].filter((remark) => remark !== false);
  return html`<h3>From first to last</h3>${table(headings, rows, [1, 2, 4, 5])}${remarks.length > 0 && html`<p class="small soft">${joined(remarks, " ")}</p>`}`;
}

function isKnown({ value }: ChartPoint): boolean {
  return value !== undefined;
}

function isWhole(point: ChartPoint | undefined): point is KnownPoint {
  return point?.value !== undefined && point.isPartial !== true;
}

function rowOf({ label, unit, points }: ChartLine, terms: SummaryTerms, hasMoves: boolean): readonly HtmlValue[] {
  const known = points.filter(isWhole);
  const values = known.map(({ value }) => value);
  const text = evenly(values);
  const cell = (equal: readonly KnownPoint[]) => {
    const { at, value = Number.NaN } = equal.at(-1) ?? {};
    const remark = equal.length > 1 ? `, latest of ${numberText(equal.length)}` : "";
    return at === undefined ? unknown : valueCell(text(value), `${timeText(at, terms)}${remark}`);
  };
  const own = { ...terms, unit: unit ?? terms.unit, text };
  return [
    ...[label, cell(known.slice(0, 1)), cell(known.slice(-1)), changeCell(points, known, own)],
    ...[Math.min(...values), Math.max(...values)].map((end) => cell(known.filter(({ value }) => value === end))),
    ...(hasMoves ? [moveCell(points, own)] : []),
  ];
}

function valueCell(value: string, remark: string): Html {
  return html`${value}<div class="small soft">${remark}</div>`;
}

function timeText(at: number, { step, request, now }: SummaryTerms): string {
  if (request.interval === "week") return `week of ${periodText(at)}`;
  return step === "year" ? lastTimeText(at, step, now) : periodText(at, step);
}

/** Returns `in 2021`, `on 3 Nov 2026`, or `in the week of 2 Nov 2026`. */
function whenText(at: number, terms: SummaryTerms): string {
  const text = timeText(at, terms);
  return text.startsWith("week") ? `in the ${text}` : `${hasPeriods(terms.step) ? "in" : "on"} ${text}`;
}

interface ChangeTerms extends SummaryTerms {
  readonly text: (value: number) => string;
}

/** Returns `+5 points`, `−1.35 percentage points`, or `+107,823 (+26.1%)`. */
function differenceText(first: KnownPoint, last: KnownPoint, { series, unit, text }: ChangeTerms): string {
  const difference = changeText(roundedAway(last.value - first.value, decimals), text);
  if (!isRelative(unit, series)) return `${difference} ${pointsUnit(unit)}`;
  const percent = changeText(roundedAway((last.value / first.value - 1) * 100, 1));
  return first.value > 0 ? `${difference} (${percent}%)` : difference;
}

/** Returns the change from the first to the last point, or from the last break after which points are comparable. */
function changeCell(points: readonly ChartPoint[], known: readonly KnownPoint[], terms: ChangeTerms): HtmlValue {
  const [first, last] = [known[0], known.at(-1)];
  if (!first || !last || first === last) return unknown;
  const broken = points.findLast(({ at, isBreak }) => isBreak && at > first.at && at <= last.at);
  if (!broken) return differenceText(first, last, terms);
  const since = known.find(({ at }) => at >= broken.at) ?? last;
  const rest = since === last ? "" : `since then ${differenceText(since, last, terms)}`;
  return valueCell(`Not comparable: break ${whenText(broken.at, terms)}`, rest);
}

/** Returns the largest change between neighboring points of the last days. Of equal changes, the latest counts. */
function moveCell(points: readonly ChartPoint[], terms: ChangeTerms): HtmlValue {
  const since = (points.findLast(isWhole)?.at ?? 0) - moveDays * dayMs;
  const moves = points.flatMap((after, place) => {
    const before = points[place - 1];
    if (!isWhole(before) || !isWhole(after) || after.isBreak || after.at < since) return [];
    return [{ before, after, size: roundedAway(Math.abs(after.value - before.value), decimals) }];
  });
  const [largest] = moves.reverse().toSorted((one, other) => other.size - one.size);
  if (!largest || largest.size === 0) return "none";
  const { before, after, size } = largest;
  const equal = moves.filter((move) => move.size === size).length;
  const ends = `${terms.text(before.value)} on ${shortDayText(before.at)}, ${terms.text(after.value)} on ${timeText(after.at, terms)}`;
  const remark = equal > 1 ? `${ends}, latest of ${numberText(equal)} of this size` : ends;
  return valueCell(differenceText(before, after, terms), remark);
}

/** Says which lines begin later than others, and links to the time for which all lines have values. */
function beginRemarks(lines: readonly ChartLine[], terms: SummaryTerms): readonly HtmlValue[] {
  const firsts = lines.map(({ label, points }) => ({ label, at: points.find(isKnown)?.at ?? 0 }));
  const earliest = Math.min(...firsts.map(({ at }) => at));
  const late = firsts.filter(({ at }) => at - earliest >= minLaterMs);
  if (late.length === 0) return [];
  const latest = Math.max(...late.map(({ at }) => at));
  const address = seriesAddress(terms.series.id, { ...terms.request, from: isoDay(latest) });
  return [
    ...late.map(({ label, at }) => `${label} begins ${whenText(at, terms)}.`),
    html`<a href="${address}">Compare from ${timeText(latest, terms)}</a>`,
  ];
}
