import { sql } from "kysely";
import type { Store } from "../tables.ts";

export interface PointsWanted {
  readonly series: string;
  readonly origin: "live" | "sample";
  /** Keys or prefixes of keys, in upper case. An empty list selects all keys. */
  readonly keys: readonly string[];
  readonly from: Date;
  readonly to: Date;
  /** Points and revisions that were recorded after this time are ignored. */
  readonly knownAt: Date;
  readonly max: number;
}

export interface StoredPoint {
  readonly key: string;
  /** Time of the point in Unix epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  readonly basis: number;
}

/** Reads points, sorted by key and time. Reads one point more than `max` to show that there are too many. */
export async function readPoints(
  database: Store,
  { series, origin, keys, from, to, knownAt, max }: PointsWanted,
): Promise<readonly StoredPoint[]> {
  // The query returns three arrays per key, because a row per point costs the driver many times as much.
  const { rows } = await sql<{ key: string; times: number[]; values: number[]; bases: number[] }>`
    select key, json_agg((date_part('epoch', at) * 1000)::int8) as times, json_agg(value) as values,
      json_agg(basis) as bases
    from (
      select chosen.place, chosen.key, reported.at, reported.value, reported.basis
      from (${keysOf({ series, origin, keys })}) as chosen
      join lateral (
        select distinct on (at) at, value, basis from series_point
        where key_id = chosen.id and at >= ${from} and at <= ${to} and recorded_at <= ${knownAt}
        order by at, recorded_at desc
      ) as reported on true
      order by chosen.place, chosen.key, reported.at limit ${max + 1}
    ) as wanted
    group by place, key order by place, key`.execute(database);
  return rows.flatMap(({ key, times, values, bases }) =>
    times.map((at, place) => ({ key, at, value: values[place] ?? Number.NaN, basis: bases[place] ?? 0 })),
  );
}

/** Reads the last point of each key from `from` to `to`. */
export async function readLatest(
  database: Store,
  { from, to, knownAt, ...wanted }: Omit<PointsWanted, "max">,
): Promise<readonly StoredPoint[]> {
  const { rows } = await sql<StoredPoint>`
    select chosen.key, round(date_part('epoch', reported.at) * 1000) as at, reported.value, reported.basis
    from (${keysOf(wanted)}) as chosen
    join lateral (
      select at, value, basis from series_point
      where key_id = chosen.id and at >= ${from} and at <= ${to} and recorded_at <= ${knownAt}
      order by at desc, recorded_at desc limit 1
    ) as reported on true`.execute(database);
  return rows;
}

/** Reads the keys that have points. Each has the IDs of the methods and sources of its points from `from` to `to`. */
export async function readBases(
  database: Store,
  { from, to, knownAt, ...wanted }: Omit<PointsWanted, "max">,
): Promise<ReadonlyMap<string, readonly number[]>> {
  const { rows } = await sql<{ key: string; bases: number[] }>`
    select chosen.key, array(
      select distinct basis from (
        select distinct on (at) basis from series_point
        where key_id = chosen.id and at >= ${from} and at <= ${to} and recorded_at <= ${knownAt}
        order by at, recorded_at desc
      ) as reported
    ) as bases
    from (${keysOf(wanted)}) as chosen
    where exists (select from series_point where key_id = chosen.id and recorded_at <= ${knownAt})
    order by chosen.key`.execute(database);
  return new Map(rows.map(({ key, bases }) => [key, bases]));
}

/** The sum of a key's values in the days up to its last point, and the sum in as many days before those. */
export interface StoredSums extends Pick<StoredPoint, "key"> {
  /** Times of the first and the last point, in Unix epoch milliseconds. Null if the points begin later. */
  readonly first: number | null;
  readonly last: number | null;
  /** Null if no point is in the days. */
  readonly before: number | null;
  readonly after: number | null;
  readonly bases: readonly number[] | null;
}

/** Reads the sums of each key until `to`, with the IDs of the methods and sources of the summed points. */
export async function readSums(
  database: Store,
  { days, to, knownAt, ...wanted }: Omit<PointsWanted, "max" | "from"> & { readonly days: number },
): Promise<readonly StoredSums[]> {
  const length = sql`make_interval(days => ${days}::int4)`;
  const { rows } = await sql<StoredSums>`
    select chosen.key, round(date_part('epoch', ends.first) * 1000) as first,
      round(date_part('epoch', ends.last) * 1000) as last, summed.*
    from (${keysOf(wanted)}) as chosen
    join lateral (
      select min(at) as first, max(at) as last from series_point
      where key_id = chosen.id and at <= ${to} and recorded_at <= ${knownAt}
    ) as ends on true
    join lateral (
      select sum(value) filter (where at <= ends.last - ${length}) as before,
        sum(value) filter (where at > ends.last - ${length}) as after, json_agg(distinct basis) as bases
      from (
        select distinct on (at) at, value, basis from series_point
        where key_id = chosen.id and at > ends.last - 2 * ${length} and at <= ends.last and recorded_at <= ${knownAt}
        order by at, recorded_at desc
      ) as reported
    ) as summed on true
    where exists (select from series_point where key_id = chosen.id and recorded_at <= ${knownAt})
    order by chosen.key`.execute(database);
  return rows;
}

/** Reads the points of each key in the days after its first point, without revisions, sorted by key and time. */
export async function readBeginnings(
  database: Store,
  {
    knownAt,
    days,
    ...wanted
  }: Pick<PointsWanted, "series" | "origin" | "keys" | "knownAt"> & { readonly days: number },
): Promise<readonly StoredPoint[]> {
  const { rows } = await sql<StoredPoint>`
    select chosen.key, round(date_part('epoch', reported.at) * 1000) as at, reported.value, reported.basis
    from (${keysOf(wanted)}) as chosen
    join lateral (
      select min(at) as first from series_point where key_id = chosen.id and recorded_at <= ${knownAt}
    ) as begun on true
    join lateral (
      select distinct on (at) at, value, basis from series_point
      where key_id = chosen.id and recorded_at <= ${knownAt}
        and at >= begun.first and at <= begun.first + make_interval(days => ${days}::int4)
      order by at, recorded_at
    ) as reported on true
    order by chosen.place, chosen.key, reported.at`.execute(database);
  return rows;
}

/** Returns the time of the first point of the keys; null if there is none. */
export async function firstAt(
  database: Store,
  wanted: Pick<PointsWanted, "series" | "origin" | "keys">,
): Promise<Date | null> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(begun.first) as first from (${keysOf(wanted)}) as chosen
    join lateral (select min(at) as first from series_point where key_id = chosen.id) as begun on true`.execute(
    database,
  );
  return rows[0]?.first ?? null;
}

export interface ReportedPoint extends Omit<StoredPoint, "at"> {
  readonly at: Date;
  readonly recordedAt: Date;
}

/** Reads recorded points with their revisions but without backfilled points. Returns at most one more than `max`. */
export async function readReported(
  database: Store,
  { since, max, ...wanted }: Pick<PointsWanted, "series" | "origin" | "keys" | "max"> & { readonly since: Date },
): Promise<readonly ReportedPoint[]> {
  const { rows } = await sql<ReportedPoint>`
    select chosen.key, reported.at, reported.value, reported.basis, reported.recorded_at as "recordedAt"
    from (select distinct id, key from (${keysOf(wanted)}) as named) as chosen
    join series_point as reported on reported.key_id = chosen.id
    where reported.recorded_at > ${since} and not reported.filled
    order by reported.recorded_at, reported.at, chosen.key limit ${max + 1}`.execute(database);
  return rows;
}

/** Returns the first time at which a point of a series was recorded; undefined if there is none. */
export async function firstKnown(
  database: Store,
  { series, origin }: Pick<PointsWanted, "series" | "origin">,
): Promise<Date | undefined> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(recorded_at) as first from series_point join series_key on id = key_id
    where series = ${series} and origin = ${origin}`.execute(database);
  return rows[0]?.first ?? undefined;
}

/** Returns the keys, in upper case, of every series whose ID has the same first part as this one, by series. */
export async function readTopicKeys(
  database: Store,
  { series, origin }: Pick<PointsWanted, "series" | "origin">,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rows } = await sql<{ series: string; keys: string[] }>`
    select series, array_agg(upper(key) order by key) as keys from series_key
    where origin = ${origin} and split_part(series, '.', 1) = split_part(${series}, '.', 1)
    group by series order by series`.execute(database);
  return new Map(rows.map((row) => [row.series, row.keys]));
}

function keysOf({ series, origin, keys }: Pick<PointsWanted, "series" | "origin" | "keys">) {
  if (keys.length === 0)
    return sql`
      select id, key, key as wanted, 0 as place from series_key where series = ${series} and origin = ${origin}`;
  // The last condition implies equal first parts. With them, Postgres need not compare all keys with each other.
  return sql`
    select series_key.id, series_key.key, wanted.key as wanted, wanted.place
    from unnest(${keys}::text[]) with ordinality as wanted (key, place)
    join series_key on series_key.series = ${series} and series_key.origin = ${origin}
      and split_part(upper(series_key.key), '/', 1) = split_part(wanted.key, '/', 1)
      and (upper(series_key.key) = wanted.key or starts_with(upper(series_key.key), wanted.key || '/'))`;
}

export interface SeriesExtent {
  readonly series: string;
  readonly keys: number;
  readonly firstParts: number;
  readonly first: Date | null;
  readonly last: Date | null;
}

export async function seriesExtents(
  database: Store,
  origin: "live" | "sample",
): Promise<ReadonlyMap<string, SeriesExtent>> {
  const { rows } = await sql<SeriesExtent>`
    select series, count(*)::int4 as keys, count(distinct part)::int4 as "firstParts", min(first) as first, max(last) as last from (
      select series, split_part(key, '/', 1) as part,
        (select min(at) from series_point where key_id = series_key.id) as first,
        (select max(at) from series_point where key_id = series_key.id) as last
      from series_key where origin = ${origin}
    ) as each group by series`.execute(database);
  return new Map(rows.map((row) => [row.series, row]));
}
