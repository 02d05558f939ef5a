import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import type { Kysely } from "kysely";
import { z } from "zod";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { storedRows } from "../ingest/stored-rows.ts";
import { hasVersionAt, returnVersions } from "../store/history/stored-days.ts";
import type { StoreTables } from "../store/tables.ts";
import { ArchiveError } from "./archive-error.ts";
import type { ArchiveStore } from "./archive-store.ts";
import { folderOf, lastTimeOf } from "./days.ts";
import { type FileParts, temporaryFolder, writeLocalFile } from "./local-file.ts";
import type { Manifest } from "./manifest.ts";

/** What became of a day that was to be put back. */
export type Imported = { readonly rows: number } | { readonly left: string };

const rowsInStatement = 500;
const bytesInStatement = 4_000_000;

const line = z.object({ table: z.string(), row: z.string() });

/** Puts a day back among the earlier versions of a dataset, where the store has nothing of that day. Throws `ArchiveError`. */
export async function importDay(
  { dataset, manifest }: { readonly dataset: ScheduledDataset; readonly manifest: Manifest },
  { database, store, data }: { database: Kysely<StoreTables>; store: ArchiveStore; data: "live" | "sample" },
): Promise<Imported> {
  const { day, origin, versions, withheld } = manifest;
  if (!versions) return { left: `its rows alone are archived: ${withheld.join(", ")} may not be passed on` };
  if (data === "live" && origin === "sample") return { left: "it holds samples" };
  const at = lastTimeOf(day);
  if (await hasVersionAt(database, { name: dataset.name, at })) return { left: "the store has that day" };
  await using stack = new AsyncDisposableStack();
  const file = join(await temporaryFolder(stack), "versions");
  const path = `${folderOf(dataset.name, day, data)}/${versions.path}`;
  const { sha256 } = await writeLocalFile(file, partsOf(store, path));
  if (sha256 !== versions.sha256) throw new ArchiveError(`${path} is not as it was written: its SHA-256 is another`);
  const tables = new Set(["dataset", ...storedRows(dataset).map(({ table }) => table)]);
  const until = new Date(at.getTime() + 1);
  return await database.transaction().execute(async (transaction) => {
    let rows = 0;
    for await (const some of chunksOf(file, path)) {
      if (!tables.has(some.table)) throw new ArchiveError(`${path} has rows of ${some.table}, which is no part of it`);
      await returnVersions(transaction, { ...some, until });
      rows += some.rows.length;
    }
    return { rows };
  });
}

async function* partsOf(store: ArchiveStore, path: string): FileParts {
  const stream = await store.read(path);
  if (!stream) throw new ArchiveError(`${path} is missing`);
  for await (const bytes of stream as AsyncIterable<Buffer>) yield { bytes, rows: 0 };
}

/** The lines of a file. One whose manifest was changed with it may be cut off, or no gzip at all. */
async function* linesOf(file: string, path: string): AsyncGenerator<string> {
  let failure: Error | null | undefined;
  const input = pipeline(createReadStream(file), createGunzip(), (error) => {
    failure = error;
  });
  try {
    yield* createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY });
  } catch (error) {
    failure ??= error instanceof Error ? error : new Error(String(error));
  }
  if (failure) throw new ArchiveError(`${path} cannot be unpacked: ${failure.message}`);
}

function lineOf(text: string, path: string): z.output<typeof line> {
  try {
    return line.parse(JSON.parse(text));
  } catch {
    throw new ArchiveError(`${path} has a line that is no row`);
  }
}

/** The rows of a file, table by table, as many as one statement takes. */
async function* chunksOf(
  file: string,
  path: string,
): AsyncGenerator<{ readonly table: string; readonly rows: readonly string[] }> {
  let [table, rows, bytes]: [string, string[], number] = ["", [], 0];
  for await (const text of linesOf(file, path)) {
    const read = lineOf(text, path);
    if (read.table !== table || rows.length === rowsInStatement || bytes > bytesInStatement) {
      if (rows.length > 0) yield { table, rows };
      [table, rows, bytes] = [read.table, [], 0];
    }
    rows.push(read.row);
    bytes += read.row.length;
  }
  if (rows.length > 0) yield { table, rows };
}
