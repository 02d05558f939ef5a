import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { constants, createGzip } from "node:zlib";
import type { Database } from "../database.ts";
import { checksumMember, summed } from "./checksum.ts";
import { type About, storeLines } from "./store-lines.ts";

/** A backup that was written. */
export interface Written {
  readonly bytes: number;
  /** How long the store was held, during which an embedded one does nothing else. */
  readonly heldMs: number;
}

/** Chunks of a megabyte that may wait to be compressed, so that the store waits for that as little as memory allows. */
const waiting = 16;

/** Writes everything the store holds at one moment; the file has its name only when it is whole and on the disk. */
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

/** The name is on the disk too. Not every file system can do so, and the file is whole without it. */
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
