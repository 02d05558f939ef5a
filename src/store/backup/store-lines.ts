import { sql } from "kysely";
import { ConfigurationError } from "../../errors.ts";
import type { Store, Transaction } from "../tables.ts";
import { type BackupHeader, backupFormat, backupVersion } from "./backup-header.ts";
import { type CatalogTable, readSequences, readTables, type SequenceState, usePortableTexts } from "./catalog.ts";

export type About = Pick<BackupHeader, "program" | "database" | "at" | "secret">;

/** A line without a row: it either starts the rows of a table, or ends the backup with sequences and row counts. */
export type Mark =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly sequences: readonly SequenceState[]; readonly rows: Readonly<Record<string, number>> };

export interface Reported {
  readonly held: (milliseconds: number) => void;
}

const aimedBytes = 1024 * 1024;
const maxRows = 5_000;

/**
 * Yields the lines of a backup in batches, from one consistent snapshot. The embedded database does nothing else during
 * this time, so the store is unlocked after the last row. All tables of the current schema are included, but not the
 * job queue. The next start derives its jobs from the tables: it refreshes due datasets, the sweeps find pending
 * deliveries and computations, and schedules are created again.
 */
export async function* storeLines(kysely: Store, about: About, { held }: Reported): AsyncGenerator<string> {
  const transaction = await kysely
    .startTransaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute();
  const startedAt = performance.now();
  try {
    await usePortableTexts(transaction);
    const tables = await readTables(transaction);
    yield lineOf({
      format: backupFormat,
      version: backupVersion,
      ...about,
      migrations: await migrationsOf(transaction),
    });
    const rows: Record<string, number> = {};
    for (const table of tables) {
      yield lineOf({ table: table.name, columns: table.columns.map(({ name }) => name) } satisfies Mark);
      rows[table.name] = yield* rowLines(transaction, table);
    }
    // Sequences are read after the rows. If another transaction takes a value in the meantime, it is only skipped.
    const sequences = await readSequences(transaction);
    yield lineOf({ sequences, rows } satisfies Mark);
  } finally {
    // The transaction wrote nothing, so a failed rollback over a lost connection has no effect.
    await transaction
      .rollback()
      .execute()
      .catch(() => {});
    held(performance.now() - startedAt);
  }
}

/** Returns the names of the store's migrations. Throws `ConfigurationError` if the database is not a store. */
async function migrationsOf(transaction: Transaction): Promise<string[]> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('migration') is not null as made`.execute(
    transaction,
  );
  const applied = rows[0]?.made
    ? await transaction.selectFrom("migration").select("name").orderBy("name").execute()
    : [];
  if (applied.length === 0)
    throw new ConfigurationError(
      "The database does not contain a store of this program: check DATABASE_URL, or create one (ids migrate)",
    );
  return applied.map(({ name }) => name);
}

/** Yields every row as a JSON array of the texts of its values. Returns the number of rows. */
async function* rowLines(transaction: Transaction, table: CatalogTable): AsyncGenerator<string, number> {
  const texts = sql.join(table.columns.map(({ name }) => sql`${sql.ref(name)}::text`));
  await sql`
    declare backup_rows no scroll cursor for
    select array_to_json(array[${texts}]::text[])::text as line from ${sql.table(table.name)}`.execute(transaction);
  let count = 0;
  let batchSize = 16;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(batchSize)} from backup_rows`.execute(transaction);
    const text = rows.map(({ line }) => `${line}\n`).join("");
    if (rows.length > 0) yield text;
    count += rows.length;
    if (rows.length < batchSize) break;
    // The batch size adapts to the rows, because a row has from a few bytes to megabytes.
    const fitting = Math.ceil((aimedBytes * rows.length) / Math.max(text.length, 1));
    batchSize = Math.min(maxRows, 4 * batchSize, Math.max(1, fitting));
  }
  await sql`close backup_rows`.execute(transaction);
  return count;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
