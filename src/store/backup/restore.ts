import { sql } from "kysely";
import { ConfigurationError, UnusableBackup } from "../../errors.ts";
import type { Database } from "../database.ts";
import {
  applyNext,
  createTables,
  firstMigration,
  lockTables,
  type Migration,
  migrateQueue,
  ownMigrations,
  requireFirst,
} from "../migrate.ts";
import type { Store, Transaction } from "../tables.ts";
import type { BackupHeader } from "./backup-header.ts";
import { readForeignKeys, readTables, tableNames, usePortableTexts } from "./catalog.ts";
import { fitting, loadRows, type Restored } from "./load-rows.ts";

export interface RestoreOptions {
  readonly file: string;
  readonly header: BackupHeader;
  readonly replace: boolean;
  readonly clock: () => Date;
  readonly migrations?: readonly Migration[];
  readonly beforeCommit: () => Promise<void>;
}

/** Replaces the content of the store by a backup, in one transaction. After a failure, the store is unchanged. */
export async function restoreStore(database: Database, options: RestoreOptions): Promise<Restored> {
  const { migrations = ownMigrations } = options;
  requireKnown(options.header, migrations);
  const { kysely } = database;
  await rejectWhileServed(kysely);
  const restored = await kysely.transaction().execute(async (transaction) => {
    await lockTables(transaction);
    await usePortableTexts(transaction);
    const replaced = await setAside(transaction, { ...options, migrations });
    await createTables(transaction, options.header.migrations, migrations);
    const loaded = await withoutForeignKeys(transaction, () => loadRows(transaction, options.file));
    while (await applyNext(transaction, options.clock(), migrations));
    await drop(transaction, replaced);
    // The queued jobs belong to the replaced data. The next start creates jobs for the restored rows.
    await sql`drop schema if exists pgboss cascade`.execute(transaction);
    await options.beforeCommit();
    return loaded;
  });
  await migrateQueue(database);
  // Without new statistics, Postgres would plan the first queries for an empty store.
  await database.query("analyze");
  return restored;
}

/** Throws `UnusableBackup` if this program cannot create the tables of the backup. */
function requireKnown({ migrations, program }: BackupHeader, own: readonly Migration[]): void {
  if (!migrations.includes(firstMigration))
    throw new UnusableBackup(
      "The backup is from before 1.0.0, which this program cannot restore. Restore it with the program that wrote it. Or start" +
        " over with an empty store: live data are read again, accounts and keys are not",
    );
  const unknown = namesNotIn(own, migrations);
  if (unknown.length > 0)
    throw new UnusableBackup(
      `The backup is of a newer program (${program}): its store has ${unknown.join(", ")}. Update this one, then restore`,
    );
}

function namesNotIn(migrations: readonly Migration[], names: readonly string[]): string[] {
  return names.filter((name) => !migrations.some((own) => own.name === name));
}

/**
 * Throws if a process of the service runs, because it would return cached data of the replaced store. The check is not
 * needed for an embedded store, which cannot be opened twice.
 */
async function rejectWhileServed(kysely: Store): Promise<void> {
  const { rows } = await sql<{ name: string }>`
    select distinct application_name as name from pg_stat_activity
    where datname = current_database() and application_name ~ '^ids (serve|work)'`.execute(kysely);
  if (rows.length > 0)
    throw new ConfigurationError(
      `The store is in use by ${rows.map(({ name }) => `\`${name}\``).join(" and ")}: stop every process of the service, then restore`,
    );
}

const aside = "ids_replaced";

/** Moves the store's tables to another schema. Throws `ConfigurationError` if it has rows and must not be replaced. */
async function setAside(
  transaction: Transaction,
  { replace, clock, migrations }: Required<RestoreOptions>,
): Promise<string[]> {
  const before = await tableNames(transaction);
  if (before.length === 0) return [];
  if (!before.includes("migration"))
    throw new ConfigurationError(
      `The database contains tables of another program (${before.slice(0, 5).join(", ")}): use a separate database for the store (DATABASE_URL)`,
    );
  const applied = (await transaction.selectFrom("migration").select("name").execute()).map(({ name }) => name);
  requireFirst(applied);
  const filled = await filledTables(transaction);
  if (filled.length > 0 && !replace)
    throw new ConfigurationError(
      `The store contains data (in ${filled.join(", ")}): restore into an empty one (IDS_DATA_DIR, DATABASE_URL), or use --replace to delete its data`,
    );
  // Tables that only a newer program knows would remain after the restore, with rows of the replaced store.
  const unknown = namesNotIn(migrations, applied);
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The store is of a newer program (${unknown.join(", ")}): restore into an empty one (IDS_DATA_DIR, DATABASE_URL), or use the newer program`,
    );
  // Missing migrations are applied to the emptied tables, so that the tables get the names that this program uses.
  for (const name of before)
    if (name !== "migration") await sql`truncate ${sql.table(name)} cascade`.execute(transaction);
  while (await applyNext(transaction, clock(), migrations));
  const names = await tableNames(transaction);
  // The schema `ids_past` contains only views of the tables that are replaced, so it is dropped with them.
  await sql`drop schema ids_past cascade`.execute(transaction);
  await sql`create schema ${sql.ref(aside)}`.execute(transaction);
  for (const name of names) await sql`alter table ${sql.table(name)} set schema ${sql.ref(aside)}`.execute(transaction);
  return names;
}

async function filledTables(transaction: Transaction): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await readTables(transaction)) {
    if (name === "migration") continue;
    const { rows } = await sql<{ any: boolean }>`select exists(select from ${sql.table(name)}) as any`.execute(
      transaction,
    );
    if (rows[0]?.any) filled.push(name);
  }
  return filled;
}

/** Loads rows without foreign keys, so that the order of tables does not matter. New foreign keys check all rows. */
async function withoutForeignKeys<T>(transaction: Transaction, load: () => Promise<T>): Promise<T> {
  const keys = await readForeignKeys(transaction);
  for (const { table, name } of keys)
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(transaction);
  const loaded = await load();
  for (const { table, name, definition } of keys)
    await fitting(`A row of ${table} (${name})`, () =>
      sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(transaction),
    );
  return loaded;
}

/** Drops the replaced tables. Throws if a table is of another program or if another object depends on a table. */
async function drop(transaction: Transaction, replaced: readonly string[]): Promise<void> {
  if (replaced.length === 0) return;
  const own = new Set(await tableNames(transaction));
  const foreign = replaced.filter((name) => !own.has(name));
  if (foreign.length > 0)
    throw new ConfigurationError(
      `The database also contains tables of another program (${foreign.slice(0, 5).join(", ")}): restore into a separate database (DATABASE_URL)`,
    );
  await sql`drop table ${sql.join(replaced.map((name) => sql.id(aside, name)))}`.execute(transaction);
  await sql`drop schema ${sql.ref(aside)}`.execute(transaction);
}
