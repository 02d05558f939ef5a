import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../tables.ts";

/** Which points of a series are wanted. */
export interface PointsWanted {
  readonly series: string;
  readonly origin: "live" | "sample";
  /** Upper case; each a key or the first parts of some. None: all. */
  readonly keys: readonly string[];
  readonly from: Date;
  readonly to: Date;
  /** As they were known then. */
  readonly knownAt: Date;
  readonly max: number;
}

/** A point and what it was computed by and from. */
export interface StoredPoint {
  readonly key: string;
  /** Unix epoch milliseconds. */
  readonly at: number;
  readonly value: number;
  readonly basis: number;
}

/** The points, key by key, oldest first; at most one more than wanted, which says that there are too many. */
export async function readPoints(
  database: Kysely<StoreTables>,
  { series, origin, keys, from, to, knownAt, max }: PointsWanted,
): Promise<readonly StoredPoint[]> {
  // Three lists a key, in the order of the rows that they are made of: a row for each of thousands of points costs the driver many times as much.
  const { rows } = await sql<{ key: string; times: number[]; values: number[]; bases: number[] }>`
    select key, json_agg((date_part('epoch', at) * 1000)::int8) as times, json_agg(value) as values,
      json_agg(basis) as bases
    from (
      select chosen.place, chosen.key, told.at, told.value, told.basis
      from (${keysOf({ series, origin, keys })}) as chosen
      join lateral (
        select distinct on (at) at, value, basis from series_point
        where key_id = chosen.id and at >= ${from} and at <= ${to} and recorded_at <= ${knownAt}
        order by at, recorded_at desc
      ) as told on true
      order by chosen.place, chosen.key, told.at limit ${max + 1}
    ) as wanted
    group by place, key order by place, key`.execute(database);
  return rows.flatMap(({ key, times, values, bases }) =>
    times.map((at, place) => ({ key, at, value: values[place] ?? Number.NaN, basis: bases[place] ?? 0 })),
  );
}

/** The points of each key up to so many days after its first, as they were told first, key by key, oldest first. */
export async function readBeginnings(
  database: Kysely<StoreTables>,
  {
    knownAt,
    days,
    ...wanted
  }: Pick<PointsWanted, "series" | "origin" | "keys" | "knownAt"> & { readonly days: number },
): Promise<readonly StoredPoint[]> {
  const { rows } = await sql<StoredPoint>`
    select chosen.key, round(date_part('epoch', told.at) * 1000) as at, told.value, told.basis
    from (${keysOf(wanted)}) as chosen
    join lateral (
      select min(at) as first from series_point where key_id = chosen.id and recorded_at <= ${knownAt}
    ) as begun on true
    join lateral (
      select distinct on (at) at, value, basis from series_point
      where key_id = chosen.id and recorded_at <= ${knownAt}
        and at >= begun.first and at <= begun.first + make_interval(days => ${days}::int4)
      order by at, recorded_at
    ) as told on true
    order by chosen.place, chosen.key, told.at`.execute(database);
  return rows;
}

/** A point with the moment at which it was told. */
export interface ReportedPoint extends Omit<StoredPoint, "at"> {
  readonly at: Date;
  readonly recordedAt: Date;
}

/** The points that were told after a moment, as they were told one after another, revisions too; nothing that was filled in. At most one more than wanted. */
export async function readReported(
  database: Kysely<StoreTables>,
  { since, max, ...wanted }: Pick<PointsWanted, "series" | "origin" | "keys" | "max"> & { readonly since: Date },
): Promise<readonly ReportedPoint[]> {
  const { rows } = await sql<ReportedPoint>`
    select chosen.key, told.at, told.value, told.basis, told.recorded_at as "recordedAt"
    from (select distinct id, key from (${keysOf(wanted)}) as named) as chosen
    join series_point as told on told.key_id = chosen.id
    where told.recorded_at > ${since} and not told.filled
    order by told.recorded_at, told.at, chosen.key limit ${max + 1}`.execute(database);
  return rows;
}

/** Since when any point of a series is known; undefined where none is. */
export async function firstKnown(
  database: Kysely<StoreTables>,
  { series, origin }: Pick<PointsWanted, "series" | "origin">,
): Promise<Date | undefined> {
  const { rows } = await sql<{ first: Date | null }>`
    select min(recorded_at) as first from series_point join series_key on id = key_id
    where series = ${series} and origin = ${origin}`.execute(database);
  return rows[0]?.first ?? undefined;
}

/** The keys of a series and of others whose ids begin alike, in upper case, by series. */
export async function readTopicKeys(
  database: Kysely<StoreTables>,
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
  return sql`
    select series_key.id, series_key.key, wanted.key as wanted, wanted.place
    from unnest(${keys}::text[]) with ordinality as wanted (key, place)
    join series_key on series_key.series = ${series} and series_key.origin = ${origin}
      and (upper(series_key.key) = wanted.key or starts_with(upper(series_key.key), wanted.key || '/'))`;
}

/** How far the points of a series reach. */
export interface SeriesExtent {
  readonly series: string;
  readonly keys: number;
  readonly first: Date | null;
  readonly last: Date | null;
}

/** How far the points of each series reach that has any. */
export async function seriesExtents(
  database: Kysely<StoreTables>,
  origin: "live" | "sample",
): Promise<ReadonlyMap<string, SeriesExtent>> {
  const { rows } = await sql<SeriesExtent>`
    select series, count(*)::int4 as keys, min(first) as first, max(last) as last from (
      select series,
        (select min(at) from series_point where key_id = series_key.id) as first,
        (select max(at) from series_point where key_id = series_key.id) as last
      from series_key where origin = ${origin}
    ) as each group by series`.execute(database);
  return new Map(rows.map((row) => [row.series, row]));
}
