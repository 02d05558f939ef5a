import type { DescMessage, MessageInitShape, MessageShape } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import { raiseGeneration } from "../store/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import type { Upstream } from "../upstream/upstream.ts";
import type { Dataset } from "./dataset.ts";
import { lastGoodRows, type Observed, recordFailure, recordSuccess } from "./last-good-rows.ts";
import { checkRows } from "./row-check.ts";
import type { Rejection, Source, SourceFacts } from "./source.ts";
import type { Upstreams } from "./upstreams.ts";

/** What a refresh needs besides the dataset. */
export interface RefreshParts {
  readonly database: Kysely<StoreTables>;
  readonly upstreams: Upstreams;
  readonly progress?: (step: Progress) => void;
  /** Takes an answer that shrank too far: the operator has looked at it. */
  readonly acceptShrunk?: boolean;
}

/** Where a refresh stands, for people who watch it. */
export interface Progress {
  readonly dataset: string;
  readonly source: string;
  readonly step: "asking" | "ok" | "failed" | "refused";
  readonly detail: string;
}

/** How one source came out of a refresh. */
export interface SourceOutcome {
  readonly source: string;
  readonly state: "ok" | "failed" | "refused";
  readonly detail: string;
  readonly rejected: readonly Rejection[];
}

/** The outcome of a refresh; without a generation nothing new became visible. */
export interface RefreshOutcome {
  readonly sources: readonly SourceOutcome[];
  readonly generation?: number;
  readonly rows?: number;
}

/** An answer with less than this share of the last good one's rows is taken for broken. */
const shrinksTo = 0.5;

/** One refresh: each source is asked, parsed and checked; what is good becomes one new generation in one transaction. */
export async function refresh<D extends DescMessage>(
  dataset: Dataset<D>,
  parts: RefreshParts,
): Promise<RefreshOutcome> {
  const asked = [];
  for (const source of dataset.sources) asked.push(await ask(dataset, source, parts));
  const sources = asked.map(({ outcome }) => outcome);
  const [fresh] = asked.filter(({ outcome }) => outcome.state === "ok");
  if (!fresh) return { sources };
  const bySource = new Map(asked.flatMap(({ outcome, good }) => (good ? [[outcome.source, good] as const] : [])));
  const { now, origin } = fresh;
  const visible = await parts.database.transaction().execute(async (transaction) => {
    const generation = await raiseGeneration(transaction, dataset.name);
    const rows = await dataset.write(transaction, { bySource, generation, origin, now });
    const row = { generation, origin, stored_at: now, rows };
    await transaction
      .insertInto("dataset")
      .values({ name: dataset.name, ...row })
      .onConflict((conflict) => conflict.column("name").doUpdateSet(row))
      .execute();
    return { generation, rows };
  });
  return { sources, ...visible };
}

interface Asked<D extends DescMessage> {
  readonly outcome: SourceOutcome;
  /** The last good rows: this answer's, or the ones of before when it is no good. */
  readonly good: readonly MessageShape<D>[] | undefined;
  readonly now: Date;
  readonly origin: Upstream["origin"];
}

async function ask<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  parts: RefreshParts,
): Promise<Asked<D>> {
  const upstream = parts.upstreams.upstreamOf(source);
  const { origin, now } = upstream;
  const place = { dataset: dataset.name, source: source.name, origin };
  const tell = (step: Progress["step"], detail: string) => parts.progress?.({ ...place, step, detail });
  const previous = await lastGoodRows(parts.database, dataset.row, place);
  tell("asking", origin);
  const missing = parts.upstreams.missingOf(source);
  const answer =
    missing.length > 0 ? { error: `not set: ${missing.join(", ")}` } : await answerOf(dataset, source, upstream);
  const refusal =
    "error" in answer ? undefined : reasonToRefuse(source, answer.rows.length, previous?.length ?? 0, parts);
  if ("error" in answer || refusal !== undefined) {
    const state = "error" in answer ? "failed" : "refused";
    const detail = "error" in answer ? answer.error : (refusal ?? "");
    await recordFailure(parts.database, place, { state, error: detail, at: now });
    tell(state, detail);
    const rejected = "error" in answer ? [] : answer.rejected;
    return { outcome: { source: source.name, state, detail, rejected }, good: previous, now, origin };
  }
  const good = withRemembered(source, answer.rows, previous ?? [], now);
  await recordSuccess(parts.database, dataset.row, place, {
    at: now,
    rowsIn: answer.rows.length + answer.rejected.length,
    rejected: answer.rejected.length,
    good,
    observed: observedRange(source, good),
  });
  const detail = `${good.length} rows, ${answer.rejected.length} rejected`;
  tell("ok", detail);
  return { outcome: { source: source.name, state: "ok", detail, rejected: answer.rejected }, good, now, origin };
}

type Answer<D extends DescMessage> =
  | { readonly rows: readonly MessageShape<D>[]; readonly rejected: readonly Rejection[] }
  | { readonly error: string };

/** Whatever a source or its adapter throws is this source's failure alone: the others go on. */
async function answerOf<D extends DescMessage>(
  dataset: Dataset<D>,
  source: Source<MessageInitShape<D>>,
  upstream: Upstream,
): Promise<Answer<D>> {
  try {
    const parsed = source.parse(await source.fetch(upstream), upstream.now);
    const checked = checkRows(dataset.row, parsed.rows);
    return { rows: checked.rows, rejected: [...parsed.rejected, ...checked.rejected] };
  } catch (error) {
    return { error: error instanceof Error ? error.message : String(error) };
  }
}

function reasonToRefuse(source: SourceFacts, rows: number, previous: number, parts: RefreshParts): string | undefined {
  if (source.rows.mayBeEmpty) return undefined;
  const floor = parts.upstreams.floorOf(source);
  if (rows === 0) return "an empty answer";
  if (rows < floor) return `${rows} rows, and a good answer has at least ${floor}`;
  if (!parts.acceptShrunk && rows < previous * shrinksTo)
    return `${rows} rows, and the last good answer had ${previous}`;
  return undefined;
}

function withRemembered<D extends DescMessage>(
  { remember }: Source<MessageInitShape<D>>,
  rows: readonly MessageShape<D>[],
  previous: readonly MessageShape<D>[],
  now: Date,
): readonly MessageShape<D>[] {
  if (!remember) return rows;
  const { key, keeps } = remember;
  const told = new Set(rows.map((row) => key(row as MessageInitShape<D>)));
  return [
    ...rows,
    ...previous.filter((row) => !told.has(key(row as MessageInitShape<D>)) && keeps(row as MessageInitShape<D>, now)),
  ];
}

function observedRange<D extends DescMessage>(
  { observedAt }: Source<MessageInitShape<D>>,
  rows: readonly MessageShape<D>[],
): Observed | undefined {
  if (!observedAt || rows.length === 0) return undefined;
  let from = Number.POSITIVE_INFINITY;
  let to = Number.NEGATIVE_INFINITY;
  for (const row of rows) {
    const at = observedAt(row as MessageInitShape<D>);
    from = Math.min(from, at);
    to = Math.max(to, at);
  }
  return { from: new Date(from), to: new Date(to) };
}
