import { closeSync, existsSync, openSync, readdirSync, readFileSync, readSync, statSync } from "node:fs";
import { join } from "node:path";
import { ConfigurationError } from "../../errors.ts";

/** The size of the file `pg_control`, which Postgres writes in each database folder. */
const controlBytes = 8192;
/** Offsets in `pg_control`, equal in Postgres 9.3 to 18: the last checkpoint's record, and where a recovery starts. */
const checkpointAt = 32;
const redoAt = 40;
const timelineAt = 48;
const pageBytes = 8192;
const segmentBytes = 16 * 1024 * 1024;

export function databaseFolder(directory: string): string {
  return join(directory, "postgres");
}

/**
 * Rejects a folder that the engine would overwrite or that would make it fail. Such a folder is no longer a database,
 * or lacks the part of the log that a start reads first. Writes nothing. Throws `ConfigurationError`.
 */
export function checkDatabaseFolder(folder: string): void {
  if (!existsSync(folder)) return;
  const damage = damageOf(folder);
  if (damage !== undefined) throw damaged(folder, damage);
}

export function damaged(folder: string, what: string, state = "It was left as it is"): ConfigurationError {
  return new ConfigurationError(
    `The embedded database in ${folder} cannot be used: ${what}. ${state}. Restore a copy of the data folder, or move it away to start with an empty one`,
  );
}

function damageOf(folder: string): string | undefined {
  if (readdirSync(folder).length === 0) return "the folder is empty";
  const version = read(join(folder, "PG_VERSION"))?.toString().trim() ?? "";
  if (!/^\d+$/.test(version)) return "PG_VERSION is missing or broken";
  const control = read(join(folder, "global", "pg_control"));
  if (control?.length !== controlBytes) return "global/pg_control is missing or cut off";
  const timeline = control.readUInt32LE(timelineAt);
  for (const at of [checkpointAt, redoAt]) {
    const place = control.readBigUInt64LE(at);
    const name = segmentName(timeline, place);
    const file = join(folder, "pg_wal", name);
    if (statSync(file, { throwIfNoEntry: false })?.size !== segmentBytes) return `pg_wal/${name} is missing or cut off`;
    if (!holdsRecord(file, Number(place % BigInt(segmentBytes)))) return `pg_wal/${name} was emptied`;
  }
  return undefined;
}

function read(file: string): Buffer | undefined {
  return existsSync(file) ? readFileSync(file) : undefined;
}

/** Returns the name of a file of the write-ahead log: the timeline, and the two halves of the file's number. */
function segmentName(timeline: number, place: bigint): string {
  const segment = place / BigInt(segmentBytes);
  const perHalf = 2n ** 32n / BigInt(segmentBytes);
  return [BigInt(timeline), segment / perHalf, segment % perHalf]
    .map((part) => part.toString(16).toUpperCase().padStart(8, "0"))
    .join("");
}

/**
 * Returns whether the log has a record at an offset. A page starts with a magic number and a record with its length, so
 * zero means that it is missing.
 */
function holdsRecord(file: string, offset: number): boolean {
  const bytes = Buffer.alloc(pageBytes);
  const handle = openSync(file, "r");
  try {
    readSync(handle, bytes, 0, pageBytes, offset - (offset % pageBytes));
  } finally {
    closeSync(handle);
  }
  const within = offset % pageBytes;
  return bytes.readUInt16LE(0) !== 0 && (within === 0 || bytes.readUInt32LE(within) !== 0);
}
