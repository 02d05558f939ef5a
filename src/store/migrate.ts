import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sql } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { Database } from "./database.ts";
import * as store from "./migrations/1000_store.ts";
import type { Store, Transaction } from "./tables.ts";

export interface Migration {
  readonly name: string;
  /** True if programs without this migration still work. A breaking change needs two releases. */
  readonly compatible?: true;
  // As a method instead of a property, `up` also accepts migrations of which the types know fewer tables.
  up(transaction: Store): Promise<void>;
}

/** First migration since 1.0.0. Stores of earlier programs do not have it. */
export const firstMigration = "1000_store";

/** The migrations of this program, each applied once and in this order. A released migration is never changed. */
export const ownMigrations: readonly Migration[] = [{ name: firstMigration, up: store.up }];

// Arbitrary number of the advisory lock. No other program may use it in the same database.
const lock = 4_815_162_342n;

/** Migrates the schema of the store and of the job queue. Several processes may do so at the same time. */
export async function migrate(database: Database, now: () => Date, migrations = ownMigrations): Promise<void> {
  // Each migration runs in its own transaction.
  while (await database.kysely.transaction().execute((transaction) => applyNext(transaction, now(), migrations)));
  await migrateQueue(database);
}

/** Creates the tables of a store that has these migrations, without rows. */
export async function createTables(
  transaction: Transaction,
  names: readonly string[],
  migrations = ownMigrations,
): Promise<void> {
  await provideMigrationTable(transaction);
  for (const { name, up } of migrations) if (names.includes(name)) await up(transaction);
}

export async function lockTables(transaction: Transaction): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(transaction);
  await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
}

/** Throws `ConfigurationError` if the store has migrations of a program before 1.0.0, whose schema had another history. */
export function requireFirst(names: readonly string[]): void {
  if (names.length > 0 && !names.includes(firstMigration))
    throw new ConfigurationError(
      "The store is from before 1.0.0, which this program cannot migrate. Start over with an empty store (set IDS_DATA_DIR to" +
        " a new folder, or DATABASE_URL to a new database): live data are read again, accounts and keys are not. Or keep the" +
        " older program",
    );
}

async function provideMigrationTable(transaction: Transaction): Promise<void> {
  await sql`
    create table if not exists migration (
      name text primary key, applied_at timestamptz not null, compatible bool not null default false
    )`.execute(transaction);
}

/** Applies the first missing migration. Returns false if there is none. */
export async function applyNext(transaction: Transaction, now: Date, migrations = ownMigrations): Promise<boolean> {
  await lockTables(transaction);
  await provideMigrationTable(transaction);
  const [next] = missingOf(await transaction.selectFrom("migration").selectAll().execute(), migrations);
  if (next === undefined) return false;
  await next.up(transaction);
  const { name, compatible = false } = next;
  await transaction.insertInto("migration").values({ name, compatible, applied_at: now }).execute();
  return true;
}

/** Returns the migrations of this program that the store lacks, oldest first. Changes nothing. */
export async function missingMigrations(
  { kysely, query }: Database,
  migrations = ownMigrations,
): Promise<readonly Migration[]> {
  const { rows } = await query<{ made: boolean }>("select to_regclass('migration') is not null as made");
  return missingOf(rows[0]?.made ? await kysely.selectFrom("migration").selectAll().execute() : [], migrations);
}

/** Throws `ConfigurationError` if this program cannot run on a store with the applied migrations. */
function missingOf(
  applied: readonly { readonly name: string; readonly compatible: boolean }[],
  migrations: readonly Migration[],
): readonly Migration[] {
  const names = applied.map(({ name }) => name);
  requireFirst(names);
  const known = new Set(migrations.map(({ name }) => name));
  const unknown = applied.flatMap(({ name, compatible }) => (known.has(name) || compatible ? [] : [name]));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The database is newer than this program: it has ${unknown.join(", ")}, which older programs cannot run on. Update the program`,
    );
  return migrations.filter(({ name }) => !names.includes(name));
}

/** Creates or updates the job queue's tables. Several processes may do so at the same time. */
export async function migrateQueue(database: Database): Promise<void> {
  // The queue library is loaded only if its tables must change.
  if (await isCurrent(database)) return;
  // If several processes create the tables at the same time, some fail. Their second try finds the tables.
  await create(database).catch(() => create(database));
}

async function create(database: Database): Promise<void> {
  const { PgBoss } = await import("pg-boss");
  const boss = new PgBoss({ db: { executeSql: database.query }, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

async function isCurrent({ query }: Database): Promise<boolean> {
  const { rows: tables } = await query<{ made: boolean }>("select to_regclass('pgboss.version') is not null as made");
  if (!tables[0]?.made) return false;
  const { rows } = await query<{ version: number }>("select version from pgboss.version");
  return rows[0]?.version === wantedVersion();
}

function wantedVersion(): number {
  const manifest = fileURLToPath(new URL("../package.json", import.meta.resolve("pg-boss")));
  return JSON.parse(readFileSync(manifest, "utf8")).pgboss.schema;
}
