import { existsSync } from "node:fs";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../errors.ts";
import { attachDatabase, type Database, openDatabase } from "../store/database.ts";
import { servedSocketFolder } from "../store/embedded/embedded.ts";
import { databaseFolder } from "../store/embedded/folder-check.ts";
import { type Migration, migrate, missingMigrations } from "../store/migrate.ts";
import { migrationLimits, replicaLimits, type StatementLimits, workLimits } from "../store/pool.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import type { Terminal } from "./terminal.ts";

/** Opens and migrates the store, runs a function with it, and closes it. */
export async function withStore<T>(
  terminal: Terminal,
  name: string,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const log = (message: string) => void terminal.err.write(`${message}\n`);
  return await use(await openStore(stack, terminal.config(), name, log));
}

/** Opens and migrates the configured store. The stack closes it. */
export async function openStore(
  stack: AsyncDisposableStack,
  { databaseUrl, directory }: Config,
  name: string,
  log: (message: string) => void,
  { limits = workLimits, tracing }: { readonly limits?: StatementLimits; readonly tracing?: Tracing | undefined } = {},
): Promise<Database> {
  const options = { url: databaseUrl, directory, name: `ids ${name}`, log };
  const opened = stack.adopt(await openDatabase({ ...options, limits: migrationLimits }), ({ close }) => close());
  await migrate(opened, () => new Date());
  return stack.adopt(attachDatabase(opened.settings, { ...options, limits, tracing }), ({ close }) => close());
}

/** Returns whether the configured store exists. A service creates the embedded one at its first start. */
export function hasStore({ databaseUrl, directory }: Pick<Config, "databaseUrl" | "directory">): boolean {
  return databaseUrl !== undefined || existsSync(databaseFolder(directory));
}

/** Returns the read replica, which may be unreachable. Returns undefined if none is configured. */
export function attachReadReplica(
  stack: AsyncDisposableStack,
  { readDatabaseUrl: url, databaseUrl }: Config,
  tracing: Tracing | undefined,
): Database | undefined {
  if (url === undefined) return undefined;
  if (databaseUrl === undefined) throw new ConfigurationError("IDS_READ_DATABASE_URL requires DATABASE_URL");
  const settings = { kind: "postgres", address: url } as const;
  return stack.adopt(attachDatabase(settings, { name: "ids reads", limits: replicaLimits, tracing }), ({ close }) =>
    close(),
  );
}

/**
 * Opens the store without a migration. An embedded store is opened through the socket of the service that uses it.
 * Throws `ConfigurationError` if there is no store.
 */
export async function openStoreAsItIs(
  stack: AsyncDisposableStack,
  { databaseUrl, directory }: Config,
  name: string,
  log: (message: string) => void,
): Promise<Database> {
  const options = { name: `ids ${name}`, log, limits: migrationLimits };
  const close = (database: Database) => database.close();
  const address = databaseUrl === undefined ? await servedSocketFolder(directory) : undefined;
  if (address !== undefined) return stack.adopt(attachDatabase({ kind: "embedded", address }, options), close);
  if (!hasStore({ databaseUrl, directory }))
    throw new ConfigurationError(
      `There is no store in ${directory}: set IDS_DATA_DIR to its folder, or DATABASE_URL to its database`,
    );
  return stack.adopt(await openDatabase({ ...options, url: databaseUrl, directory }), close);
}

/** Opens the store without migrating it, runs a function with it, and closes it. A service may use the store. */
export async function withStoreAsItIs<T>(
  terminal: Terminal,
  name: string,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  await using stack = new AsyncDisposableStack();
  const log = (message: string) => void terminal.err.write(`${message}\n`);
  return await use(await openStoreAsItIs(stack, terminal.config(), name, log));
}

/** Migrates the database to the schema of this program. With `check`, it only says what this would change. */
export async function migrateDatabase(terminal: Terminal, { check = false }: { check?: boolean } = {}): Promise<void> {
  if (check)
    return withStoreAsItIs(terminal, "migrate", async (database) => {
      terminal.out.write(planText(database.kind, await missingMigrations(database)));
    });
  await withStore(terminal, "migrate", async ({ kind }) => {
    terminal.out.write(`The ${kind} database is up to date.\n`);
  });
}

/** Returns which migrations are missing, and whether earlier programs still run on the migrated store. */
export function planText(kind: string, missing: readonly Migration[]): string {
  if (missing.length === 0) return `The ${kind} database is up to date.\n`;
  const breaking = missing.filter(({ compatible }) => !compatible).map(({ name }) => name);
  const after =
    breaking.length === 0
      ? "All are compatible: the earlier version still runs on the migrated database."
      : `The earlier version does not run after ${breaking.join(", ")}: stop all processes first. To go back, restore a backup.`;
  return `The ${kind} database lacks ${missing.map(({ name }) => name).join(", ")}.\n${after}\n`;
}
