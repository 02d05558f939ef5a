// Prepares a migrated, empty embedded database in .deps, which makes every first start of one a copy; does nothing when it is there.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openDatabase } from "../src/store/database.ts";
import { preparedFile, prepareFolder } from "../src/store/embedded/prepared-folder.ts";
import { migrate } from "../src/store/migrate.ts";

if (!existsSync(preparedFile())) {
  const directory = mkdtempSync(join(tmpdir(), "ids-empty-"));
  try {
    const database = await openDatabase({ directory, name: "ids prepare", log: console.error });
    await migrate(database, () => new Date());
    await database.close();
    prepareFolder(join(directory, "postgres"));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
