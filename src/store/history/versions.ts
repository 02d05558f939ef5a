import { type RawBuilder, sql, type Transaction } from "kysely";
import type { StoreTables } from "../tables.ts";

/** A table whose rows are kept as they were, or some rows of one. */
export interface KeptRows {
  readonly table: string;
  /** Of its columns alone. */
  readonly where?: RawBuilder<unknown>;
}

/** A dataset as it becomes visible. */
export interface VisibleDataset {
  readonly name: string;
  readonly at: Date;
  readonly rows: readonly KeptRows[];
}

/** Where a table's earlier rows are. */
export function versionTable(table: string): string {
  return `${table}_version`;
}

/** Keeps what a dataset is from now on, beside what it was: within the transaction that makes it visible. */
export async function keepVersions(
  transaction: Transaction<StoreTables>,
  { name, at, rows }: VisibleDataset,
): Promise<void> {
  await sql`
    update dataset_version set valid_to = greatest(valid_from, ${at}) where name = ${name} and valid_to = 'infinity'`.execute(
    transaction,
  );
  await sql`
    insert into dataset_version (name, generation, origin, stored_at, rows, read_at, valid_from)
    select name, generation, origin, stored_at, rows, (
      select coalesce(jsonb_object_agg(source, fetched_at), '{}') from source
      where source.dataset = dataset.name and good_origin = dataset.origin and fetched_at is not null), ${at}
    from dataset where name = ${name}`.execute(transaction);
  for (const each of rows) await keepRows(transaction, each, at);
}

/** Rows that stay as they are stay one version. */
async function keepRows(
  transaction: Transaction<StoreTables>,
  { table, where = sql`true` }: KeptRows,
  at: Date,
): Promise<void> {
  const { key, columns } = await columnsOf(transaction, table);
  const rows = sql.table(table);
  const versions = sql.table(versionTable(table));
  const of = (alias: string, names: readonly string[]) => sql.join(names.map((name) => sql.ref(`${alias}.${name}`)));
  const hasKey = sql`(${of("row", key)}) = (${of("version", key)})`;
  await sql`
    update ${versions} as version set valid_to = greatest(valid_from, ${at})
    where valid_to = 'infinity' and ${where} and not exists (
      select from ${rows} as row where ${hasKey} and row(${of("row", columns)}) is not distinct from row(${of("version", columns)}))`.execute(
    transaction,
  );
  await sql`
    insert into ${versions} (${sql.join(columns.map((name) => sql.ref(name)))}, valid_from)
    select ${of("row", columns)}, ${at} from ${rows} as row where ${where} and not exists (
      select from ${versions} as version where valid_to = 'infinity' and ${hasKey})`.execute(transaction);
}

/** What a table's versions have of its columns, and those that identify a row. */
async function columnsOf(
  transaction: Transaction<StoreTables>,
  table: string,
): Promise<{ readonly key: readonly string[]; readonly columns: readonly string[] }> {
  const { rows } = await sql<{ name: string; is_key: boolean }>`
    select attname as name, attnum = any(indkey) as is_key
    from pg_attribute join pg_index on indrelid = attrelid and indisunique
    where attrelid = ${versionTable(table)}::regclass and attnum > 0 and not attisdropped
      and attname not in ('valid_from', 'valid_to')
    order by attnum`.execute(transaction);
  return { key: rows.filter((row) => row.is_key).map(({ name }) => name), columns: rows.map(({ name }) => name) };
}
