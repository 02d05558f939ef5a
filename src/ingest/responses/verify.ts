import { createHash } from "node:crypto";
import { type DescMessage, type MessageInitShape, type MessageShape, toJson } from "@bufbuild/protobuf";
import { sql } from "kysely";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { ConfigurationError } from "../../errors.ts";
import { type LoggedChange, logExtent, readChanges } from "../../store/changes/change-log.ts";
import type { Store } from "../../store/tables.ts";
import { type Dataset, isRecomputed, storedRows } from "../dataset.ts";
import { type FetchResult, fetchSource, nameOf, type SourceResponse } from "../refresh/fetch.ts";
import { refreshWithin } from "../refresh/refresh.ts";
import { type LastGood, lastGood, lastResponses } from "../refresh/report.ts";
import type { Source } from "../source.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import { mayStoreBytes } from "./recorder.ts";
import {
  replayUpstream,
  restoredGeneration,
  type StoredRead,
  type StoredResponse,
  storedRead,
  storedResponses,
} from "./replay.ts";
import { type DifferentRow, rowsBefore } from "./row-differences.ts";
import { hashesOf, readHashes } from "./row-hashes.ts";

export interface SourceVerification {
  readonly source: string;
  /** `digest only`: the source forbids storage. `deleted`: bytes exceeded the maximum. `none`: no read is stored. */
  readonly state: "equal" | "different" | "digest only" | "deleted" | "none";
  /** The version of the dataset that first contains the read, and the time of the read. Absent if no read is stored. */
  readonly generation?: number;
  readonly at?: Date;
  readonly program?: string;
  readonly responses: number;
  /** The number of rows in the bytes, and of rows of earlier responses that are still valid. */
  readonly rows: number;
  readonly earlierRows: number;
  /** Sentences that name the response or the row that differs. */
  readonly faults: readonly string[];
}

export interface DatasetVerification {
  readonly dataset: string;
  readonly generation: number;
  /** The version of the dataset that a rollback restored. The reads of the sources are those of this version. */
  readonly restoredFrom?: number;
  readonly sources: readonly SourceVerification[];
  /** The differences of published rows. Undefined if they were not compared. */
  readonly published?: PublishedDifferences;
  /** The reason why published rows were not compared. */
  readonly notCompared?: string;
}

/** The differences between published rows and those that are computed from the bytes. */
export interface PublishedDifferences {
  /** The changes that a repeated refresh would publish, without rows that must not be redistributed. */
  readonly changes: readonly LoggedChange[];
  /** The stored rows that differ. */
  readonly rows: readonly DifferentRow[];
}

export interface VerifyParts {
  readonly database: Store;
  readonly upstreams: Upstreams;
  /** The version of the dataset to verify. The default is the current one. */
  readonly generation?: number | undefined;
}

/**
 * Parses the source bytes of a version of the dataset again and compares every row. For the current version, repeats
 * the refresh in a transaction that is rolled back, and compares the published rows. Returns undefined if the dataset
 * was never loaded.
 */
export async function verifyDataset<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: VerifyParts,
): Promise<DatasetVerification | undefined> {
  const { database } = parts;
  const { name } = dataset;
  const stored = await database.selectFrom("dataset").selectAll().where("name", "=", name).executeTakeFirst();
  if (!stored) return undefined;
  const current = Number(stored.generation);
  const generation = parts.generation ?? current;
  if (generation > current)
    throw new ConfigurationError(`${name} has no generation ${generation}: the newest is ${current}`);
  const restoredFrom = await restoredGeneration(database, name, generation);
  const checked: Checked<D>[] = [];
  for (const source of dataset.sources.filter(({ own }) => !own))
    checked.push(await verifySource(dataset, source, restoredFrom ?? generation, parts));
  const version = { generation, restoredFrom, at: stored.stored_at };
  const published =
    generation === current
      ? await comparePublished(dataset, version, checked, parts)
      : { notCompared: `generation ${generation} is not the current one` };
  const sources = checked.map(({ verification }) => verification);
  return { dataset: name, generation, ...(restoredFrom !== undefined && { restoredFrom }), sources, ...published };
}

interface Version {
  readonly generation: number;
  readonly restoredFrom: number | undefined;
  readonly at: Date;
}

interface Checked<D extends DescMessage> {
  readonly source: Source<MessageInitShape<D>>;
  readonly verification: SourceVerification;
  readonly read?: StoredRead;
  /** The parsed response. Undefined if the bytes are not stored or cannot be parsed. */
  readonly response?: SourceResponse<D>;
}

async function verifySource<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  generation: number,
  { database, upstreams }: VerifyParts,
): Promise<Checked<D>> {
  const nothing = { source: source.name, responses: 0, rows: 0, earlierRows: 0, faults: [] };
  const read = await storedRead(database, { dataset: dataset.name, source: source.name, generation });
  if (!read) return { source, verification: { ...nothing, state: "none" } };
  const responses = await storedResponses(database, read);
  const about = { generation: Number(read.generation), at: read.at, program: read.program };
  const base = { ...nothing, ...about, responses: responses.length };
  if (responses.some(({ sha256, body }) => sha256 !== null && !body))
    return { source, read, verification: { ...base, state: mayStoreBytes(source) ? "deleted" : "digest only" } };
  const faults = responses.flatMap((response) => changedBytes(response) ?? []);
  try {
    const upstream = replayUpstream(source, read, responses, upstreams);
    const response = await fetchSource(dataset.row, source, upstream);
    const { differing, earlierRows } = await compareRows(dataset.row, source, response.rows, read, database);
    const all = [...faults, ...differing];
    const state = all.length > 0 ? "different" : "equal";
    const rows = response.rows.length;
    return { source, read, response, verification: { ...base, state, rows, earlierRows, faults: all } };
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    return {
      source,
      read,
      verification: { ...base, state: "different", faults: [...faults, `${source.name}: ${error.message}`] },
    };
  }
}

function changedBytes({ position, url, sha256, body }: StoredResponse): string | undefined {
  const digest = body && createHash("sha256").update(body).digest("hex");
  if (digest === sha256) return undefined;
  return `Response ${position} (${url}) has the SHA-256 ${digest} instead of ${sha256}`;
}

const maxNamed = 20;

async function compareRows<D extends DescMessage>(
  schema: D,
  source: Source<MessageInitShape<D>>,
  rows: readonly MessageShape<D>[],
  read: StoredRead,
  database: Store,
): Promise<{ differing: string[]; earlierRows: number }> {
  const parsed = readHashes(hashesOf(rows.map((row) => JSON.stringify(toJson(schema, row)))));
  const accepted = await acceptedHashes(database, read);
  if (!accepted) return { differing: ["The digests of its rows are no longer stored"], earlierRows: 0 };
  const known = new Set(accepted);
  const miscounted =
    accepted.length === read.rows ? [] : [`The read states ${read.rows} rows, but ${accepted.length} were accepted`];
  const unknown = rows.flatMap((row, index) => (known.has(parsed[index] ?? 0n) ? [] : [nameOf(row, index)]));
  const named = unknown.slice(0, maxNamed).map((row) => `Row ${row} of ${source.name} differs from the accepted row`);
  const differing = [...miscounted, ...named];
  if (unknown.length > maxNamed) differing.push(`${unknown.length - maxNamed} other rows differ`);
  const found = new Set(parsed);
  const others = accepted.filter((hash) => !found.has(hash));
  if (others.length === 0) return { differing, earlierRows: 0 };
  // Some sources return only the last days or lack parts, so rows of the previous read remain valid.
  const before = await storedRead(database, { ...read, generation: Number(read.generation) - 1 });
  const earlier = before && (await acceptedHashes(database, before));
  const earlierSet = earlier && new Set(earlier);
  const lost = others.filter((hash) => earlierSet && !earlierSet.has(hash));
  if (lost.length > unknown.length)
    differing.push(`${lost.length - unknown.length} accepted rows of ${source.name} are in no stored response`);
  return { differing, earlierRows: others.length - lost.length };
}

async function acceptedHashes(database: Store, read: StoredRead): Promise<bigint[] | undefined> {
  const row = await database
    .selectFrom("source_body")
    .select("body")
    .where("sha256", "=", read.content_hash)
    .executeTakeFirst();
  return row?.body ? readHashes(row.body) : undefined;
}

/** Returns the datasets that a dataset is computed from and that changed after it was stored. */
async function changedInputs<D extends DescMessage>(
  database: Store,
  { reads = [] }: Dataset<D>,
  storedAt: Date,
): Promise<string[]> {
  // After a rollback, `stored_at` is that of the restored version, so the time when readers got to see it counts.
  const { rows } = await sql<{ name: string }>`
    select name from dataset where name = any(${reads.map(({ name }) => name)}) and (stored_at > ${storedAt} or exists (
      select from dataset_version as version
      where version.name = dataset.name and version.generation = dataset.generation
        and restored_generation is not null and valid_from > ${storedAt})) order by name`.execute(database);
  return rows.map(({ name }) => name);
}

type Published = Pick<DatasetVerification, "published" | "notCompared">;

async function comparePublished<D extends DescMessage>(
  dataset: Dataset<D>,
  version: Version,
  checked: readonly Checked<D>[],
  parts: VerifyParts,
): Promise<Published> {
  const { database, upstreams } = parts;
  if (!isRecomputed(dataset) && !checked.some(({ response }) => response))
    return {
      notCompared: checked.some(({ verification: { state } }) => state === "different")
        ? "the bytes of its sources give no rows"
        : "no bytes of its sources are stored",
    };
  const changed = await changedInputs(database, dataset, version.at);
  if (changed.length > 0) return { notCompared: `its inputs changed since: ${changed.join(", ")}` };
  const last = await lastResponses(database, { dataset: dataset.name, origin: originOf(dataset, upstreams) })();
  // The last good rows are newer than the version that a rollback restored, so they cannot replace missing bytes.
  const lacking = checked.flatMap(({ source: { name }, response, verification: { earlierRows } }) =>
    response && earlierRows === 0 ? [] : last.has(name) ? [name] : [],
  );
  if (version.restoredFrom !== undefined && lacking.length > 0)
    return {
      notCompared: `not all rows of generation ${version.restoredFrom} are in the bytes of ${lacking.join(", ")}`,
    };
  const responses = await Promise.all(
    dataset.sources.map(async (source) => {
      const known = checked.find((each) => each.source === source);
      return known && replayedResult(dataset, known, version, await lastGood(dataset.row, last.get(source.name)));
    }),
  );
  return publishedDifferences(dataset, version, responses, parts);
}

async function publishedDifferences<D extends DescMessage>(
  dataset: Dataset<D>,
  { restoredFrom, at }: Version,
  responses: readonly (FetchResult<D> | undefined)[],
  { database, upstreams }: VerifyParts,
): Promise<Published> {
  const { name, currentTables = [] } = dataset;
  // A rollback does not restore tables without earlier versions, so they are not compared after one.
  const current = restoredFrom === undefined ? currentTables : [];
  const tables = [...storedRows(dataset), ...current.map((table) => ({ table, isVersioned: false }))];
  const transaction = await database.startTransaction().execute();
  try {
    const { newest } = await logExtent(transaction);
    const compare = await rowsBefore(transaction, tables, dataset.counters);
    await dataset.unsettle?.(transaction);
    const free = { held_generation: null, held_since: null };
    await transaction.updateTable("dataset").set(free).where("name", "=", name).execute();
    if (restoredFrom !== undefined) await transaction.deleteFrom("source").where("dataset", "=", name).execute();
    // The number of rows was checked when the responses were accepted, so no minimum applies.
    const fixed = { ...upstreams, now: () => at, retained: undefined, floorOf: () => 0 };
    const refreshed = await refreshWithin(dataset, { database: transaction, upstreams: fixed, at }, responses);
    // If no source has a response, the refresh stores nothing, so equal rows would prove nothing.
    if (refreshed.generation === undefined)
      return { notCompared: refreshed.sources.map(({ source, detail }) => `${source}: ${detail}`).join("; ") };
    const upTo = (await logExtent(transaction)).newest;
    const changes = await readChanges(transaction, { after: newest, upTo, limit: maxChanges, liveOnly: false });
    return { published: { changes, rows: await compare() } };
  } catch (error) {
    // Without the sources whose bytes are not stored, the rows may be too few to be published.
    if (error instanceof UpstreamError) return { notCompared: error.message };
    throw error;
  } finally {
    await transaction.rollback().execute();
  }
}

const maxChanges = 20_000;

/**
 * Returns what a source sends in the repeated refresh. A source that was not read for the version of the dataset sends
 * nothing and contributes its last good rows. Stored rows replace missing bytes, except after a rollback.
 */
function replayedResult<D extends DescMessage>(
  dataset: Dataset<D>,
  { source, read, response }: Checked<D>,
  { generation, restoredFrom }: Version,
  last: LastGood<D> | undefined,
): FetchResult<D> {
  const place = { dataset: dataset.name, source: source.name, origin: read?.origin ?? "live" } as const;
  const base = { source, place, at: read?.at ?? new Date(0), requested: false, responses: [] };
  const stored = last?.rows && restoredFrom === undefined ? { ...nothingElse, rows: last.rows } : undefined;
  const known = response ?? stored;
  if ((restoredFrom === undefined && Number(read?.generation) !== generation) || !known)
    return { ...base, result: { throttled: `not read for generation ${generation}` } };
  return { ...base, result: { ...known, shape: undefined } };
}

const nothingElse = { rejected: [], covered: [], missing: [], available: undefined };
