import { isStored } from "../ingest/dataset.ts";
import type { ScheduledDataset } from "../ingest/schedule/scheduled.ts";
import { storedDays } from "../store/history/stored-days.ts";
import { ArchiveError, type ArchiveStore, readBack } from "./archive-store.ts";
import { type ArchiveParts, writeDay } from "./day-writer.ts";
import { datasetFolder, daysIn, folderOf, lastClosedDay } from "./days.ts";
import { filesOf, type Manifest, manifestName, manifestSchema } from "./manifest.ts";

/** First and last day of a range, both included, in the format YYYY-MM-DD. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function isWithin(day: string, { from = "", to = "9999" }: DaySpan): boolean {
  return day >= from && day <= to;
}

/** Returns the datasets whose versions are stored. The data that other datasets had on a day is unknown. */
export function archivable(datasets: readonly ScheduledDataset[]): readonly ScheduledDataset[] {
  return datasets.filter(isStored);
}

/** Archives days that are in the store but not in the archive, oldest first. */
export async function* writeDays(
  dataset: ScheduledDataset,
  { from = "-infinity", to }: DaySpan,
  parts: ArchiveParts,
): AsyncGenerator<Manifest> {
  const { database, store, data, clock } = parts;
  const closed = lastClosedDay(clock());
  const last = to !== undefined && to < closed ? to : closed;
  const archived = new Set(await archivedDays(store, dataset.name, data));
  for (const day of await storedDays(database, { name: dataset.name, data, from, to: last })) {
    if (archived.has(day)) continue;
    const manifest = await writeDay({ dataset, day }, parts);
    if (manifest) yield manifest;
  }
}

/** Returns the archived days of a dataset, oldest first. */
export async function archivedDays(
  store: ArchiveStore,
  dataset: string,
  data: ArchiveParts["data"],
): Promise<readonly string[]> {
  return daysIn(await store.list(datasetFolder(dataset, data)));
}

const maxManifestLength = 4_000_000;

/** Reads the manifest of an archived day. Throws `ArchiveError` if it does not exist. */
export async function readManifest(
  store: ArchiveStore,
  { dataset, day, data }: { readonly dataset: string; readonly day: string; readonly data: ArchiveParts["data"] },
): Promise<Manifest> {
  const path = `${folderOf(dataset, day, data)}/${manifestName}`;
  const parts: Buffer[] = [];
  const read = await readBack(store, path, (part) => {
    parts.push(part);
    if (parts.reduce((bytes, { length }) => bytes + length, 0) > maxManifestLength)
      throw new ArchiveError(`${path} is too long for a manifest`);
  });
  if (!read) throw new ArchiveError(`${path} is not in the archive`);
  const value = jsonOf(Buffer.concat(parts).toString("utf8"));
  if (value === undefined) throw new ArchiveError(`${path} is not valid JSON: it was truncated or changed`);
  const { data: manifest, error } = manifestSchema.safeParse(value);
  if (error) {
    const [{ path: member = [], message = "" } = {}] = error.issues;
    throw new ArchiveError(`${path} is not a manifest of this program: ${member.map(String).join(".")}: ${message}`);
  }
  if (manifest.dataset !== dataset || manifest.day !== day)
    throw new ArchiveError(`${path} is the manifest of ${manifest.dataset} on ${manifest.day}`);
  return manifest;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Returns the files of an archived day that do not match its manifest, with the reason for each. */
export async function brokenFiles(
  store: ArchiveStore,
  manifest: Manifest,
  data: ArchiveParts["data"],
): Promise<readonly string[]> {
  const broken: string[] = [];
  for (const file of filesOf(manifest)) {
    const path = `${folderOf(manifest.dataset, manifest.day, data)}/${file.path}`;
    const read = await readBack(store, path);
    if (!read) broken.push(`${path} is missing`);
    else if (read.sha256 !== file.sha256) broken.push(`${path} does not match its SHA-256 checksum`);
  }
  return broken;
}
