import type { Series } from "../../../../gen/es/ids/history/v1/history_pb.ts";
import { dayMs } from "../../../reference/duration.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { amountText } from "../../view/figures.ts";
import type { ChartPoint } from "../../view/points-table.ts";
import { dayText } from "../../view/times.ts";

/** Views of a series with their labels. The address of a page names the view. */
export const seriesViews = {
  value: "Value",
  index: "Index (first = 100)",
  change: "Change over a year",
  band: "Seasonal band",
} as const;

export type SeriesView = keyof typeof seriesViews;

export function isSeriesView(text: string | null): text is SeriesView {
  return text !== null && Object.hasOwn(seriesViews, text);
}

/** Returns whether changes are in percent. They are not for percentages and scores, for which this would mislead. */
export function isRelative(unit: string, { aggregation }: Pick<Series, "aggregation">): boolean {
  return unit === "" ? aggregation === "sum" : !/^(?:%|percent|points$)/i.test(unit);
}

/** Returns the unit of a difference of percentages or scores. */
export function pointsUnit(unit: string): string {
  return /^(?:%|percent)/i.test(unit) ? "percentage points" : "points";
}

interface ViewedPoints {
  readonly points: readonly ChartPoint[];
  /** Why points are missing, as sentences. */
  readonly reasons: readonly string[];
}

const decimals = 9;

/** Returns each value divided by the first, times 100. Points after a break are gaps, as they are not comparable. */
export function indexOf(points: readonly ChartPoint[]): ViewedPoints {
  const first = points.findIndex(({ value }) => value !== undefined);
  const base = points[first]?.value;
  if (base === undefined) return { points: [], reasons: [] };
  if (base <= 0) return { points: [], reasons: ["The first value is not above 0, so there is no index."] };
  const broken = points.find(({ isBreak }, place) => isBreak && place > first)?.at;
  const compared = points.map((point) => {
    const { at, value } = point;
    const isComparable = value !== undefined && (broken === undefined || at < broken);
    return { ...point, value: isComparable ? roundedAway((value / base) * 100, decimals) : undefined };
  });
  const reasons =
    broken === undefined
      ? []
      : [`A break on ${dayText(broken)} ends the comparison. To index later points, choose that day as the first.`];
  return { points: compared, reasons };
}

export interface ChangeParts {
  /** The first time that is shown. Earlier points only serve for the comparison. */
  readonly from: number;
  /** Whether the change is in percent of the value a year before. Otherwise it is the difference. */
  readonly isRelative: boolean;
  /** Whether each point is a week. A year is then 52 weeks, so that the same weekdays are compared. */
  readonly isWeekly: boolean;
  /** Intervals that begin before this time are incomplete. It is 0 if all intervals are complete. */
  readonly wholeSince: number;
}

/** Returns the change of each point from a year before. If there is no comparable point, the change is a gap. */
export function changesOf(
  points: readonly ChartPoint[],
  { from, isRelative, isWeekly, wholeSince }: ChangeParts,
): ViewedPoints {
  const values = new Map(points.map(({ at, value }) => [at, value]));
  const breaks = points.filter(({ isBreak }) => isBreak).map(({ at }) => at);
  const lacks = { before: 0, break: 0, zero: 0, partial: 0 };
  const changeOf = ({ at, value, isPartial }: ChartPoint): number | undefined => {
    if (value === undefined) return undefined;
    const then = isWeekly ? at - 52 * 7 * dayMs : yearBefore(at);
    const before = values.get(then);
    if (isPartial === true) lacks.partial += 1;
    else if (before === undefined || then < wholeSince) lacks.before += 1;
    else if (breaks.some((time) => time >= then && time <= at)) lacks.break += 1;
    else if (!isRelative) return roundedAway(value - before, decimals);
    else if (before <= 0) lacks.zero += 1;
    else return roundedAway((value / before - 1) * 100, decimals);
    return undefined;
  };
  const shown = points.filter(({ at }) => at >= from);
  const compared = shown.map((point) => ({ ...point, value: changeOf(point), isPartial: false }));
  const left = (count: number, why: string) => (count === 0 ? [] : [`${amountText(count, "point")} left out: ${why}.`]);
  const reasons = [
    ...left(lacks.before, `no value ${wholeSince > 0 ? "of a whole interval " : ""}a year before`),
    ...left(lacks.break, "the series breaks in between"),
    ...left(lacks.zero, "the value a year before is not above 0, so a percentage has no meaning"),
    ...left(lacks.partial, "its interval is not over"),
  ];
  return { points: compared, reasons };
}

/** Returns the same time a year earlier. In a year without 29 February, it is 28 February. */
export function yearBefore(at: number): number {
  const time = new Date(at);
  const month = time.getUTCMonth();
  time.setUTCFullYear(time.getUTCFullYear() - 1);
  // Without a 29 February, the date becomes 1 March.
  if (time.getUTCMonth() !== month) time.setUTCDate(0);
  return time.getTime();
}
