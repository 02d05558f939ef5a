import type { SeriesPoint } from "../../../gen/es/ids/history/v1/history_pb.ts";
import { invalid } from "../../contract/as-of.ts";
import { type InvalidRequest, invalidField } from "../../errors.ts";
import type { Series } from "../../ingest/series/dataset-series.ts";
import { dayMs } from "../../reference/duration.ts";
import { roundedAway } from "../../reference/rounding.ts";
import {
  firstKnown,
  type PointsWanted,
  readBeginnings,
  readLatest,
  readPoints,
  readSums,
  type StoredPoint,
  type StoredSums,
} from "../../store/history/stored-points.ts";
import type { Store } from "../../store/tables.ts";
import { intervalPoints, type Span } from "./intervals.ts";
import { beginningOf, withInvented } from "./sample-points.ts";
import type { KnownSeries, Parts } from "./series-access.ts";

type Wanted = Pick<PointsWanted, "series" | "origin" | "keys">;

/** Maximum points in a response, which bounds its memory. */
export const maxPoints = 20_000;

/** Returns the points of a span by interval. Throws if more than `max` stored points would be read. */
export async function pointsOf(
  { series, dataset }: Pick<KnownSeries, "series" | "dataset">,
  { span, now, max = maxPoints, ...wanted }: Wanted & { readonly span: Span; readonly now: number; max?: number },
  { database, data, clock }: Pick<Parts, "database" | "data" | "clock">,
): Promise<SeriesPoint[]> {
  const knownAt = new Date(now);
  const times = { from: new Date(span.from), to: new Date(span.to) };
  const stored = await readPoints(database, { ...wanted, ...times, knownAt, max });
  if (stored.length > max) throw tooMany(max);
  if (stored.length === 0 && now < clock().getTime()) await requireKnown(database, wanted, now);
  const points =
    data === "sample"
      ? await withSampleStart(database, { series, dataset }, stored, { ...wanted, span, knownAt })
      : stored;
  const made = intervalPoints(points, { ...span, step: series.step });
  if (made.length > maxPoints) throw tooMany(maxPoints);
  return made;
}

type Times = Pick<Span, "from" | "to">;

/** Sums and differences are rounded to this number of decimals, so that they have no binary fractions. */
export const decimals = 9;

/** Returns the last point of each key from `from` to `to`. */
export async function latestOf(
  { series, dataset }: Pick<KnownSeries, "series" | "dataset">,
  { span, now, keys }: Pick<Wanted, "keys"> & { readonly span: Times; readonly now: number },
  { database, data }: Pick<Parts, "database" | "data">,
): Promise<ReadonlyMap<string, StoredPoint>> {
  const wanted = { series: series.id, origin: data, keys, knownAt: new Date(now) };
  const stored = await readLatest(database, { ...wanted, from: new Date(span.from), to: new Date(span.to) });
  const points =
    data === "sample" ? await withSampleStart(database, { series, dataset }, stored, { ...wanted, span }) : stored;
  return new Map(points.map((point) => [point.key, point]));
}

/** Returns the last point of each key, the largest value first. */
export async function latestPoints(
  found: Pick<KnownSeries, "series" | "dataset">,
  wanted: Pick<Wanted, "keys"> & { readonly span: Span; readonly now: number },
  parts: Pick<Parts, "database" | "data">,
): Promise<SeriesPoint[]> {
  const latest = await latestOf(found, wanted, parts);
  const points = intervalPoints([...latest.values()], { ...wanted.span, step: found.series.step });
  return points.toSorted((a, b) => (b.value ?? 0) - (a.value ?? 0) || (a.key < b.key ? -1 : 1));
}

/**
 * Sums of a count over its last counted days and over as many days before them. A day that is not counted yet is not 0,
 * and the current day is left out, because it is not over.
 */
export interface CountedDays {
  /** Time of the last counted day, in Unix epoch milliseconds. Undefined if the key has no points until then. */
  readonly last: number | undefined;
  /** Undefined if the key has no points yet on the first of these days. */
  readonly before: number | undefined;
  readonly after: number;
  /** Whether the method or the sources changed during these days. */
  readonly isBroken: boolean;
}

/** Returns the sums of each key until `to`, by key. A day that is not over at this time is left out. */
export async function countedDays(
  { series, dataset }: Pick<KnownSeries, "series" | "dataset">,
  { days, to, now, keys }: Pick<Wanted, "keys"> & { readonly days: number; readonly to: number; readonly now: number },
  { database, data }: Pick<Parts, "database" | "data">,
): Promise<ReadonlyMap<string, CountedDays>> {
  const wanted = { series: series.id, origin: data, keys, knownAt: new Date(now) };
  const end = Math.floor((Math.min(to, now) + 1) / dayMs) * dayMs - 1;
  const sums = await readSums(database, { ...wanted, days, to: new Date(end) });
  const length = days * dayMs;
  const from = Math.min(end, ...sums.map(({ last }) => last ?? end)) - 2 * length - dayMs;
  const invented =
    data === "sample"
      ? await withSampleStart(database, { series, dataset }, [], { ...wanted, span: { from, to: end } })
      : [];
  const earlier = Map.groupBy(invented, ({ key }) => key);
  return new Map(sums.map((own) => [own.key, countedOf(own, earlier.get(own.key) ?? [], length)]));
}

/** Adds the invented points before the first stored one to the sums of a key. */
function countedOf(
  { first, last: lastStored, before, after, bases }: StoredSums,
  invented: readonly StoredPoint[],
  length: number,
): CountedDays {
  const times = invented.map(({ at }) => at);
  const last = lastStored ?? (times.length > 0 ? Math.max(...times) : undefined);
  if (last === undefined) return { last, before: undefined, after: 0, isBroken: false };
  const sumOf = (stored: number | null, from: number, to: number) => {
    const added = invented.filter(({ at }) => at > from && at <= to);
    return roundedAway(
      added.reduce((total, { value }) => total + value, stored ?? 0),
      decimals,
    );
  };
  const start = last - 2 * length;
  const isComplete = Math.min(first ?? last, ...times) <= start + dayMs;
  return {
    last,
    before: isComplete ? sumOf(before, start, last - length) : undefined,
    after: sumOf(after, last - length, last),
    isBroken: (bases?.length ?? 0) > 1,
  };
}

async function withSampleStart(
  database: Store,
  { series, dataset: { series: own } }: Pick<KnownSeries, "series" | "dataset">,
  stored: readonly StoredPoint[],
  { span, ...wanted }: Wanted & { readonly span: Times; readonly knownAt: Date },
): Promise<readonly StoredPoint[]> {
  const beginning = beginningOf(series);
  if (!beginning) return stored;
  const { days, isLed } = beginning;
  const begun = await readBeginnings(database, { ...wanted, days });
  const leader: Series = own?.series[0] ?? series;
  const leading =
    isLed && leader !== series ? await readBeginnings(database, { ...wanted, series: leader.id, days }) : begun;
  return withInvented(series, stored, { own: begun, leading }, span);
}

/** Throws `InvalidRequest` if the store did not yet have any point of the series at the requested time. */
export async function requireKnown(database: Store, wanted: Wanted, at: number): Promise<void> {
  const first = await firstKnown(database, wanted);
  if (first && first.getTime() > at)
    throw invalid(`value must be ${first.toISOString()} or later: no points of ${wanted.series} were known before`);
}

export function tooMany(max: number): InvalidRequest {
  return invalidField(
    "interval",
    `the response would have more than ${max.toLocaleString("en")} points: use fewer keys, a shorter time or a longer interval`,
  );
}
