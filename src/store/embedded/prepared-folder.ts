import { createHash } from "node:crypto";
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { writeFile } from "node:fs/promises";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { deserialize, serialize } from "node:v8";
import { gunzipSync, gzipSync } from "node:zlib";

/** Creates the database folder if it does not exist. Copies a prepared folder if available, or calls `make`. */
export async function provideFolder(folder: string, make: (folder: string) => Promise<void>): Promise<void> {
  if (existsSync(folder)) return;
  // The folder gets its final name when it is complete, so that an interrupted start creates it again.
  const partial = `${folder}.partial`;
  rmSync(partial, { recursive: true, force: true });
  const prepared = preparedFile();
  if (existsSync(prepared)) await unpack(readFileSync(prepared), partial);
  else await make(partial);
  renameSync(partial, folder);
  flush(dirname(folder));
}

export function prepareFolder(folder: string): void {
  const file = preparedFile();
  const home = dirname(file);
  mkdirSync(home, { recursive: true });
  for (const name of readdirSync(home)) if (name.startsWith(prefix)) rmSync(join(home, name));
  writeFileSync(`${file}.partial`, pack(folder));
  renameSync(`${file}.partial`, file);
}

/** Returns the path of the prepared copy of an empty database. Its name has a hash of what its content depends on. */
export function preparedFile(): string {
  const hash = createHash("sha256");
  const migrations = new URL("../migrations/", import.meta.url);
  const sources = readdirSync(migrations, { recursive: true, encoding: "utf8" })
    .filter((name) => /\.[jt]s$/.test(name))
    .sort()
    .map((name) => new URL(name, migrations));
  for (const name of ["../migrate.ts", "./prepared-folder.ts"]) sources.push(new URL(name, import.meta.url));
  for (const name of ["@electric-sql/pglite", "pg-boss"])
    sources.push(new URL("../package.json", import.meta.resolve(name)));
  for (const source of sources) hash.update(readFileSync(source));
  return fileURLToPath(new URL(`../../../.deps/${prefix}${hash.digest("hex").slice(0, 16)}.gz`, import.meta.url));
}

interface Entry {
  readonly path: string;
  /** Content of a file; undefined for a folder. */
  readonly content?: Uint8Array;
}

const prefix = "empty-database-";
/** Number of files that are flushed in parallel. Flushing a thousand files one by one would take a second. */
const flushedTogether = 8;

function pack(folder: string): Buffer {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).map((entry): Entry => {
    const path = join(entry.parentPath, entry.name);
    return { path: relative(folder, path), ...(entry.isFile() ? { content: readFileSync(path) } : {}) };
  });
  // The order is the same on all machines, and a folder precedes its files.
  entries.sort((a, b) => (a.path < b.path ? -1 : 1));
  // Compression level 1 takes half the time of the default level, and the file is an eighth larger.
  return gzipSync(serialize(entries), { level: 1 });
}

async function unpack(archive: Buffer, folder: string): Promise<void> {
  mkdirSync(folder, { mode: 0o700 });
  const entries: Entry[] = deserialize(gunzipSync(archive));
  for (const { path, content } of entries) if (content === undefined) mkdirSync(join(folder, path), { mode: 0o700 });
  const left = entries.values();
  await Promise.all(Array.from({ length: flushedTogether }, () => writeAll(left, folder)));
}

async function writeAll(entries: Iterable<Entry>, folder: string): Promise<void> {
  for (const { path, content } of entries)
    if (content !== undefined) await writeFile(join(folder, path), content, { mode: 0o600, flush: true });
}

function flush(folder: string): void {
  const file = openSync(folder, "r");
  fsyncSync(file);
  closeSync(file);
}
