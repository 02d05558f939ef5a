import { type Database, openDatabase } from "../store/database.ts";
import { migrate } from "../store/migrate.ts";
import type { Terminal } from "./program.ts";

/** Runs something on the migrated store and closes it, whatever happens. */
export async function withStore<T>(
  terminal: Terminal,
  name: string,
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const { databaseUrl, directory } = terminal.config();
  const log = (message: string) => void terminal.err.write(`${message}\n`);
  const database = await openDatabase({ url: databaseUrl, directory, name: `ids ${name}`, log });
  try {
    await migrate(database, () => new Date());
    return await use(database);
  } finally {
    await database.close();
  }
}
