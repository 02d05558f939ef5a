import { createHash } from "node:crypto";
import { type DescMessage, type MessageInitShape, type MessageShape, toJson } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { ConfigurationError } from "../../errors.ts";
import { type LoggedChange, logExtent, readChanges } from "../../store/changes/change-log.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type Dataset, isRecomputed, isStored, storedRows } from "../dataset.ts";
import { type FetchResult, fetchSource, nameOf, type SourceResponse } from "../refresh/fetch.ts";
import { refreshWithin } from "../refresh/refresh.ts";
import { type LastGood, lastGood, lastResponses } from "../refresh/report.ts";
import type { Source } from "../source.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import { mayStoreBytes } from "./recorder.ts";
import { replayUpstream, type StoredRead, type StoredResponse, storedRead, storedResponses } from "./replay.ts";
import { type DifferentRow, rowsBefore } from "./row-differences.ts";
import { hashesOf, readHashes } from "./row-hashes.ts";

export interface SourceVerification {
  readonly source: string;
  /** `digest only`: the source forbids storage. `deleted`: bytes are beyond their limit. `none`: no read is stored. */
  readonly state: "equal" | "different" | "digest only" | "deleted" | "none";
  /** The generation to which the read first contributed, and its time. Absent if no read is stored. */
  readonly generation?: number;
  readonly at?: Date;
  readonly program?: string;
  readonly responses: number;
  /** Rows that the bytes contain, and accepted rows of earlier responses that are still valid. */
  readonly rows: number;
  readonly earlierRows: number;
  /** Sentences that name the response or the row that differs. */
  readonly faults: readonly string[];
}

export interface DatasetVerification {
  readonly dataset: string;
  readonly generation: number;
  readonly sources: readonly SourceVerification[];
  /** Undefined if published rows were not computed: the generation is not the current one, or its inputs changed. */
  readonly published: PublishedDifferences | undefined;
}

/** The differences between published rows and those that are computed from the bytes. */
export interface PublishedDifferences {
  /** The changes that the refresh would publish. They do not include rows that must not be redistributed. */
  readonly changes: readonly LoggedChange[];
  /** The stored rows that differ. */
  readonly rows: readonly DifferentRow[];
}

export interface VerifyParts {
  readonly database: Kysely<StoreTables>;
  readonly upstreams: Upstreams;
  /** The default is the current generation. */
  readonly generation?: number | undefined;
}

/**
 * Parses the stored bytes of a generation again and compares every row. For the current generation, repeats the refresh
 * in a transaction that is rolled back, and compares the published rows. Returns undefined if the dataset was never
 * loaded.
 */
export async function verifyDataset<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: VerifyParts,
): Promise<DatasetVerification | undefined> {
  const { database } = parts;
  const { name } = dataset;
  const stored = await database.selectFrom("dataset").selectAll().where("name", "=", name).executeTakeFirst();
  if (!stored) return undefined;
  const current = Number(stored.held_generation ?? stored.generation);
  const generation = parts.generation ?? current;
  if (generation > Number(stored.generation))
    throw new ConfigurationError(`${name} has no generation ${generation}: the newest is ${stored.generation}`);
  const checked: Checked<D>[] = [];
  for (const source of dataset.sources.filter(({ own }) => !own))
    checked.push(await verifySource(dataset, source, generation, parts));
  const isCurrent = generation === Number(stored.generation) && stored.held_generation === null;
  const isComparable =
    isCurrent && isStored(dataset) && (isRecomputed(dataset) || checked.some(({ response }) => response));
  const published =
    isComparable && (await haveSameInputs(database, dataset, stored.stored_at))
      ? await publishedDifferences(dataset, { generation, at: stored.stored_at }, checked, parts)
      : undefined;
  return { dataset: name, generation, sources: checked.map(({ verification }) => verification), published };
}

interface Checked<D extends DescMessage> {
  readonly source: Source<MessageInitShape<D>>;
  readonly verification: SourceVerification;
  readonly read?: StoredRead;
  /** Undefined if the bytes are not stored or cannot be parsed. */
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
  database: Kysely<StoreTables>,
): Promise<{ differing: string[]; earlierRows: number }> {
  const parsed = readHashes(hashesOf(rows.map((row) => JSON.stringify(toJson(schema, row)))));
  const accepted = await acceptedHashes(database, read);
  if (!accepted) return { differing: ["The digests of its rows are no longer stored"], earlierRows: 0 };
  const known = new Set(accepted);
  const unknown = rows.flatMap((row, index) => (known.has(parsed[index] ?? 0n) ? [] : [nameOf(row, index)]));
  const differing = unknown
    .slice(0, maxNamed)
    .map((row) => `Row ${row} of ${source.name} differs from the accepted row`);
  if (unknown.length > maxNamed) differing.push(`${unknown.length - maxNamed} other rows differ`);
  const found = new Set(parsed);
  const others = accepted.filter((hash) => !found.has(hash));
  if (others.length === 0) return { differing, earlierRows: 0 };
  // Some sources return only the last days or lack parts, so rows of the read before remain valid.
  const before = await storedRead(database, { ...read, generation: Number(read.generation) - 1 });
  const earlier = before && (await acceptedHashes(database, before));
  const earlierSet = earlier && new Set(earlier);
  const lost = others.filter((hash) => earlierSet && !earlierSet.has(hash));
  if (lost.length > unknown.length)
    differing.push(`${lost.length - unknown.length} accepted rows of ${source.name} are in no stored response`);
  return { differing, earlierRows: others.length - lost.length };
}

async function acceptedHashes(database: Kysely<StoreTables>, read: StoredRead): Promise<bigint[] | undefined> {
  const row = await database
    .selectFrom("source_body")
    .select("body")
    .where("sha256", "=", read.content_hash)
    .executeTakeFirst();
  return row?.body ? readHashes(row.body) : undefined;
}

/** Returns whether the datasets that a dataset is computed from have not changed since it was stored. */
async function haveSameInputs<D extends DescMessage>(
  database: Kysely<StoreTables>,
  { reads = [] }: Dataset<D>,
  storedAt: Date,
): Promise<boolean> {
  const names = reads.map(({ name }) => name);
  if (names.length === 0) return true;
  const later = database.selectFrom("dataset").select("name").where("stored_at", ">", storedAt);
  return (await later.where("name", "in", names).execute()).length === 0;
}

async function publishedDifferences<D extends DescMessage>(
  dataset: Dataset<D>,
  { generation, at }: { readonly generation: number; readonly at: Date },
  checked: readonly Checked<D>[],
  { database, upstreams }: VerifyParts,
): Promise<PublishedDifferences | undefined> {
  const last = lastResponses(database, { dataset: dataset.name, origin: originOf(dataset, upstreams) });
  const responses = await Promise.all(
    dataset.sources.map(async (source) => {
      const known = checked.find((each) => each.source === source);
      return (
        known &&
        replayedResult(dataset, known, generation, await lastGood(dataset.row, (await last()).get(source.name)))
      );
    }),
  );
  const transaction = await database.startTransaction().execute();
  try {
    const { newest } = await logExtent(transaction);
    const compare = await rowsBefore(transaction, storedRows(dataset), dataset.counters);
    const fixed = { ...upstreams, now: () => at, retained: undefined };
    await refreshWithin(dataset, { database: transaction, upstreams: fixed, at }, responses);
    const upTo = (await logExtent(transaction)).newest;
    const changes = await readChanges(transaction, { after: newest, upTo, limit: maxChanges, liveOnly: false });
    return { changes, rows: await compare() };
  } catch (error) {
    // Without the sources whose bytes are not stored, the rows may be too few to be published.
    if (error instanceof UpstreamError) return undefined;
    throw error;
  } finally {
    await transaction.rollback().execute();
  }
}

const maxChanges = 20_000;

/**
 * Only sources that were read for the generation respond again; the others contribute their last good rows. If their
 * bytes are not stored, the stored rows respond.
 */
function replayedResult<D extends DescMessage>(
  { name: dataset }: Dataset<D>,
  { source, read, response }: Checked<D>,
  generation: number,
  last: LastGood<D> | undefined,
): FetchResult<D> {
  const place = { dataset, source: source.name, origin: read?.origin ?? "live" } as const;
  const base = { source, place, at: read?.at ?? new Date(0), requested: false, responses: [] };
  const known = response ?? (last?.rows && { ...nothingElse, rows: last.rows });
  if (Number(read?.generation) !== generation || !known)
    return { ...base, result: { throttled: `not read for generation ${generation}` } };
  return { ...base, result: { ...known, shape: undefined } };
}

const nothingElse = { rejected: [], covered: [], missing: [], available: undefined };
