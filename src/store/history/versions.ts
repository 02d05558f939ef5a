import { type RawBuilder, sql } from "kysely";
import { allVersionsDays } from "../../contract/as-of.ts";
import { deleteSome, type Retention } from "../retention.ts";
import type { Store, Transaction } from "../tables.ts";

/** A table with stored versions, or some of its rows. */
export interface StoredRows {
  readonly table: string;
  /** Condition that refers only to columns of the table. */
  readonly where?: RawBuilder<unknown>;
}

export interface VisibleDataset {
  readonly name: string;
  readonly origin: "live" | "sample";
  readonly at: Date;
  readonly rows: readonly StoredRows[];
}

export function versionTable(table: string): string {
  return `${table}_version`;
}

/** Returns when the newest version of a dataset became visible; undefined if there is none. */
export async function newestVersion(database: Store, name: string): Promise<Date | undefined> {
  const row = await database
    .selectFrom("dataset_version")
    .select(({ fn }) => fn.max("valid_from").as("at"))
    .where("name", "=", name)
    .executeTakeFirst();
  return row?.at ?? undefined;
}

/** Stores the visible rows of a dataset as a version. If the clock is behind, it starts when the previous one did. */
export async function retainVersions(
  transaction: Transaction,
  { name, origin, at: visibleAt, rows }: VisibleDataset,
): Promise<void> {
  // Versions of sample data are deleted, because live data must not have an invented past.
  const samples = sql`delete from dataset_version where name = ${name} and origin = 'sample'`;
  const forgotten = origin === "live" ? (await samples.execute(transaction)).numAffectedRows : undefined;
  const { rows: begun } = await sql<{ at: Date }>`
    with begins as (
      select greatest(max(valid_from), ${visibleAt}::timestamptz) as at from dataset_version where name = ${name}
    ), ended as (
      update dataset_version set valid_to = greatest(valid_from, begins.at)
      from begins where name = ${name} and valid_to = 'infinity' returning name
    )
    insert into dataset_version (name, generation, origin, stored_at, rows, read_at, valid_from)
    select name, generation, origin, stored_at, rows, (
      select coalesce(jsonb_object_agg(source, fetched_at), '{}') from source
      where source.dataset = dataset.name and good_origin = dataset.origin and fetched_at is not null), begins.at
    -- Only one version is open at a time. The count makes the insert wait for the end of the previous one.
    from begins cross join (select count(*) from ended) as counted cross join dataset where dataset.name = ${name}
    returning valid_from as at`.execute(transaction);
  const at = begun[0]?.at ?? visibleAt;
  for (const each of rows) {
    if (forgotten)
      await sql`delete from ${sql.table(versionTable(each.table))} where ${each.where ?? sql`true`}`.execute(
        transaction,
      );
    await retainRows(transaction, each, at);
  }
}

/** Stores versions of the new, changed, and removed rows of a table. Unchanged rows keep their version. */
async function retainRows(transaction: Transaction, { table, where = sql`true` }: StoredRows, at: Date): Promise<void> {
  const { key, columns, isByGeneration } = await columnsOf(transaction, table);
  // In addition to the visible rows, some tables contain those of the previous generation, for readers that are still
  // loading them.
  const rows = isByGeneration
    ? sql`(select * from ${sql.table(table)} where generation = (select max(generation) from ${sql.table(table)}))`
    : sql.table(table);
  const versions = sql.table(versionTable(table));
  const of = (alias: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
  const hasKey = sql`(${of("row", key)}) = (${of("version", key)})`;
  const begun = sql`select ${of("row", columns)}, ${at}::timestamptz from ${rows} as row where ${where}`;
  // The statement sees the tables as before its own updates. A row gets a new version if it has no current one, or if
  // this statement ends that.
  await sql`
    with ended as (
      update ${versions} as version set valid_to = greatest(valid_from, ${at})
      where valid_to = 'infinity' and ${where} and not exists (
        select from ${rows} as row
        where ${hasKey} and row(${of("row", columns)}) is not distinct from row(${of("version", columns)}))
      returning ${of("version", key)}
    )
    insert into ${versions} (${sql.join(columns.map((name) => sql.ref(name)))}, valid_from)
    ${begun} and not exists (select from ${versions} as version where valid_to = 'infinity' and ${hasKey})
    union all
    ${begun} and (${of("row", key)}) in (select * from ended)`.execute(transaction);
}

interface VersionColumns {
  readonly key: readonly string[];
  readonly columns: readonly string[];
  readonly isByGeneration: boolean;
}

/** The tables never change after this program's migrations, so their columns are cached. */
const known = new Map<string, VersionColumns>();

/** Returns the columns that versions of a table retain, or all of its columns if it has no versions. */
export async function columnsOf(transaction: Transaction, table: string, isVersioned = true): Promise<VersionColumns> {
  const read = known.get(table);
  if (read) return read;
  const { rows } = await sql<{ name: string; is_key: boolean; by_generation: boolean }>`
    select attname as name, attnum = any(indkey) as is_key, exists (
      select from pg_attribute of_rows where of_rows.attrelid = ${table}::regclass and of_rows.attname = 'generation'
    ) as by_generation
    from pg_attribute join pg_index on indrelid = attrelid and indisunique
    where attrelid = ${isVersioned ? versionTable(table) : table}::regclass and attnum > 0 and not attisdropped
      and attname not in ('valid_from', 'valid_to')
    order by attnum`.execute(transaction);
  const columns = rows.map(({ name }) => name);
  const found = {
    key: rows.filter((row) => row.is_key).map(({ name }) => name),
    columns,
    isByGeneration: rows.some((row) => row.by_generation) && !columns.includes("generation"),
  };
  known.set(table, found);
  return found;
}

export function versionRetention(tables: readonly string[]): Retention<"history">[] {
  return tables.map(versionTable).map((table) => ({
    table,
    stored: "history",
    ends: `versions that were replaced this long ago, and after ${allVersionsDays} days those that were not the last of a UTC day`,
    async forget(database, before, { max, now }) {
      // The last version of a day is not merged, because clients can request the end of each day.
      const where = sql`
        valid_to < ${before} or valid_to < ${now}::timestamptz - make_interval(days => ${allVersionsDays})
        and valid_to <= date_trunc('day', valid_from, 'UTC') + interval '1 day' - interval '1 millisecond'`;
      return deleteSome(database, { table, key: ["ctid"], where }, max);
    },
  }));
}
