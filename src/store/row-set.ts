import { sql, type Transaction } from "kysely";
import { inStatements } from "./statement-rows.ts";
import type { StoreTables } from "./tables.ts";

export interface RowSet {
  readonly table: string;
  readonly key: readonly string[];
  /** Columns with the time of writing. A row is not updated if only they differ. */
  readonly written?: readonly string[];
  /** Rows with every column; they are iterated once. */
  readonly rows: Iterable<object>;
}

/** Replaces the rows of a table. Unchanged rows are not written. */
export async function replaceRows(
  transaction: Transaction<StoreTables>,
  { table: name, key, written = [], rows }: RowSet,
): Promise<void> {
  const table = sql.table(name);
  const names = (all: readonly string[]) => sql.join(all.map((column) => sql.ref(column)));
  const of = (alias: string, all: readonly string[]) => sql.join(all.map((column) => sql.ref(`${alias}.${column}`)));
  const keys: object[] = [];
  let columns: string[] = [];
  function* noted() {
    for (const row of rows) {
      columns = Object.keys(row).filter((column) => !key.includes(column));
      keys.push(Object.fromEntries(Object.entries(row).filter(([column]) => key.includes(column))));
      yield row;
    }
  }
  await inStatements(noted(), (json) => {
    const compared = columns.filter((column) => !written.includes(column));
    return sql`
      insert into ${table} select * from jsonb_populate_recordset(null::${table}, ${json}::jsonb)
      on conflict (${names(key)}) do update set (${names(columns)}) = row(${of("excluded", columns)})
      where row(${of(name, compared)}) is distinct from row(${of("excluded", compared)})`.execute(transaction);
  });
  await sql`delete from ${table} where (${names(key)}) not in (
    select ${names(key)} from jsonb_populate_recordset(null::${table}, ${JSON.stringify(keys)}::jsonb))`.execute(
    transaction,
  );
}
