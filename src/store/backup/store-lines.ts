import { type Kysely, sql, type Transaction } from "kysely";
import { ConfigurationError } from "../../errors.ts";
import type { StoreTables } from "../tables.ts";
import { type BackupHeader, backupFormat, backupVersion } from "./backup-header.ts";
import { type CatalogTable, readSequences, readTables, type SequenceState, usePortableTexts } from "./catalog.ts";

/** What the store itself does not know of its backup. */
export type About = Pick<BackupHeader, "program" | "database" | "at" | "secret">;

/** A line that is no row: what the next rows are of, or, at the end, where sequences stand and how many rows each table has. */
export type Mark =
  | { readonly table: string; readonly columns: readonly string[] }
  | { readonly sequences: readonly SequenceState[]; readonly rows: Readonly<Record<string, number>> };

/** Told when the store was let go. */
export interface Reported {
  readonly held: (milliseconds: number) => void;
}

const aimedBytes = 1024 * 1024;
const maxRows = 5_000;

/**
 * The lines of a backup, many at a time, as they stand at one moment. The embedded database does nothing else meanwhile, so the
 * store is let go as soon as the last row is read.
 *
 * All tables of the current schema, and nothing of the queue's: what it holds says only that there is work, and a start finds that
 * in the tables. Datasets that are due are refreshed, the sweeps take up deliveries and computations that wait, and schedules are
 * made anew.
 */
export async function* storeLines(
  kysely: Kysely<StoreTables>,
  about: About,
  { held }: Reported,
): AsyncGenerator<string> {
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
    // After the rows: what was given out meanwhile is only skipped.
    const sequences = await readSequences(transaction);
    yield lineOf({ sequences, rows } satisfies Mark);
  } finally {
    // Nothing was written, and a connection that is lost cannot say so.
    await transaction
      .rollback()
      .execute()
      .catch(() => {});
    held(performance.now() - startedAt);
  }
}

/** The names of the migrations that the store has. Throws `ConfigurationError` when it is none. */
async function migrationsOf(transaction: Transaction<StoreTables>): Promise<string[]> {
  const { rows } = await sql<{ made: boolean }>`select to_regclass('migration') is not null as made`.execute(
    transaction,
  );
  const applied = rows[0]?.made
    ? await transaction.selectFrom("migration").select("name").orderBy("name").execute()
    : [];
  if (applied.length === 0)
    throw new ConfigurationError(
      "The database holds no store of this program yet: check DATABASE_URL, or make one (ids migrate)",
    );
  return applied.map(({ name }) => name);
}

/** Every row as a JSON array of the texts of its values; returns how many. */
async function* rowLines(transaction: Transaction<StoreTables>, table: CatalogTable): AsyncGenerator<string, number> {
  const texts = sql.join(table.columns.map(({ name }) => sql`${sql.ref(name)}::text`));
  await sql`
    declare backup_rows no scroll cursor for
    select array_to_json(array[${texts}]::text[])::text as line from ${sql.table(table.name)}`.execute(transaction);
  let count = 0;
  let requested = 16;
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(requested)} from backup_rows`.execute(transaction);
    const text = rows.map(({ line }) => `${line}\n`).join("");
    if (rows.length > 0) yield text;
    count += rows.length;
    if (rows.length < requested) break;
    // Rows are from a few bytes to megabytes long.
    const fitting = Math.ceil((aimedBytes * rows.length) / Math.max(text.length, 1));
    requested = Math.min(maxRows, 4 * requested, Math.max(1, fitting));
  }
  await sql`close backup_rows`.execute(transaction);
  return count;
}

function lineOf(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
