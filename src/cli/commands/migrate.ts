import { withStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

export async function migrateDatabase(terminal: Terminal): Promise<void> {
  await withStore(terminal, "migrate", async ({ kind }) => {
    terminal.out.write(`The ${kind} database is up to date.\n`);
  });
}
