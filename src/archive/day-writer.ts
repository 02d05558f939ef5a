import { join } from "node:path";
import { pipeline, Readable } from "node:stream";
import { createGzip } from "node:zlib";
import { Role } from "../../gen/es/ids/options/v1/options_pb.ts";
import { describedColumn, type FileMetadata } from "../http/rest/formats/file-metadata.ts";
import { parquetStream } from "../http/rest/formats/parquet.ts";
import { redistributableTable, type Withheld } from "../http/rest/formats/withheld-rows.ts";
import { storedRows } from "../ingest/dataset.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { minuteMs } from "../reference/duration.ts";
import { inPast, type Past } from "../store/history/past.ts";
import { versionsAt } from "../store/history/stored-days.ts";
import { servableMinutes } from "../store/served/dataset-age.ts";
import type { Provenance } from "../store/served/served.ts";
import type { Store } from "../store/tables.ts";
import {
  ArchiveError,
  type ArchiveStore,
  type FileParts,
  type LocalFile,
  readBack,
  temporaryFolder,
  writeLocalFile,
} from "./archive-store.ts";
import { type DayTable, dayTables } from "./day-tables.ts";
import { folderOf, lastTimeOf } from "./days.ts";
import {
  type ArchivedTable,
  datasetsBehind,
  licensesBehind,
  type Manifest,
  manifestName,
  versionsName,
} from "./manifest.ts";

export interface ArchiveParts {
  readonly database: Store;
  readonly store: ArchiveStore;
  readonly datasets: readonly ScheduledDataset[];
  readonly data: "live" | "sample";
  readonly clock: () => Date;
  readonly program: string;
}

export interface DatasetDay {
  readonly dataset: ScheduledDataset;
  /** UTC day in the format YYYY-MM-DD. */
  readonly day: string;
}

interface Written {
  readonly provenance: Provenance;
  readonly readAt: Readonly<Record<string, string>>;
  readonly withheld: readonly string[];
  readonly tables: readonly { readonly entry: ArchivedTable; readonly file: LocalFile }[];
}

/**
 * Archives a dataset as of the end of a day. The files are written first and compared with their checksums, then the
 * manifest. Returns undefined if no data was visible, or only data that was too old to serve.
 */
export async function writeDay(of: DatasetDay, parts: ArchiveParts): Promise<Manifest | undefined> {
  const { dataset, day } = of;
  const { database, store, data, clock, program } = parts;
  await using stack = new AsyncDisposableStack();
  const folder = await temporaryFolder(stack);
  const at = lastTimeOf(day);
  const licenses = licensesBehind(dataset, parts.datasets);
  const behind = { attribution: attributionOf(licenses), datasets: datasetsBehind(dataset, parts.datasets) };
  const written = await inPast(database, { at, data, datasets: [dataset] }, (past) =>
    writeTables(of, past, { folder, behind }),
  );
  if (!written) return undefined;
  const { provenance, readAt, withheld, tables } = written;
  // Versions are not archived if rows are withheld, because they would contain these rows.
  const versions = withheld.length > 0 ? undefined : await writeVersions(of, database, folder);
  const root = folderOf(dataset.name, day, data);
  for (const { entry, file } of tables) await putVerified(store, `${root}/${entry.path}`, file);
  if (versions) await putVerified(store, `${root}/${versionsName}`, versions);
  const manifest: Manifest = {
    ...{ form: 1, dataset: dataset.name, subject: dataset.subject, day, origin: provenance.origin },
    ...{ generation: provenance.generation, storedAt: provenance.storedAt.toISOString(), readAt, program },
    methodology: [...new Set((dataset.series?.series ?? []).map(({ methodology }) => methodology))].filter(Boolean),
    licenses,
    attribution: behind.attribution.join("; "),
    withheld: [...withheld],
    tables: tables.map(({ entry }) => entry),
    ...(versions && { versions: { path: versionsName, ...sizeOf(versions) } }),
    writtenAt: clock().toISOString(),
  };
  const text = await writeLocalFile(join(folder, "manifest"), onePart(`${JSON.stringify(manifest, null, 2)}\n`));
  await putVerified(store, `${root}/${manifestName}`, text);
  return manifest;
}

/** Writes a file and reads it back, so that the manifest never lists a corrupted file. */
async function putVerified(store: ArchiveStore, path: string, file: LocalFile): Promise<void> {
  await store.put(path, file);
  const read = await readBack(store, path);
  if (read?.sha256 !== file.sha256)
    throw new ArchiveError(`${path} was not stored correctly: ${read?.bytes ?? 0} of ${file.bytes} bytes`);
}

/** The dataset and its inputs, at any depth, with the attribution that the terms of their sources require. */
interface Behind {
  readonly attribution: readonly string[];
  readonly datasets: readonly ScheduledDataset[];
}

async function writeTables(
  { dataset }: DatasetDay,
  past: Past,
  { folder, behind }: { readonly folder: string; readonly behind: Behind },
): Promise<Written | undefined> {
  const visible = past.served.visible(dataset);
  if (!visible) return undefined;
  const { provenance } = visible;
  const ageMinutes = (past.clock().getTime() - provenance.readAt.getTime()) / minuteMs;
  // Data that is too old to serve was not served on that day either, so it is not archived.
  if (ageMinutes > servableMinutes(dataset)) return undefined;
  const readAt = await readTimes(past, behind.datasets);
  const restricted = restrictedOf(dataset, provenance, readAt);
  const withheld = [...restricted.sources.map(({ name }) => name), ...restricted.parts];
  const metadata = {
    ...{ title: dataset.subject, csvUrl: "", documentation: "/docs", missing: [], withheld },
    isStale: ageMinutes > dataset.freshForMinutes,
    attribution: behind.attribution,
    origin: provenance.origin,
    readAt: provenance.readAt.toISOString(),
  };
  const tables: Written["tables"][number][] = [];
  for (const each of await dayTables(dataset, past)) {
    const table = withoutWithheld(each, restricted);
    if (!table) continue;
    const { name, columns, key } = table.table;
    const path = `table=${name}/${provenance.origin === "sample" ? "rows.sample" : "rows"}.parquet`;
    const file = await writeLocalFile(join(folder, name), parquetParts(table, { ...metadata, name }));
    tables.push({
      file,
      entry: {
        ...{ table: name, path, key: [...key], ...sizeOf(file) },
        columns: columns.map((column) => ({ ...describedColumn(column), type: column.type })),
      },
    });
  }
  return { provenance, readAt, withheld, tables };
}

/** Returns when each source was last read. For a source of several datasets, the first one counts. */
async function readTimes({ database }: Past, datasets: readonly ScheduledDataset[]): Promise<Record<string, string>> {
  const rows = await database
    .selectFrom("source")
    .select(["dataset", "source", "fetched_at"])
    .where(
      "dataset",
      "in",
      datasets.map(({ name }) => name),
    )
    .orderBy("source")
    .execute();
  const place = (name: string) => datasets.findIndex((dataset) => dataset.name === name);
  const sorted = rows.toSorted((a, b) => place(b.dataset) - place(a.dataset));
  const times = new Map(sorted.map((row) => [row.source, row.fetched_at?.toISOString() ?? ""]));
  return Object.fromEntries([...times].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** Returns the sources of live data whose terms do not allow redistribution, and the withheld row IDs. */
function restrictedOf(
  { sources }: ScheduledDataset,
  { origin }: Provenance,
  readAt: Readonly<Record<string, string>>,
): Withheld {
  if (origin === "sample") return { sources: [], parts: [] };
  const withResponse = sources.filter(({ name }) => name in readAt);
  return {
    sources: withResponse
      .filter(({ license }) => license.kind === "restricted")
      .map(({ name, license }) => ({ name, terms: license.terms })),
    parts: withResponse.flatMap(({ withheldParts = [] }) => withheldParts),
  };
}

/** Removes withheld rows; returns undefined if the table has no column by which they can be recognized. */
function withoutWithheld(day: DayTable, restricted: Withheld): DayTable | undefined {
  const { columns } = day.table;
  const isNamed = columns.some(({ role }) => role === Role.SOURCE);
  const isByParts = columns.some(({ role }) => role === Role.ID);
  if ((restricted.sources.length > 0 && !isNamed) || (restricted.parts.length > 0 && !isByParts)) return undefined;
  const { table, isWithheld } = redistributableTable(day.table, restricted);
  return {
    table,
    async *rows() {
      for await (const places of day.rows()) yield places.filter((place) => !isWithheld(place));
    },
  };
}

async function* parquetParts({ table, rows }: DayTable, metadata: FileMetadata): FileParts {
  const stream = parquetStream(table, metadata, false);
  yield { bytes: stream.begin(), rows: 0 };
  for await (const places of rows()) yield { bytes: stream.rows(places), rows: places.length };
  yield { bytes: stream.end(), rows: 0 };
}

/** Writes the versions of rows, from which a store can restore the day. */
function writeVersions({ dataset, day }: DatasetDay, database: ArchiveParts["database"], folder: string) {
  const rows = storedRows(dataset);
  return database
    .transaction()
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const counted = { rows: 0 };
      const lines = async function* () {
        for await (const versions of versionsAt(transaction, { name: dataset.name, rows, at: lastTimeOf(day) })) {
          counted.rows += versions.length;
          yield versions.map(({ table, row }) => `${JSON.stringify({ table, row })}\n`).join("");
        }
      };
      const gzip: AsyncIterable<Buffer> = pipeline(Readable.from(lines()), createGzip(), () => undefined);
      const parts = async function* () {
        for await (const bytes of gzip) yield { bytes, rows: 0 };
      };
      const file = await writeLocalFile(join(folder, versionsName), parts());
      return { ...file, ...counted };
    });
}

async function* onePart(bytes: string): FileParts {
  yield { bytes, rows: 1 };
}

function sizeOf({ rows, bytes, sha256 }: LocalFile & { readonly rows: number }) {
  return { rows, bytes, sha256 };
}

function attributionOf(licenses: Manifest["licenses"]): readonly string[] {
  return [...new Set(licenses.map(({ terms }) => terms))];
}
