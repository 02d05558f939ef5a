import { fdatasyncSync } from "node:fs";
import { PGlite } from "@electric-sql/pglite";
import { pg_trgm } from "@electric-sql/pglite/contrib/pg_trgm";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { databaseFolder } from "./folder-check.ts";
import { provideFolder } from "./prepared-folder.ts";

type Settings = Parameters<NodeFS["init"]>[1];

/** A file system for the engine whose `fsync` flushes to disk. The file system of the PGlite library does not. */
class DurableFolder extends NodeFS {
  override async init(engine: PGlite, settings: Settings): Promise<{ emscriptenOpts: Settings }> {
    const { emscriptenOpts } = await super.init(engine, settings);
    emscriptenOpts.preRun?.push((module) => {
      const operations: FileOperations = module.NODEFS.stream_ops;
      operations.fsync = ({ nfd }) => {
        if (nfd !== undefined) fdatasyncSync(nfd);
        return 0;
      };
    });
    return { emscriptenOpts };
  }
}

interface FileOperations {
  fsync?: (stream: { nfd?: number }) => number;
}

/** Opens the embedded database of a data folder; creates it at the first start. */
export async function openEngine(directory: string): Promise<PGlite> {
  const folder = databaseFolder(directory);
  await provideFolder(folder, async (partial) => (await start(partial)).close());
  return start(folder);
}

const settings = {
  // Postgres must call `fsync` for its log, because this file system flushes in no other function.
  wal_sync_method: "fsync",
  shared_buffers: "32MB",
  // A small log limits disk usage and the recovery time after a crash.
  max_wal_size: "64MB",
  min_wal_size: "32MB",
};

function start(folder: string): Promise<PGlite> {
  return PGlite.create({
    fs: new DurableFolder(folder),
    extensions: { pg_trgm },
    startParams: [
      // The default parameter `-F` is removed, because it would disable `fsync`.
      ...PGlite.defaultStartParams.filter((parameter) => parameter !== "-F"),
      ...Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    ],
  });
}
