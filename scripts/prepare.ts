// Prepares in .deps the files that every first start would otherwise create: a migrated, empty embedded database, and
// the land, places, and regions of the world. Does nothing if they exist.
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { libraries } from "../src/reference/libraries.ts";
import { landList } from "../src/reference/places/land.ts";
import { placeList } from "../src/reference/places/places.ts";
import { prepareOutput } from "../src/reference/places/prepared-output.ts";
import { regionPlaceList } from "../src/reference/places/region-at.ts";
import { regionList } from "../src/reference/places/regions.ts";
import { compileWorkThread } from "../src/runtime/work/work-thread.ts";
import { openDatabase } from "../src/store/database.ts";
import { preparedFile, prepareFolder } from "../src/store/embedded/prepared-folder.ts";
import { migrate } from "../src/store/migrate.ts";

// If compiled code is cached, compile now what a start loads. The thread is first, because its flags are part of the
// cache key.
const isCodeStored = Boolean(process.env.NODE_COMPILE_CACHE);
if (isCodeStored) await compileWorkThread();

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

prepareOutput(landList);
prepareOutput(placeList);
prepareOutput(regionList);
prepareOutput(regionPlaceList);

if (isCodeStored)
  await Promise.all([
    import("../src/cli/serving.ts"),
    import("../src/mcp/endpoint.ts"),
    ...Object.values(libraries).map((library) => library()),
  ]);
