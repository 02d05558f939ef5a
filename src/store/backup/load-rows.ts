import { sql } from "kysely";
import { z } from "zod";
import { Unavailable, UnusableBackup } from "../../errors.ts";
import type { Transaction } from "../tables.ts";
import { linesOf } from "./backup-file.ts";
import { type CatalogTable, readTables } from "./catalog.ts";
import type { Mark } from "./store-lines.ts";

export interface Restored {
  readonly rows: ReadonlyMap<string, number>;
  /** Tables that the backup has and this program does not. Their rows are skipped. */
  readonly leftOut: readonly string[];
}

const aimedLength = 1024 * 1024;

const mark: z.ZodType<Mark> = z.union([
  z.object({ table: z.string(), columns: z.array(z.string()).min(1) }),
  z.object({
    sequences: z.array(z.object({ table: z.string(), column: z.string(), value: z.string(), called: z.boolean() })),
    rows: z.record(z.string(), z.number()),
  }),
]);

interface Batch {
  readonly table: string;
  /** Inserts rows into the table. Undefined if the table is skipped. */
  readonly insert: ((lines: readonly string[]) => Promise<void>) | undefined;
  lines: string[];
  length: number;
}

/** Inserts the rows of a backup into the empty tables of the current schema, and sets their sequences. */
export async function loadRows(transaction: Transaction, file: string): Promise<Restored> {
  const tables = new Map((await readTables(transaction)).map((table) => [table.name, table]));
  const rows = new Map<string, number>();
  const leftOut: string[] = [];
  let batch: Batch | undefined;
  let isHeader = true;
  for await (const line of linesOf(file)) {
    if (line.startsWith("[") && batch) {
      batch.lines.push(line);
      batch.length += line.length;
      if (batch.length >= aimedLength) await flush(batch);
      continue;
    }
    if (batch) await flush(batch);
    batch = undefined;
    const read = isHeader ? undefined : mark.safeParse(await fitting("A line", async () => JSON.parse(line))).data;
    isHeader = false;
    if (read === undefined) continue;
    if ("table" in read) {
      const { table: name, columns } = read;
      const table = tables.get(name);
      if (table) rows.set(name, 0);
      else leftOut.push(name);
      batch = { table: name, insert: table && inserter(transaction, table, columns), lines: [], length: 0 };
    } else {
      checkCounts(rows, read.rows);
      for (const { table, column, value, called } of read.sequences)
        if (tables.has(table))
          await fitting(`The sequence of ${table}`, () =>
            sql`select setval(pg_get_serial_sequence(${table}, ${column}), ${value}::int8, ${called})`.execute(
              transaction,
            ),
          );
    }
  }
  return { rows, leftOut };

  async function flush(full: Batch): Promise<void> {
    const { table, insert, lines } = full;
    if (insert && lines.length > 0) {
      const before = rows.get(table) ?? 0;
      await sql`savepoint batch`.execute(transaction);
      await insert(lines).catch(async (error: unknown) => {
        if (error instanceof Unavailable) throw error;
        await sql`rollback to savepoint batch`.execute(transaction);
        // If an insert of many rows fails, the database does not name the row. Rows are then inserted one by one.
        for (const [index, line] of lines.entries())
          await fitting(`Row ${before + index + 1} of ${table}`, () => insert([line]));
      });
      await sql`release savepoint batch`.execute(transaction);
      rows.set(table, before + lines.length);
    }
    full.lines = [];
    full.length = 0;
  }
}

/** Replaces a database error by `UnusableBackup`, because the original message quotes rows of the backup. */
export async function fitting<T>(what: string, put: () => Promise<T>): Promise<T> {
  try {
    return await put();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new UnusableBackup(`${what} does not fit the store: use a file that \`ids backup\` wrote, unchanged`);
  }
}

/** Returns a function that inserts rows. Throws `UnusableBackup` if the table lacks one of the columns. */
function inserter(
  transaction: Transaction,
  table: CatalogTable,
  names: readonly string[],
): (lines: readonly string[]) => Promise<void> {
  const types = new Map(table.columns.map(({ name, type }) => [name, type]));
  const values = names.map((name, place) => {
    const type = types.get(name);
    if (type === undefined)
      throw new UnusableBackup(`The backup does not fit its own migrations: ${table.name} has no column ${name}`);
    return sql`(line->>${sql.lit(place)})::${sql.raw(type)}`;
  });
  const into = sql`${sql.table(table.name)} (${sql.join(names.map((name) => sql.ref(name)))})`;
  return async (lines) => {
    await sql`
      insert into ${into} overriding system value
      select ${sql.join(values)} from jsonb_array_elements(${`[${lines.join(",")}]`}::jsonb) as line`.execute(
      transaction,
    );
  };
}

/** Throws `UnusableBackup` if a table has another number of rows than the last line of the backup says. */
function checkCounts(read: ReadonlyMap<string, number>, written: Readonly<Record<string, number>>): void {
  for (const [table, count] of read)
    if (written[table] !== count)
      throw new UnusableBackup(
        `The backup has ${count} rows of ${table}, but ${written[table]} were written: create another one`,
      );
}
