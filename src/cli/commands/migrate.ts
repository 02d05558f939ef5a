import { withStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

/** Migrates the database to the schema of this program. */
export async function migrateDatabase(terminal: Terminal): Promise<void> {
  await withStore(terminal, "migrate", async ({ kind }) => {
    terminal.out.write(`The ${kind} database is up to date.\n`);
  });
}
