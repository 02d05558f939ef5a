import type { DescMessage } from "@bufbuild/protobuf";
import { type Kysely, sql, Transaction } from "kysely";
import { UpstreamError } from "../../egress/upstream-error.ts";
import { Unavailable } from "../../errors.ts";
import { newestVersion, retainVersions } from "../../store/history/versions.ts";
import { holdGeneration, raiseGeneration } from "../../store/served/generations.ts";
import type { StoreTables } from "../../store/tables.ts";
import { followChanges } from "../changes/refresh-changes.ts";
import { type Dataset, isRecomputed } from "../dataset.ts";
import type { Drift } from "../drift/drift.ts";
import type { StoredDataset } from "../held-generation.ts";
import { heldGeneration, heldOf, storedDataset } from "../held-generation.ts";
import { retainSeries } from "../series/retain-series.ts";
import type { Rejection, SourceState } from "../source.ts";
import { storedRows } from "../stored-rows.ts";
import { originOf } from "../upstreams.ts";
import { isLater, unreportedDays } from "./earlier-days.ts";
import type { FailureKind } from "./failure.ts";
import { evaluate, type FetchResult, lastResponses, type SourceResult, sendRequest } from "./fetch-result.ts";
import { type Outcome, recordFailure, recordOutcomes, recordSuccess, type SourceKey } from "./last-good-rows.ts";
import type { RefreshParts } from "./refresh-parts.ts";

export interface SourceOutcome {
  readonly source: string;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
  readonly drift: readonly Drift[];
  readonly failure?: FailureKind;
}

/** The outcome of a refresh. If there is no generation, the visible data did not change. */
export interface RefreshOutcome {
  readonly sources: readonly SourceOutcome[];
  readonly generation?: number;
  readonly rows?: number;
  /** The earlier generation to which an operator rolled back. While it is held, nothing is stored. */
  readonly held?: number;
}

/** Samples with a history first load the days since the last refresh, all in one transaction. */
export async function refresh<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
): Promise<RefreshOutcome> {
  // Samples are read while the database query runs.
  const requested = parts.upstreams.origin === "sample" ? fetchAll(dataset, parts) : undefined;
  // If one fails, its error is reported when it is awaited. Until then it must not count as unhandled.
  for (const each of requested ?? []) each.catch(() => undefined);
  const held = await heldGeneration(parts.database, { name: dataset.name, origin: originOf(dataset, parts.upstreams) });
  if (held !== undefined) return { sources: [], held };
  const earlier: (readonly [RefreshParts, readonly FetchResult<D>[]])[] = [];
  for (const upstreams of await unreportedDays(dataset, parts)) {
    const dayParts = { ...parts, upstreams };
    earlier.push([dayParts, await Promise.all(fetchAll(dataset, dayParts))]);
  }
  try {
    if (earlier.length > 0)
      await parts.database.transaction().execute(async (database) => {
        // Another process may have stored them in the meantime.
        await holdGeneration(database, dataset.name);
        const newest = await newestVersion(database, dataset.name);
        const began = await visibleGeneration(database, dataset.name);
        let visible: Visible = { generation: began, stored: await storedDataset(database, dataset.name) };
        for (const [dayParts, responses] of earlier)
          if (isLater(dayParts.upstreams, newest))
            visible = visibleAfter(
              await refreshOnce(dataset, { ...dayParts, database }, { responses, visible }),
              visible,
            );
        await raiseGeneration(database, dataset.name, visible.generation - began);
      });
    return await refreshOnce(dataset, parts, requested && { responses: requested });
  } catch (error) {
    if (error instanceof Held) return { sources: [], held: error.generation };
    if (!(error instanceof Unstored)) throw error;
    if (!(error.cause instanceof Unavailable)) await recordUnstored(dataset, error.results, error.cause, parts);
    throw error.cause;
  }
}

function fetchAll<D extends DescMessage>(dataset: Dataset<D>, parts: RefreshParts): Promise<FetchResult<D>>[] {
  return dataset.sources.map((source) => sendRequest(dataset, source, parts));
}

interface KnownResponses<D extends DescMessage> {
  readonly responses?: readonly (FetchResult<D> | Promise<FetchResult<D>>)[];
  /** Given if no other process can change it, because the caller has raised the generation. */
  readonly visible?: Visible;
}

interface Visible {
  readonly generation: number;
  readonly stored: StoredDataset | undefined;
}

function visibleAfter({ generation }: RefreshOutcome, before: Visible): Visible {
  return generation === undefined ? before : { generation, stored: { origin: "sample", held_generation: null } };
}

/** The rows become one new generation. If that fails it throws, and the earlier visible data remains. */
async function refreshOnce<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
  known: KnownResponses<D> = {},
): Promise<RefreshOutcome> {
  const { database, upstreams, progress } = parts;
  let before = known.visible?.generation ?? (await visibleGeneration(database, dataset.name));
  let last = lastResponses(dataset, parts);
  let results = await Promise.all(
    dataset.sources.map(async (source, place) => {
      const key = { dataset: dataset.name, source: source.name };
      progress?.({ ...key, step: "asking", detail: upstreams.upstreamOf(source).origin });
      const result = await evaluate(
        dataset,
        await (known.responses?.[place] ?? sendRequest(dataset, source, parts)),
        parts,
        last,
      );
      progress?.({ ...key, step: result.state, detail: result.detail });
      return result;
    }),
  );
  for (;;) {
    parts.signal?.throwIfAborted();
    const sources = results.map(outcomeOf);
    if (!isRecomputed(dataset) && !results.some(isGood)) {
      await recordOutcomes(
        database,
        results.flatMap(({ note }) => note ?? []),
      );
      return { sources };
    }
    try {
      return { sources, ...(await store(dataset, results, { before, visible: known.visible }, parts)) };
    } catch (error) {
      if (error instanceof Held) throw error;
      if (!(error instanceof Overtaken)) throw new Unstored(results, { cause: error });
      before = await visibleGeneration(database, dataset.name);
      last = lastResponses(dataset, parts);
      results = await Promise.all(results.map(({ response }) => evaluate(dataset, response, parts, last)));
    }
  }
}

/** The rows that the responses were compared with were replaced by another refresh. */
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

async function visibleGeneration(database: Kysely<StoreTables>, name: string): Promise<number> {
  const row = await database.selectFrom("generation").select("value").where("name", "=", name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

async function store<D extends DescMessage>(
  dataset: Dataset<D>,
  results: readonly SourceResult<D>[],
  { before, visible }: { readonly before: number; readonly visible: Visible | undefined },
  { database, upstreams }: RefreshParts,
): Promise<{ generation: number; rows: number }> {
  const first = results.find(isGood) ?? results[0];
  const now = first?.response.at ?? upstreams.now();
  const origin = originOf(dataset, upstreams);
  const notes =
    results.length > 0 ? results.flatMap(({ note }) => note ?? []) : [await recordMade(dataset, { origin, now })];
  const bySource = new Map(
    results.flatMap(({ response, good }) => (good ? [[response.source.name, good] as const] : [])),
  );
  const responses = new Map(
    results.flatMap(({ response, good, stored }) => (good && stored ? [[response.source.name, stored] as const] : [])),
  );
  return withinTransaction(database, async (transaction) => {
    const generation = visible ? before + 1 : await raiseGeneration(transaction, dataset.name);
    const stored = visible ? visible.stored : await storedDataset(transaction, dataset.name);
    const held = heldOf(stored, origin);
    if (held !== undefined) throw new Held(held);
    if (generation !== before + 1) throw new Overtaken();
    await recordOutcomes(transaction, notes);
    const brought = { bySource, responses, generation, origin, now };
    const changes = await followChanges(transaction, dataset, { ...brought, storedOrigin: stored?.origin });
    const { noteRows } = changes;
    const rows = await dataset.write(transaction, noteRows ? { ...brought, noteRows } : brought);
    const row = { generation, origin, stored_at: now, rows };
    await transaction
      .insertInto("dataset")
      .values({ name: dataset.name, ...row })
      .onConflict((conflict) => conflict.column("name").doUpdateSet({ ...row, stale_since: ofSameOrigin, ...notHeld }))
      .execute();
    if (dataset.series)
      await retainSeries(transaction, dataset.series, { origin, sources: [...bySource.keys()], now: upstreams.now() });
    await retainVersions(transaction, { name: dataset.name, origin, at: upstreams.now(), rows: storedRows(dataset) });
    await changes.log();
    return { generation, rows };
  });
}

/** A rollback of samples does not apply to live data. */
const notHeld = { held_generation: null, held_since: null };

/** Staleness of samples does not apply to live data. */
const ofSameOrigin = sql<Date | null>`case when dataset.origin = excluded.origin then dataset.stale_since end`;

function withinTransaction<T>(
  database: Kysely<StoreTables>,
  run: (transaction: Transaction<StoreTables>) => Promise<T>,
): Promise<T> {
  return database instanceof Transaction ? run(database) : database.transaction().execute(run);
}

function recordMade<D extends DescMessage>(
  { name, row }: Dataset<D>,
  { origin, now }: { readonly origin: "live" | "sample"; readonly now: Date },
): Promise<Outcome> {
  const response = {
    at: now,
    requested: false,
    rowsIn: 0,
    rejected: 0,
    good: [],
    retainRows: false,
    observed: undefined,
  };
  return recordSuccess(row, { dataset: name, source: name, origin }, response);
}

/** Good responses that could not be stored count as failures. */
async function recordUnstored<D extends DescMessage>(
  { name }: Dataset<D>,
  results: readonly SourceResult<D>[],
  cause: unknown,
  { database, upstreams: { mask, origin, now } }: RefreshParts,
): Promise<void> {
  const reason = mask(cause instanceof Error ? cause.message : String(cause));
  // A dataset itself rejects rows that cover too little.
  const kind = cause instanceof UpstreamError ? ("incomplete" as const) : ("unstored" as const);
  const failure = { kind, words: `good rows, but they cannot be stored: ${reason}` };
  const failed = (place: SourceKey, at: Date, requested: boolean) =>
    recordFailure(place, { state: "failed", failure, at, requested });
  const outcomes = results.flatMap((result) => {
    const { place, at, requested } = result.response;
    return isGood(result) ? failed(place, at, requested) : (result.note ?? []);
  });
  const own = { dataset: name, source: name, origin };
  await recordOutcomes(database, results.length === 0 ? [failed(own, now(), false)] : outcomes);
}

function isGood({ state }: Pick<SourceOutcome, "state">): boolean {
  return state === "ok" || state === "partial";
}

function outcomeOf<D extends DescMessage>(result: SourceResult<D>): SourceOutcome {
  const { response, state, detail, rejected, drift } = result;
  const failure = "failure" in response.result && { failure: response.result.failure.kind };
  return { source: response.source.name, state, detail, rejected, drift, ...failure };
}
