import { cpSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { databaseFolder } from "../../src/store/embedded/folder-check.ts";
import { migrate } from "../../src/store/migrate.ts";

/** A fresh embedded database whose folder goes when it is closed: for quotas that go by the clock of the test, and what takes the store away. */
export async function openEmbedded(): Promise<Database> {
  const directory = await embeddedFolder();
  const database = await openMigrated(directory);
  return {
    ...database,
    async close() {
      await database.close();
      rmSync(directory, { recursive: true, force: true });
    },
  };
}

let migrated: Promise<string> | undefined;

/** A data folder with a migrated database: a copy, which takes a third less processor time than to unpack the prepared one again. */
export async function embeddedFolder(): Promise<string> {
  migrated ??= makeMigrated();
  const original = databaseFolder(await migrated);
  const directory = newFolder();
  cpSync(original, databaseFolder(directory), { recursive: true });
  return directory;
}

async function makeMigrated(): Promise<string> {
  const directory = newFolder();
  const database = await openMigrated(directory);
  await database.close();
  return directory;
}

const newFolder = () => mkdtempSync(join(tmpdir(), "ids-test-"));

async function openMigrated(directory: string): Promise<Database> {
  const database = await openDatabase({ directory, name: "test" });
  await migrate(database, () => new Date());
  return database;
}
