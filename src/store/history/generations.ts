import { sql } from "kysely";
import type { Store, Transaction } from "../tables.ts";
import { columnsOf, type StoredRows } from "./versions.ts";

export interface StoredGeneration {
  readonly generation: number;
  readonly origin: "live" | "sample";
  readonly storedAt: Date;
  readonly rows: number;
  /** Readers saw this version of the dataset in this period. The current version has no end. */
  readonly visibleFrom: Date;
  readonly visibleTo?: Date;
  /** Time of the last successful read of each source at that time, in RFC 3339. */
  readonly readAt: Readonly<Record<string, string>>;
  /** The version of the dataset that a rollback restored as this one. Absent if a refresh stored this one. */
  readonly restoredFrom?: number;
}

/** Returns the versions of a dataset whose rows are stored, newest first. */
export async function storedGenerations(database: Store, name: string): Promise<readonly StoredGeneration[]> {
  const { rows } = await sql<{
    generation: string;
    origin: "live" | "sample";
    stored_at: Date;
    rows: number;
    valid_from: Date;
    valid_to: Date | null;
    read_at: Record<string, string>;
    restored_generation: string | null;
  }>`
    select generation, origin, stored_at, rows, valid_from, nullif(valid_to, 'infinity') as valid_to, read_at,
      restored_generation
    from dataset_version where name = ${name} and valid_to > valid_from order by valid_from desc, generation desc`.execute(
    database,
  );
  return rows.map((row) => ({
    ...{ generation: Number(row.generation), origin: row.origin, storedAt: row.stored_at, rows: row.rows },
    ...{ visibleFrom: row.valid_from, readAt: row.read_at },
    ...(row.valid_to && { visibleTo: row.valid_to }),
    ...(row.restored_generation !== null && { restoredFrom: Number(row.restored_generation) }),
  }));
}

/** Returns when the first stored version of each dataset became visible, by dataset. Live mode excludes sample data. */
export async function historyStarts(database: Store, data: "live" | "sample"): Promise<ReadonlyMap<string, Date>> {
  const { rows } = await sql<{ name: string; first: Date }>`
    select name, min(valid_from) as first from dataset_version
    where valid_to > valid_from and isfinite(valid_from) and (origin = 'live' or ${data === "sample"}) group by name`.execute(
    database,
  );
  return new Map(rows.map(({ name, first }) => [name, first]));
}

/**
 * Replaces rows by those of an earlier time. A column for the dataset version, if a table has one, gets the given one.
 */
export async function restoreRows(
  transaction: Transaction,
  { rows, at, generation }: { readonly rows: readonly StoredRows[]; readonly at: Date; readonly generation: number },
): Promise<void> {
  await sql`select set_config('ids.as_of', ${at.toISOString()}, true)`.execute(transaction);
  for (const { table, where = sql`true` } of rows) {
    const { isByGeneration } = await columnsOf(transaction, table);
    const names = await visibleColumns(transaction, table);
    const target = sql.table(table);
    // Rows of the newest version stay until the next change, because readers may still be loading them.
    const gone = isByGeneration ? sql`generation < (select max(generation) from ${target})` : where;
    await sql`delete from ${target} where ${gone}`.execute(transaction);
    const values = names.map((name) =>
      isByGeneration && name === "generation" ? sql`${generation}::bigint` : sql.ref(name),
    );
    await sql`
      insert into ${target} (${sql.join(names.map((name) => sql.ref(name)))})
      select ${sql.join(values)} from ${sql.table(`ids_past.${table}`)} where ${where}`.execute(transaction);
  }
}

async function visibleColumns(transaction: Transaction, table: string): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select attname::text as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`.execute(
    transaction,
  );
  return rows.map(({ name }) => name);
}
