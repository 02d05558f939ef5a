import { sql } from "kysely";
import type { Store, Transaction } from "../tables.ts";
import { rowsInChunks } from "./rows-in-chunks.ts";
import { columnsOf, type StoredRows, versionTable } from "./versions.ts";

/** Live mode includes only live data; sample mode includes both. */
type Data = "live" | "sample";

/** Returns the days with stored versions between two days, both included, oldest first. The format is YYYY-MM-DD. */
export async function storedDays(
  database: Store,
  { name, data, from, to }: { readonly name: string; readonly data: Data; readonly from: string; readonly to: string },
): Promise<readonly string[]> {
  // Without a stored version, the query must return no row. Otherwise `generate_series` would start at -infinity.
  const { rows } = await sql<{ day: string }>`
    with kept as (
      select (min(valid_from) at time zone 'UTC')::date as first
      from dataset_version where name = ${name} having min(valid_from) is not null
    )
    select to_char(day, 'YYYY-MM-DD') as day
    from kept cross join lateral generate_series(
      greatest(${from}::timestamp, first), ${to}::timestamp, '1 day') as day
    where exists (
      select from dataset_version
      where name = ${name} and ${ofData(data)} and valid_from <= ${lastTime} and valid_to > ${lastTime})
    order by day`.execute(database);
  return rows.map(({ day }) => day);
}

const lastTime = sql`(day + interval '1 day' - interval '1 millisecond') at time zone 'UTC'`;

function ofData(data: Data) {
  return data === "live" ? sql`origin = 'live'` : sql`true`;
}

/** Yields the versions of rows that were visible at a time, as JSON texts, sorted by table and key. */
export async function* versionsAt(
  transaction: Transaction,
  { name, rows, at }: { readonly name: string; readonly rows: readonly StoredRows[]; readonly at: Date },
): AsyncGenerator<readonly { readonly table: string; readonly row: string }[]> {
  const own = { table: "dataset", where: sql`name = ${name}` };
  for (const { table, where = sql`true` } of [own, ...rows]) {
    const { key } = await columnsOf(transaction, table);
    const query = sql`
      select ${table}::text as "table", (to_jsonb(version) - 'valid_to')::text as row
      from ${sql.table(versionTable(table))} as version
      where ${where} and valid_from <= ${at}::timestamptz and valid_to > ${at}::timestamptz
      order by ${sql.join(key.map((column) => sql.ref(column)))}`;
    yield* rowsInChunks(transaction, query);
  }
}

export interface ImportedVersions {
  readonly table: string;
  readonly rows: readonly string[];
  /** The end of the day from which the versions are, excluded. */
  readonly until: Date;
}

export async function hasVersionAt(
  database: Store,
  { name, at }: { readonly name: string; readonly at: Date },
): Promise<boolean> {
  const row = await database
    .selectFrom("dataset_version")
    .select("name")
    .where("name", "=", name)
    .where("valid_from", "<=", at)
    .where("valid_to", ">", at)
    .executeTakeFirst();
  return row !== undefined;
}

/** Imports versions of a past day. Existing versions stay. If identical, they are extended to the end of their day. */
export async function importVersions(
  transaction: Transaction,
  { table, rows, until }: ImportedVersions,
): Promise<void> {
  const { key, columns } = await columnsOf(transaction, table);
  const versions = sql.table(versionTable(table));
  const of = (alias: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
  const given = sql`json_populate_recordset(null::${versions}, ${`[${rows.join(",")}]`}::json) as given`;
  const isSame = sql`(${of("version", key)}) = (${of("given", key)}) and version.valid_from = given.valid_from
    and row(${of("version", columns)}) is not distinct from row(${of("given", columns)})`;
  await sql`
    update ${versions} as version set valid_to = greatest(version.valid_to, ${until}::timestamptz)
    from ${given} where ${isSame}`.execute(transaction);
  await sql`
    insert into ${versions} (${sql.join(columns.map((name) => sql.ref(name)))}, valid_from, valid_to)
    select ${of("given", columns)}, given.valid_from, ${until}::timestamptz from ${given}
    where not exists (
      select from ${versions} as version
      where (${of("version", key)}) = (${of("given", key)})
        and version.valid_from < ${until}::timestamptz and version.valid_to >= ${until}::timestamptz)`.execute(
    transaction,
  );
}
