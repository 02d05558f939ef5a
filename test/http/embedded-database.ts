import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";

/** A fresh embedded database whose folder goes when it is closed: for quotas that go by the clock of the test, and what takes the store away. */
export async function openEmbedded(): Promise<Database> {
  const directory = mkdtempSync(join(tmpdir(), "ids-http-"));
  const database = await openDatabase({ directory, name: "test" });
  await migrate(database, () => new Date());
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}
