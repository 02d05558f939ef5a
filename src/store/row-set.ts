import { sql, type Transaction } from "kysely";
import type { StoreTables } from "./tables.ts";

/** All that a table is to hold. */
export interface RowSet {
  readonly table: string;
  /** Columns that identify a row. */
  readonly key: readonly string[];
  /** Columns that tell when a row was written: alone they make it no other. */
  readonly written?: readonly string[];
  /** Each with every column. */
  readonly rows: readonly object[];
}

const rowsInStatement = 2_000;

/** Makes these the rows of a table. One that is as before is not touched. */
export async function replaceRows(
  transaction: Transaction<StoreTables>,
  { table: name, key, written = [], rows }: RowSet,
): Promise<void> {
  const table = sql.table(name);
  const columns = Object.keys(rows[0] ?? {}).filter((column) => !key.includes(column));
  const compared = columns.filter((column) => !written.includes(column));
  const names = (all: readonly string[]) => sql.join(all.map((column) => sql.ref(column)));
  const of = (alias: string, all: readonly string[]) => sql.join(all.map((column) => sql.ref(`${alias}.${column}`)));
  const keys = rows.map((row) => Object.fromEntries(Object.entries(row).filter(([column]) => key.includes(column))));
  await sql`delete from ${table} where (${names(key)}) not in (
    select ${names(key)} from json_populate_recordset(null::${table}, ${JSON.stringify(keys)}::json))`.execute(
    transaction,
  );
  for (let start = 0; start < rows.length; start += rowsInStatement) {
    const json = JSON.stringify(rows.slice(start, start + rowsInStatement));
    await sql`
      insert into ${table} select * from json_populate_recordset(null::${table}, ${json}::json)
      on conflict (${names(key)}) do update set (${names(columns)}) = row(${of("excluded", columns)})
      where row(${of(name, compared)}) is distinct from row(${of("excluded", compared)})`.execute(transaction);
  }
}
