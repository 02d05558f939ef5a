import type { DescMessage } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { Unavailable, UpstreamError } from "../errors.ts";
import { raiseGeneration } from "../store/served/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import { ask, judge, type Verdict } from "./answer.ts";
import { type Dataset, isMadeAnew, isOwn } from "./dataset.ts";
import { failureNote, type Note, successNote } from "./last-good-rows.ts";
import type { RefreshParts } from "./refresh-parts.ts";
import type { Rejection, SourceState } from "./source.ts";
import type { Upstreams } from "./upstreams.ts";

/** How one source came out of a refresh. */
export interface SourceOutcome {
  readonly source: string;
  readonly state: SourceState;
  readonly detail: string;
  readonly rejected: readonly Rejection[];
}

/** The outcome of a refresh; without a generation nothing new became visible. */
export interface RefreshOutcome {
  readonly sources: readonly SourceOutcome[];
  readonly generation?: number;
  readonly rows?: number;
}

/** A refresh; one from samples first tells of the days since the last one, where the samples hold a history. */
export async function refresh<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
): Promise<RefreshOutcome> {
  for (const upstreams of await untold(dataset, parts)) await refreshOnce(dataset, { ...parts, upstreams });
  return refreshOnce(dataset, parts);
}

/** The upstreams of earlier days that are later than what is stored. */
async function untold<D extends DescMessage>(
  { name, sources }: Dataset<D>,
  { database, upstreams }: RefreshParts,
): Promise<Upstreams[]> {
  const days = upstreams.earlierDays(sources);
  if (days.length === 0) return [];
  const stored = await database
    .selectFrom("dataset")
    .select("stored_at")
    .where("name", "=", name)
    .where("origin", "=", "sample")
    .executeTakeFirst();
  const since = stored?.stored_at.getTime() ?? Number.NEGATIVE_INFINITY;
  return days.map(upstreams.before).filter((earlier) => earlier.now().getTime() > since);
}

/**
 * The sources are asked side by side, and what is good becomes one new generation in one transaction. When
 * that fails it throws, and what was visible and good before stays so.
 */
async function refreshOnce<D extends DescMessage>(dataset: Dataset<D>, parts: RefreshParts): Promise<RefreshOutcome> {
  const { database, upstreams, progress } = parts;
  let before = await visibleGeneration(database, dataset.name);
  let verdicts = await Promise.all(
    dataset.sources.map(async (source) => {
      const told = { dataset: dataset.name, source: source.name };
      progress?.({ ...told, step: "asking", detail: upstreams.upstreamOf(source).origin });
      const verdict = await judge(dataset, await ask(dataset, source, parts), parts);
      progress?.({ ...told, step: verdict.state, detail: verdict.detail });
      return verdict;
    }),
  );
  for (;;) {
    parts.signal?.throwIfAborted();
    const sources = verdicts.map(outcomeOf);
    if (!isMadeAnew(dataset) && verdicts.every(({ state }) => state !== "ok")) {
      for (const { note } of verdicts) await note(database);
      return { sources };
    }
    try {
      return { sources, ...(await store(dataset, verdicts, before, parts)) };
    } catch (error) {
      if (!(error instanceof Overtaken)) {
        if (!(error instanceof Unavailable)) await recordUnstored(dataset, verdicts, error, parts);
        throw error;
      }
      before = await visibleGeneration(database, dataset.name);
      verdicts = await Promise.all(verdicts.map(({ answer }) => judge(dataset, answer, parts)));
    }
  }
}

/** Another refresh became visible since the last good rows were read: the answers are to be held against its rows. */
class Overtaken extends Error {
  override readonly name = "Overtaken";
}

async function visibleGeneration(database: Kysely<StoreTables>, name: string): Promise<number> {
  const row = await database.selectFrom("generation").select("value").where("name", "=", name).executeTakeFirst();
  return Number(row?.value ?? 0);
}

async function store<D extends DescMessage>(
  dataset: Dataset<D>,
  verdicts: readonly Verdict<D>[],
  before: number,
  { database, upstreams }: RefreshParts,
): Promise<{ generation: number; rows: number }> {
  const first = verdicts.find(({ state }) => state === "ok") ?? verdicts[0];
  const now = first?.answer.at ?? upstreams.now();
  const origin = isOwn(dataset) ? "live" : upstreams.origin;
  const notes = verdicts.length > 0 ? verdicts.map(({ note }) => note) : [await madeNote(dataset, { origin, now })];
  const bySource = new Map(verdicts.flatMap(({ answer, good }) => (good ? [[answer.source.name, good] as const] : [])));
  const answers = new Map(
    verdicts.flatMap(({ answer, good, kept }) => (good && kept ? [[answer.source.name, kept] as const] : [])),
  );
  return database.transaction().execute(async (transaction) => {
    const generation = await raiseGeneration(transaction, dataset.name);
    if (generation !== before + 1) throw new Overtaken();
    for (const note of notes) await note(transaction);
    const rows = await dataset.write(transaction, { bySource, answers, generation, origin, now });
    const row = { generation, origin, stored_at: now, rows };
    await transaction
      .insertInto("dataset")
      .values({ name: dataset.name, ...row })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
      .execute();
    return { generation, rows };
  });
}

/** Of a dataset without sources the making itself is noted, under its own name. */
function madeNote<D extends DescMessage>(
  { name, row }: Dataset<D>,
  { origin, now }: { readonly origin: "live" | "sample"; readonly now: Date },
): Promise<Note> {
  const answer = { at: now, asked: false, rowsIn: 0, rejected: 0, good: [], keepRows: false, observed: undefined };
  return successNote(row, { dataset: name, source: name, origin }, answer);
}

/** Good answers that could not be stored have failed too. */
async function recordUnstored<D extends DescMessage>(
  { name }: Dataset<D>,
  verdicts: readonly Verdict<D>[],
  cause: unknown,
  { database, upstreams: { mask, origin, now } }: RefreshParts,
): Promise<void> {
  const reason = mask(cause instanceof Error ? cause.message : String(cause));
  // A dataset refuses by itself what covers too little.
  const kind = cause instanceof UpstreamError ? ("incomplete" as const) : ("unstored" as const);
  const failure = { kind, words: `good rows, but they cannot be stored: ${reason}` };
  if (verdicts.length === 0) {
    const place = { dataset: name, source: name, origin };
    await failureNote(place, { state: "failed", failure, at: now(), asked: false })(database);
  }
  for (const { answer, state, note } of verdicts) {
    const write =
      state === "ok"
        ? failureNote(answer.place, { state: "failed", failure, at: answer.at, asked: answer.asked })
        : note;
    await write(database);
  }
}

function outcomeOf<D extends DescMessage>({ answer, state, detail, rejected }: Verdict<D>): SourceOutcome {
  return { source: answer.source.name, state, detail, rejected };
}
