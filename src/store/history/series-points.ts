import { sql } from "kysely";
import { deleteSome, type Retention } from "../retention.ts";
import type { Transaction } from "../tables.ts";

export interface NewPoints {
  readonly series: string;
  readonly origin: "live" | "sample";
  readonly basis: { readonly methodology: string; readonly sources: string };
  /** True if a point has the time of the refresh, because the source reports none. */
  readonly areSampled: boolean;
  /** True if known points must not be changed and only missing ones are added. */
  readonly onlyMissing?: boolean;
  readonly points: readonly { readonly key: string; readonly at: Date; readonly value: number }[];
}

/** Maximum points per statement. The driver and the database copy the parameters several times, which uses memory. */
const pointsInStatement = 10_000;

interface GivenPoint {
  readonly key: number | undefined;
  readonly at: string;
  readonly value: number;
  readonly basis: number;
}

/** Stores new and changed points. If the source reports no times, one point per UTC day is stored even if unchanged. */
export async function retainPoints(
  transaction: Transaction,
  reported: readonly NewPoints[],
  recordedAt: Date,
): Promise<number> {
  let added = 0;
  const alike = Map.groupBy(reported, ({ areSampled, onlyMissing = false }) => `${areSampled} ${onlyMissing}`);
  for (const some of alike.values()) {
    const given: GivenPoint[] = [];
    for (const { points, basis, ...series } of some) {
      if (points.length === 0) continue;
      const basisId = await idOfBasis(transaction, basis);
      const ids = await idsOfKeys(transaction, { ...series, keys: new Set(points.map(({ key }) => key)) });
      for (const { key, at, value } of points)
        given.push({ key: ids.get(key), at: at.toISOString(), value, basis: basisId });
    }
    const [{ areSampled = false, onlyMissing = false } = {}] = some;
    for (let start = 0; start < given.length; start += pointsInStatement) {
      const points = given.slice(start, start + pointsInStatement);
      added += await addPoints(transaction, points, { areSampled, onlyMissing, recordedAt });
    }
  }
  return added;
}

async function addPoints(
  transaction: Transaction,
  points: readonly GivenPoint[],
  {
    areSampled,
    onlyMissing,
    recordedAt,
  }: { readonly areSampled: boolean; readonly onlyMissing: boolean; readonly recordedAt: Date },
): Promise<number> {
  const keys = points.map(({ key }) => key);
  const times = points.map(({ at }) => Date.parse(at));
  const rows = sql`unnest(
    ${keys}::int4[], ${points.map(({ at }) => at)}::timestamptz[], ${points.map(({ value }) => value)}::float8[],
    ${points.map(({ basis }) => basis)}::int2[]) as given (key_id, at, value, basis)`;
  const fresh = areSampled
    ? sql`from ${rows} left join lateral (
        select at, value, basis from series_point where key_id = given.key_id and at <= given.at
        order by at desc, recorded_at desc limit 1
      ) as last on true
      where last.value is distinct from given.value or last.basis <> given.basis
        or last.at < date_trunc('day', given.at, 'UTC')`
    : sql`from ${rows} left join (
        select distinct on (key_id, at) key_id, at, value from series_point
        where key_id = any(${[...new Set(keys)]}::int4[])
          and at between ${new Date(Math.min(...times))} and ${new Date(Math.max(...times))}
        order by key_id, at, recorded_at desc
      ) as last on (last.key_id, last.at) = (given.key_id, given.at)
      where ${onlyMissing ? sql`last.key_id is null` : sql`last.value is distinct from given.value`}`;
  const { rows: counted } = await sql<{ added: number }>`
    with kept as (
      insert into series_point (key_id, at, recorded_at, value, basis, filled)
      select distinct on (given.key_id, given.at) given.key_id, given.at, ${recordedAt}::timestamptz, given.value, given.basis,
        ${onlyMissing}::boolean
      ${fresh}
      on conflict (key_id, at, recorded_at) do update set (value, basis) = (excluded.value, excluded.basis)
      returning key_id, at, value, basis
    ), watched as (
      -- Queues points for the rules that watch the series. Filled gaps are in the past, so they are not queued.
      insert into alert_point (series, origin, key, at, value, basis)
      select series, origin, key, kept.at, kept.value, kept.basis
      from kept join series_key on series_key.id = kept.key_id
      where not ${onlyMissing}::boolean
        and exists (select from alert_rule where alert_rule.series = series_key.series and paused_at is null)
      order by kept.at
    )
    select count(*)::int4 as added from kept`.execute(transaction);
  return counted[0]?.added ?? 0;
}

/** IDs of keys that a transaction has already read, because a refresh of many days needs the same IDs repeatedly. */
const knownIds = new WeakMap<Transaction, KnownIds>();

interface KnownIds {
  readonly keys: Map<string, ReadonlyMap<string, number>>;
  readonly bases: Map<string, number>;
}

function knownIn(transaction: Transaction): KnownIds {
  const known = knownIds.get(transaction) ?? { keys: new Map(), bases: new Map() };
  knownIds.set(transaction, known);
  return known;
}

export async function keysOf(
  transaction: Transaction,
  { series, origin }: Pick<NewPoints, "series" | "origin">,
): Promise<string[]> {
  const { rows } = await sql<{ key: string }>`
    select key from series_key where series = ${series} and origin = ${origin}`.execute(transaction);
  return rows.map(({ key }) => key);
}

async function idsOfKeys(
  transaction: Transaction,
  given: Pick<NewPoints, "series" | "origin" | "areSampled"> & { readonly keys: ReadonlySet<string> },
): Promise<ReadonlyMap<string, number>> {
  const { keys } = knownIn(transaction);
  const of = `${given.origin} ${given.series}`;
  const known = keys.get(of);
  if (known?.size === given.keys.size && [...given.keys].every((key) => known.has(key))) return known;
  const ids = await readIds(transaction, given);
  keys.set(of, ids);
  return ids;
}

async function readIds(
  transaction: Transaction,
  {
    series,
    origin,
    areSampled,
    keys,
  }: Pick<NewPoints, "series" | "origin" | "areSampled"> & { readonly keys: ReadonlySet<string> },
): Promise<ReadonlyMap<string, number>> {
  const reported = [...keys];
  const read = sql<{ key: string; id: number }>`
    select key, id from series_key where series = ${series} and origin = ${origin} and key = any(${reported}::text[])`;
  const { rows: known } = await read.execute(transaction);
  const ids = idByKey(known);
  const missing = reported.filter((key) => !ids.has(key));
  if (missing.length === 0) return ids;
  await sql`
    insert into series_key (series, origin, key, sampled)
    select ${series}, ${origin}, key, ${areSampled}::boolean from unnest(${missing}::text[]) as given (key)
    on conflict do nothing`.execute(transaction);
  // The insert returns neither existing rows nor those of a concurrent transaction, so a second statement reads all.
  const { rows } = await read.execute(transaction);
  return idByKey(rows);
}

function idByKey(rows: readonly { readonly key: string; readonly id: number }[]): ReadonlyMap<string, number> {
  return new Map(rows.map(({ key, id }) => [key, id]));
}

export async function forgetSamples(transaction: Transaction, series: readonly string[]): Promise<void> {
  knownIds.delete(transaction);
  const isSample = sql`origin = 'sample' and series = any(${series})`;
  await sql`delete from series_point where key_id in (select id from series_key where ${isSample})`.execute(
    transaction,
  );
  await sql`delete from series_key where ${isSample}`.execute(transaction);
}

async function idOfBasis(transaction: Transaction, basis: NewPoints["basis"]): Promise<number> {
  const { bases } = knownIn(transaction);
  const name = JSON.stringify(basis);
  const id = bases.get(name) ?? (await readBasis(transaction, basis));
  bases.set(name, id);
  return id;
}

async function readBasis(transaction: Transaction, { methodology, sources }: NewPoints["basis"]): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    with added as (
      insert into series_basis (methodology, sources) select ${methodology}, ${sources}
      where not exists (select from series_basis known where (known.methodology, known.sources) = (${methodology}, ${sources}))
      on conflict do nothing returning id
    )
    select id from added union all
    select id from series_basis known where (known.methodology, known.sources) = (${methodology}, ${sources})`.execute(
    transaction,
  );
  const [first] = rows;
  // Another transaction has just added the same row.
  return first?.id ?? readBasis(transaction, { methodology, sources });
}

/** Deletes points after their retention period. Points whose time comes from the source are retained forever. */
export const seriesRetention: Retention<"history"> = {
  table: "series_point",
  stored: "history",
  ends: "values recorded at refreshes, after this time; values with a time that the source reports are retained",
  async forget(database, before, { max }) {
    const where = sql`key_id in (select id from series_key where sampled) and at < ${before}`;
    return deleteSome(database, { table: "series_point", key: ["key_id", "at", "recorded_at"], where }, max);
  },
};
