import { create } from "@bufbuild/protobuf";
import {
  type GetSeriesRequest,
  type SeriesPoint,
  SeriesPointSchema,
} from "../../../gen/es/ids/history/v1/history_pb.ts";
import { readRequestTime } from "../../contract/request/request-time.ts";
import { invalidField } from "../../errors.ts";
import type { Series, Step } from "../../ingest/series/dataset-series.ts";
import { type Interval, nextStart, startOf } from "../../reference/calendar.ts";
import { dayMs } from "../../reference/duration.ts";
import type { StoredPoint } from "../../store/history/stored-points.ts";

type Aggregation = "last" | "mean" | "min" | "max" | "sum";

/** A requested time span and its intervals, in Unix epoch milliseconds. Both ends are included. */
export interface Span {
  readonly requested: number;
  /** The start of the interval that contains the requested start, so that the first interval is complete. */
  readonly from: number;
  readonly to: number;
  readonly interval: Interval;
  readonly aggregation: Aggregation;
}

const intervals: readonly Interval[] = ["raw", "day", "week", "month"];
const aggregations: readonly Aggregation[] = ["last", "mean", "min", "max", "sum"];

/** Returns the end of a requested span. It is never in the future. Throws `InvalidRequest` for an invalid time. */
export function endOf({ to }: Pick<GetSeriesRequest, "to">, now: number): number {
  return Math.min(to === "" ? now : readRequestTime(to, "to").end, now);
}

/** Returns the time span of a request, by default of `days` days. Throws `InvalidRequest` for an invalid span. */
export function spanOf(
  request: Pick<GetSeriesRequest, "from" | "to" | "interval" | "aggregation">,
  { now, days, series }: { readonly now: number; readonly days: number; readonly series: Pick<Series, "isCount"> },
): Span {
  const to = endOf(request, now);
  const requested = request.from === "" ? to - days * dayMs : readRequestTime(request.from, "from").start;
  if (requested > to) throw invalidField("from", "value must not be later than `to`, and not in the future");
  const interval = intervals.find((each) => each === request.interval) ?? "raw";
  return {
    requested,
    from: startOf(requested, interval),
    to,
    interval,
    aggregation: aggregations.find((each) => each === request.aggregation) ?? usualAggregation(series),
  };
}

/** Returns the default aggregation. A count is summed, because the last day would look like the whole interval. */
export function usualAggregation({ isCount }: Pick<Series, "isCount">): "sum" | "last" {
  return isCount === true ? "sum" : "last";
}

const lengths: Readonly<Record<Step, number>> = { refresh: 0, day: 1, week: 7, month: 28, quarter: 90, year: 365 };
const intervalLengths: Readonly<Record<Interval, number>> = { raw: 0, day: 1, week: 7, month: 28 };

type Wanted = Pick<Span, "to" | "interval" | "aggregation"> & { readonly step: Step };

/**
 * Combines the points of each key by interval, oldest first. An interval without a measurement has no value. Keys keep
 * their order.
 */
export function intervalPoints(points: readonly StoredPoint[], span: Wanted): SeriesPoint[] {
  return [...Map.groupBy(points, ({ key }) => key).values()].flatMap((own) =>
    isByInterval(span) ? pointsByInterval(own, span) : rawPoints(own),
  );
}

type Intervals = Wanted & { readonly interval: Exclude<Interval, "raw"> };

function isByInterval(span: Wanted): span is Intervals {
  return span.interval !== "raw";
}

function rawPoints(points: readonly StoredPoint[]): SeriesPoint[] {
  return points.map(({ key, at, value }, place) =>
    create(SeriesPointSchema, { key, value, at: BigInt(at), isBreak: breaksAt(points, place) }),
  );
}

function pointsByInterval(
  points: readonly StoredPoint[],
  { interval, aggregation, step, to }: Intervals,
): SeriesPoint[] {
  const [earliest] = points;
  if (!earliest) return [];
  // Intervals shorter than the step of the series are often empty, so only longer ones are reported as gaps.
  const hasGaps = lengths[step] <= intervalLengths[interval];
  const made: SeriesPoint[] = [];
  let place = 0;
  for (let start = 0; place < points.length || (hasGaps && start <= to); ) {
    const next = points[place];
    if (next && (made.length === 0 || !hasGaps)) start = startOf(next.at, interval);
    const end = nextStart(start, interval);
    const first = place;
    let isBreak = false;
    for (; (points[place]?.at ?? end) < end; place++) isBreak ||= breaksAt(points, place);
    const value =
      place > first
        ? aggregated(points.slice(first, place), aggregation, { step, until: Math.min(end, to + 1) })
        : undefined;
    const isCut = step === "day" && lacksDays(points, { first, next: place, start, end, aggregation });
    const isPartial = end > to + 1 || isCut;
    const point = create(SeriesPointSchema, { key: earliest.key, at: BigInt(start), isBreak, isPartial });
    if (value !== undefined) point.value = value;
    made.push(point);
    start = end;
  }
  return made;
}

/** The points of a series in an interval, which begins at `start` and ends before `end`. */
interface Group extends Record<"first" | "next" | "start" | "end", number> {
  readonly aggregation: Aggregation;
}

/**
 * Returns whether an interval lacks days at the start or the end of a series. Its sum would look like a fall, and its
 * last value is from another day than in other years. Missing first days do not change the last value.
 */
function lacksDays(points: readonly StoredPoint[], { first, next, start, end, aggregation }: Group): boolean {
  if (first === next) return false;
  const begins = aggregation !== "last" && first === 0 && (points[first]?.at ?? start) >= start + dayMs;
  const ends = next === points.length && (points[next - 1]?.at ?? end) + dayMs < end;
  return begins || ends;
}

function breaksAt(points: readonly StoredPoint[], place: number): boolean {
  return place > 0 && points[place]?.basis !== points[place - 1]?.basis;
}

function aggregated(
  points: readonly StoredPoint[],
  aggregation: Aggregation,
  { step, until }: { readonly step: Step; readonly until: number },
): number | undefined {
  if (aggregation === "last") return points.at(-1)?.value;
  const values = points.map(({ value }) => value);
  if (aggregation === "min") return Math.min(...values);
  if (aggregation === "max") return Math.max(...values);
  const sum = values.reduce((total, value) => total + value, 0);
  if (aggregation === "sum") return sum;
  return step === "refresh" ? meanByTime(points, until) : sum / values.length;
}

/**
 * Returns the mean of an interval, weighted by time. A value is valid until the next one, or until its UTC day ends,
 * because each day has its own first point.
 */
function meanByTime(points: readonly StoredPoint[], until: number): number {
  let [area, time] = [0, 0];
  for (const [place, { at, value }] of points.entries()) {
    const dayEnds = (Math.floor(at / dayMs) + 1) * dayMs;
    const duration = Math.max(1, Math.min(points[place + 1]?.at ?? until, dayEnds, until) - at);
    area += value * duration;
    time += duration;
  }
  return area / time;
}
