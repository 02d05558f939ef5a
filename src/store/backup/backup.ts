import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Database } from "../database.ts";
import { checksumMember, summed } from "./checksum.ts";
import { type About, storeLines } from "./store-lines.ts";

export interface Written {
  readonly bytes: number;
  /** Time during which the store was locked. An embedded store does nothing else during this time. */
  readonly heldMs: number;
}

/** Maximum buffered batches of rows. The store is locked while it is read, so reading must not wait for the disk. */
const waiting = 16;

/** Writes a consistent snapshot of the store. The file gets its name only when it is complete and on disk. */
export async function writeBackup(
  { kysely, kind }: Database,
  file: string,
  about: Omit<About, "database">,
): Promise<Written> {
  const partial = `${file}.partial`;
  const { through, sha256 } = summed();
  let heldMs = 0;
  const lines = storeLines(kysely, { ...about, database: kind }, { held: (ms) => (heldMs = ms) });
  await rm(partial, { force: true });
  try {
    await pipeline(
      Readable.from(lines, { highWaterMark: waiting }),
      createGzip({ level: constants.Z_BEST_SPEED }),
      through,
      createWriteStream(partial, { mode: 0o600, flags: "wx" }),
    );
    await finish(partial, checksumMember(sha256()));
    await rename(partial, file);
    await syncFolder(dirname(file));
  } catch (error) {
    await rm(partial, { force: true });
    throw error;
  }
  return { bytes: (await stat(file)).size, heldMs };
}

/** Flushes the file name to disk. Not every file system supports this, and the file is complete without it. */
async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, "r");
  try {
    await folder.sync();
  } catch (error) {
    if (!(error instanceof Error && "code" in error && (error.code === "EINVAL" || error.code === "ENOTSUP")))
      throw error;
  } finally {
    await folder.close();
  }
}

async function finish(file: string, end: Buffer): Promise<void> {
  const handle = await open(file, "a");
  try {
    await handle.appendFile(end);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
