import { setImmediate as nextTurn } from "node:timers/promises";
import { sql } from "kysely";
import type { Transaction } from "./tables.ts";

export interface RowSet {
  readonly table: string;
  readonly key: readonly string[];
  /** Columns with the time of writing. If only these columns differ, the row is not updated. */
  readonly written?: readonly string[];
  /** Rows with a value for every column. They are iterated only once. */
  readonly rows: Iterable<object>;
}

/** Replaces the rows of a table. Unchanged rows are not written. */
export async function replaceRows(
  transaction: Transaction,
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

/** Maximum characters of a statement. The embedded database never frees the memory of a large one. */
const charactersInStatement = 128 * 1024;

/** Runs a statement per batch of rows. Builds the next batch while the database works on the previous one. */
export async function inStatements(rows: Iterable<object>, run: (json: string) => Promise<unknown>): Promise<void> {
  let underWay: Promise<unknown> = Promise.resolve();
  try {
    for (const json of arraysOf(rows)) {
      await underWay;
      underWay = run(json);
      // The socket sends the previous batch in the next turn of the event loop, so the next batch is built only then.
      await Promise.race([underWay, nextTurn()]);
    }
  } finally {
    await underWay;
  }
}

function* arraysOf(rows: Iterable<object>): Generator<string> {
  let texts: string[] = [];
  let characters = 0;
  for (const row of rows) {
    const text = JSON.stringify(row);
    if (texts.length > 0 && characters + text.length > charactersInStatement) {
      yield `[${texts.join()}]`;
      texts = [];
      characters = 0;
    }
    texts.push(text);
    characters += text.length;
  }
  if (texts.length > 0) yield `[${texts.join()}]`;
}
