import { sql } from "kysely";
import { columnsOf, type StoredRows } from "../../store/history/versions.ts";
import type { Transaction } from "../../store/tables.ts";

export interface DifferentRow {
  readonly table: string;
  /** Values of the row's primary key, without the version of the dataset. */
  readonly key: readonly string[];
}

export interface ComparedRows extends StoredRows {
  readonly isVersioned?: boolean;
}

const maxRows = 1_000;
/** Columns that are not compared, because they say when a row was stored. */
const times = ["generation", "stored_at"];

/**
 * Records the stored rows of a dataset. The returned function compares them with the rows at the time of its call,
 * except for columns that change with each refresh.
 */
export async function rowsBefore(
  transaction: Transaction,
  tables: readonly ComparedRows[],
  counters: readonly string[] = [],
): Promise<() => Promise<DifferentRow[]>> {
  const read = sql.join(await Promise.all(tables.map((each) => rowsOf(transaction, each, counters))), sql` union all `);
  await sql`create temporary table rows_before on commit drop as ${read}`.execute(transaction);
  return async () => {
    const { rows } = await sql<DifferentRow>`
      select "table", key from rows_before full join (${read}) as rows_after using ("table", key)
      where rows_before.row is distinct from rows_after.row
      order by 1, 2 limit ${maxRows}`.execute(transaction);
    return rows;
  };
}

async function rowsOf(
  transaction: Transaction,
  { table, where = sql`true`, isVersioned }: ComparedRows,
  counters: readonly string[],
) {
  const { key, columns, isByGeneration } = await columnsOf(transaction, table, isVersioned);
  const newest = sql`generation = (select max(generation) from ${sql.table(table)})`;
  const keyTexts = sql.join(key.filter((name) => !times.includes(name)).map((name) => sql`${sql.ref(name)}::text`));
  const compared = columns.filter((name) => !times.includes(name) && !counters.includes(name));
  const values = compared.flatMap((name) => [sql.lit(name), sql.ref(name)]);
  return sql`
    select ${table}::text as "table", array[${keyTexts}] as key, jsonb_build_object(${sql.join(values)}) as row
    from ${sql.table(table)} where ${where} and ${isByGeneration ? newest : sql`true`}`;
}
