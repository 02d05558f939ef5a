import type { DescMessage } from "@bufbuild/protobuf";
import { Transaction as KyselyTransaction, type Selectable, sql } from "kysely";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { Unavailable } from "../../errors.ts";
import { newestVersion, retainVersions } from "../../store/history/versions.ts";
import { holdGeneration, raiseGeneration, readGeneration } from "../../store/served/generations.ts";
import type { Store, StoreTables, Transaction } from "../../store/tables.ts";
import { type Dataset, isRecomputed, storedRows } from "../dataset.ts";
import type { Drift } from "../drift/drift.ts";
import { forgetSampleReads, limitBodies, readOf, retainReads } from "../responses/source-reads.ts";
import type { Rejection, SourceState } from "../source.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import { evaluate, type SourceResult } from "./evaluate.ts";
import { type FetchResult, type RefreshParts, sendRequest } from "./fetch.ts";
import { followChanges, retainSeries } from "./log.ts";
import { type FailureKind, lastResponses, recordFailure, recordOutcomes, recordSuccess } from "./report.ts";

export interface SourceOutcome {
  readonly source: string;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
  readonly drift: readonly Drift[];
  readonly failure?: FailureKind;
}

/** The outcome of a refresh. `generation` is the new version of the dataset, and absent if nothing was stored. */
export interface RefreshOutcome {
  readonly sources: readonly SourceOutcome[];
  readonly generation?: number;
  readonly rows?: number;
  /** The version of the dataset that an operator restored. Until the operator releases it, refreshes store nothing. */
  readonly held?: number;
}

/** Refreshes a dataset. If its samples cover several days, those that are not stored yet are loaded first. */
export async function refresh<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
): Promise<RefreshOutcome> {
  const { database, upstreams } = parts;
  // Samples are read from files while the query of the database below runs.
  const responses = upstreams.origin === "sample" ? fetchAll(dataset, parts) : undefined;
  // This handler prevents an unhandled rejection before the error of a failed source is awaited and reported.
  for (const each of responses ?? []) each.catch(() => undefined);
  const held = heldGeneration(await storedDataset(database, dataset.name), originOf(dataset, upstreams));
  if (held !== undefined) return { sources: [], held };
  try {
    await storeEarlierDays(dataset, parts);
    const outcome = await refreshOnce(dataset, parts, { responses });
    if (upstreams.retained) await limitBodies(database, upstreams.retained.maxBytes);
    return outcome;
  } catch (error) {
    if (error instanceof Held) return { sources: [], held: error.generation };
    if (!(error instanceof Unstored)) throw error;
    if (!(error.cause instanceof Unavailable)) await recordUnstored(dataset, error.results, error.cause, parts);
    throw error.cause;
  }
}

/**
 * Refreshes a dataset from known responses in a transaction, which the caller ends. A source without a known response,
 * such as a list of this project, is read. Throws the error because of which the rows cannot be stored.
 */
export async function refreshWithin<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts & { readonly database: Transaction },
  responses: readonly (FetchResult<D> | undefined)[],
): Promise<RefreshOutcome> {
  const fetched = dataset.sources.map(
    async (source, index) => responses[index] ?? (await sendRequest(dataset, source, parts)),
  );
  try {
    return await refreshOnce(dataset, parts, { responses: fetched });
  } catch (error) {
    throw error instanceof Unstored ? error.cause : error;
  }
}

function fetchAll<D extends DescMessage>(dataset: Dataset<D>, parts: RefreshParts): Promise<FetchResult<D>>[] {
  return dataset.sources.map((source) => sendRequest(dataset, source, parts));
}

async function storeEarlierDays<D extends DescMessage>(dataset: Dataset<D>, parts: RefreshParts): Promise<void> {
  const { name, sources } = dataset;
  const days = parts.upstreams.earlierDays(sources);
  if (days.length === 0) return;
  const newest = await newestVersion(parts.database, name);
  const earlier: (readonly [RefreshParts, Promise<FetchResult<D>>[]])[] = [];
  for (const upstreams of days.map(parts.upstreams.before).filter((day) => isLater(day, newest))) {
    const dayParts = { ...parts, upstreams };
    const responses = fetchAll(dataset, dayParts);
    await Promise.all(responses);
    earlier.push([dayParts, responses]);
  }
  if (earlier.length === 0) return;
  await parts.database.transaction().execute(async (database) => {
    // Another process may have stored the same days in the meantime, so the dataset is locked and its version read.
    await holdGeneration(database, name);
    const newest = await newestVersion(database, name);
    const began = await readGeneration(database, name);
    let visible: Visible = { generation: began, stored: await storedDataset(database, name) };
    for (const [dayParts, responses] of earlier) {
      if (!isLater(dayParts.upstreams, newest)) continue;
      const { generation } = await refreshOnce(dataset, { ...dayParts, database }, { responses, visible });
      if (generation !== undefined) visible = { generation, stored: { origin: "sample", held_generation: null } };
    }
    await raiseGeneration(database, name, visible.generation - began);
  });
}

function isLater({ now }: Upstreams, newest: Date | undefined): boolean {
  return newest === undefined || now() > newest;
}

interface Known<D extends DescMessage> {
  readonly responses?: readonly Promise<FetchResult<D>>[] | undefined;
  /** The version and origin of the data that readers see, if the caller has locked the dataset for other processes. */
  readonly visible?: Visible;
}

interface Visible {
  readonly generation: number;
  readonly stored: StoredDataset | undefined;
}

/** Stores the rows as a new version of the dataset. If that fails, it throws, and readers see the old data. */
async function refreshOnce<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
  { responses, visible }: Known<D>,
): Promise<RefreshOutcome> {
  const { database, upstreams, signal } = parts;
  const { name } = dataset;
  const origin = originOf(dataset, upstreams);
  let { progress } = parts;
  let fetched = responses;
  for (;;) {
    const before = visible?.generation ?? (await readGeneration(database, name));
    const last = lastResponses(database, { dataset: name, origin });
    for (const source of dataset.sources)
      progress?.({ dataset: name, source: source.name, step: "asking", detail: upstreams.upstreamOf(source).origin });
    fetched ??= fetchAll(dataset, parts);
    const results = await Promise.all(
      fetched.map(async (response) => {
        const result = await evaluate(dataset, await response, parts, last);
        const { state, detail } = result;
        progress?.({ dataset: name, source: result.response.source.name, step: state, detail });
        return result;
      }),
    );
    signal?.throwIfAborted();
    const sources = results.map(outcomeOf);
    if (!isRecomputed(dataset) && !results.some(isGood)) {
      await recordOutcomes(
        database,
        results.flatMap(({ note }) => note ?? []),
      );
      return { sources };
    }
    try {
      return { sources, ...(await store(dataset, results, { before, visible }, parts)) };
    } catch (error) {
      if (error instanceof Held) throw error;
      if (!(error instanceof Overtaken)) throw new Unstored(results, { cause: error });
      progress = undefined;
    }
  }
}

/** Thrown if another refresh has replaced the rows with which this refresh compared the responses. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

/** Thrown if an operator has rolled the dataset back since the refresh began. */
class Held extends Error {
  override readonly name = "Held";
  readonly generation: number;

  constructor(generation: number) {
    super(`rolled back to generation ${generation}`);
    this.generation = generation;
  }
}

class Unstored<D extends DescMessage> extends Error {
  override readonly name = "Unstored";
  readonly results: readonly SourceResult<D>[];

  constructor(results: readonly SourceResult<D>[], options: { readonly cause: unknown }) {
    super("good rows, but they cannot be stored", options);
    this.results = results;
  }
}

async function store<D extends DescMessage>(
  dataset: Dataset<D>,
  results: readonly SourceResult<D>[],
  { before, visible }: { readonly before: number; readonly visible: Visible | undefined },
  { database, upstreams, at }: RefreshParts,
): Promise<{ generation: number; rows: number }> {
  const { name } = dataset;
  const now = at ?? (results.find(isGood) ?? results[0])?.response.at ?? upstreams.now();
  const origin = originOf(dataset, upstreams);
  const notes = results.flatMap(({ note }) => note ?? []);
  // A dataset without sources stores the result of its computation as a source with the name of the dataset.
  if (results.length === 0)
    notes.push(await recordSuccess(dataset.row, { dataset: name, source: name, origin }, { ...noRows, at: now }));
  const good = results.flatMap((result) => (result.good ? [{ ...result, good: result.good }] : []));
  const bySource = new Map(good.map((result) => [result.response.source.name, result.good]));
  const responses = new Map(
    good.flatMap(({ response, stored }) => (stored ? [[response.source.name, stored] as const] : [])),
  );
  return withinTransaction(database, async (transaction) => {
    const generation = visible ? before + 1 : await raiseGeneration(transaction, name);
    const stored = visible ? visible.stored : await storedDataset(transaction, name);
    const held = heldGeneration(stored, origin);
    if (held !== undefined) throw new Held(held);
    if (generation !== before + 1) throw new Overtaken();
    await recordOutcomes(transaction, notes);
    const brought = { bySource, responses, generation, origin, now };
    const { noteRows, log } = await followChanges(transaction, dataset, brought, stored?.origin);
    const rows = await dataset.write(transaction, noteRows ? { ...brought, noteRows } : brought);
    const row = { generation, origin, stored_at: now, rows };
    await transaction
      .insertInto("dataset")
      .values({ name, ...row })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ ...row, stale_since: ofSameOrigin, ...notHeld }))
      .execute();
    if (dataset.series) await retainSeries(transaction, dataset.series, brought, upstreams.now());
    await retainVersions(transaction, { name, origin, at: upstreams.now(), rows: storedRows(dataset) });
    if (origin === "live" && stored?.origin === "sample") await forgetSampleReads(transaction, name);
    await retainReads(
      transaction,
      results.flatMap((result) => readOf(result, generation)),
      upstreams.now(),
    );
    await log();
    return { generation, rows };
  });
}

const noRows = { requested: false, rowsIn: 0, rejected: 0, good: [], retainRows: false, observed: undefined };

/** A refresh ends a rollback only if live data replaces samples that were rolled back. */
const notHeld = { held_generation: null, held_since: null };

/** If live data replaces samples, or samples live data, the time since which the dataset is stale is reset. */
const ofSameOrigin = sql<Date | null>`case when dataset.origin = excluded.origin then dataset.stale_since end`;

function withinTransaction<T>(database: Store, run: (transaction: Transaction) => Promise<T>): Promise<T> {
  return database instanceof KyselyTransaction ? run(database) : database.transaction().execute(run);
}

/** The origin of the data that readers see, and the version that an operator restored. Undefined before a load. */
type StoredDataset = Pick<Selectable<StoreTables["dataset"]>, "origin" | "held_generation">;

function storedDataset(database: Store, name: string): Promise<StoredDataset | undefined> {
  const row = database.selectFrom("dataset").select(["origin", "held_generation"]);
  return row.where("name", "=", name).executeTakeFirst();
}

/** Returns the restored version, which refreshes must not replace. Undefined if refreshes may store data. */
function heldGeneration(stored: StoredDataset | undefined, origin: "live" | "sample"): number | undefined {
  return stored?.origin === origin && stored.held_generation !== null ? Number(stored.held_generation) : undefined;
}

/** Records a failure for each good response whose rows could not be stored. */
async function recordUnstored<D extends DescMessage>(
  { name }: Dataset<D>,
  results: readonly SourceResult<D>[],
  cause: unknown,
  { database, upstreams: { mask, origin, now } }: RefreshParts,
): Promise<void> {
  const reason = mask(cause instanceof Error ? cause.message : String(cause));
  const failure = {
    // The dataset throws an `UpstreamError` if its rows cover too little to be published.
    kind: cause instanceof UpstreamError ? ("incomplete" as const) : ("unstored" as const),
    words: `good rows, but they cannot be stored: ${reason}`,
  };
  const own = { place: { dataset: name, source: name, origin }, at: now(), requested: false };
  const failed = ({ place, at, requested }: typeof own) =>
    recordFailure(place, { state: "failed", failure, at, requested });
  const outcomes = results.flatMap((result) => (isGood(result) ? failed(result.response) : (result.note ?? [])));
  await recordOutcomes(database, results.length === 0 ? [failed(own)] : outcomes);
}

function isGood({ state }: Pick<SourceOutcome, "state">): boolean {
  return state === "ok" || state === "partial";
}

function outcomeOf<D extends DescMessage>(result: SourceResult<D>): SourceOutcome {
  const { response, state, detail, rejected, drift } = result;
  const failure = "failure" in response.result && { failure: response.result.failure.kind };
  return { source: response.source.name, state, detail, rejected, drift, ...failure };
}
