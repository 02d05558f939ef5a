import { createReadStream } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { pipeline } from "node:stream";
import { createGunzip } from "node:zlib";
import { z } from "zod";
import { storedRows } from "../ingest/dataset.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { hasVersionAt, importVersions } from "../store/history/stored-days.ts";
import type { Store } from "../store/tables.ts";
import { ArchiveError, type ArchiveStore, type FileParts, temporaryFolder, writeLocalFile } from "./archive-store.ts";
import { folderOf, lastTimeOf } from "./days.ts";
import type { Manifest } from "./manifest.ts";

/** Result of an import: the number of rows, or the reason why the day was skipped. */
export type Imported = { readonly rows: number } | { readonly left: string };

const rowsInStatement = 500;
const bytesInStatement = 4_000_000;

const line = z.object({ table: z.string(), row: z.string() });

/** Imports an archived day into the history of a dataset, unless the store has that day. Throws `ArchiveError`. */
export async function importDay(
  { dataset, manifest }: { readonly dataset: ScheduledDataset; readonly manifest: Manifest },
  { database, store, data }: { database: Store; store: ArchiveStore; data: "live" | "sample" },
): Promise<Imported> {
  const { day, origin, versions, withheld } = manifest;
  if (!versions)
    return {
      left: `only its rows are archived, because the terms of ${withheld.join(", ")} do not allow redistribution`,
    };
  if (data === "live" && origin === "sample") return { left: "it contains sample data" };
  const at = lastTimeOf(day);
  if (await hasVersionAt(database, { name: dataset.name, at })) return { left: "the store has data of that day" };
  await using stack = new AsyncDisposableStack();
  const file = join(await temporaryFolder(stack), "versions");
  const path = `${folderOf(dataset.name, day, data)}/${versions.path}`;
  const { sha256 } = await writeLocalFile(file, partsOf(store, path));
  if (sha256 !== versions.sha256) throw new ArchiveError(`${path} does not match its SHA-256 checksum`);
  const tables = new Set(["dataset", ...storedRows(dataset).map(({ table }) => table)]);
  const until = new Date(at.getTime() + 1);
  return await database.transaction().execute(async (transaction) => {
    let rows = 0;
    for await (const some of chunksOf(file, path)) {
      if (!tables.has(some.table))
        throw new ArchiveError(`${path} has rows of ${some.table}, which is not a table of this dataset`);
      await importVersions(transaction, { ...some, until });
      rows += some.rows.length;
    }
    return { rows };
  });
}

async function* partsOf(store: ArchiveStore, path: string): FileParts {
  const stream = await store.read(path);
  if (!stream) throw new ArchiveError(`${path} is missing`);
  for await (const bytes of stream) yield { bytes, rows: 0 };
}

/** Yields the lines of a compressed file. Throws if it is truncated or not gzip, even though its checksum matches. */
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
    throw new ArchiveError(`${path} has a line that is not a row`);
  }
}

/** Yields the rows by table, in chunks that fit into one statement. */
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
