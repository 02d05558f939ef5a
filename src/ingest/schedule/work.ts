import type { Logger } from "pino";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { JobKind, Queue } from "../../jobs/queue.ts";
import { minuteMs } from "../../reference/duration.ts";
import type { Database } from "../../store/database.ts";
import type { SourceOutcome } from "../refresh/refresh.ts";
import { originOf, type Upstreams } from "../upstreams.ts";
import { inputNamesOf, type ScheduledDataset } from "./scheduled.ts";

export interface Work {
  /** Resolves after the refreshes that were due at the start. With several processes, it resolves immediately. */
  readonly caughtUp: Promise<void>;
  readonly close: () => Promise<void>;
}

export interface WorkParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly datasets: readonly ScheduledDataset[];
  readonly upstreams: Upstreams;
  readonly clock: () => Date;
  readonly log: Logger;
  readonly tried?: (sources: readonly SourceOutcome[]) => void;
  readonly refreshed?: (dataset: string) => Promise<void>;
  /** Called when no refresh is left to run, and at the start if no refresh is due. */
  readonly idle?: () => void;
}

/** A refresh of one dataset. If a source fails, the queue does not repeat the job. The next scheduled run does. */
export const ingestJob: JobKind = { name: "ingest", onePerKey: true, expireSeconds: 1_800, retries: 1 };

/** Maximum time that a shutdown waits for running refreshes. */
const graceMs = 2_500;
/** Maximum number of parallel refreshes. There are several, so that one slow upstream does not delay the others. */
const concurrency = 4;

export async function startWork(parts: WorkParts): Promise<Work> {
  const { queue, datasets, database, upstreams, clock } = parts;
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  // Only one process uses an embedded database, so the jobs that an earlier process had started are unfinished.
  const unfinished = database.kind === "embedded" ? await queue.takeUnfinished(ingestJob) : [];
  const names = new Set([
    ...unfinished,
    ...(await overdue(database, datasets, { origin: upstreams.origin, now: clock() })),
  ]);
  const due = datasets.filter(({ name }) => names.has(name));
  // With several processes, this one does not know which refreshes the others run, so it cannot order them. Datasets
  // without due inputs are queued at the start, and each completed refresh queues the datasets that follow it.
  const order = refreshOrder(database.kind === "embedded" ? due : []);
  const first = order.next();
  const schedule = async (some: readonly ScheduledDataset[]) => {
    for (const { name, schedule: cron } of some) await queue.schedule(ingestJob, cron, { dataset: name }, name);
  };
  // A dataset that waits for the first refresh of its inputs gets no schedule yet. Until then, its result would be
  // incomplete.
  const free = datasets.filter(({ name }) => !order.isHeld(name));
  await queue.unscheduleOthers(
    ingestJob,
    free.map(({ name }) => name),
  );
  /** Queues refreshes. A dataset that follows others is skipped if they contain no new data when its job starts. */
  const send = async (names: readonly string[]) => {
    for (const name of names)
      await queue.send<Job>(
        ingestJob,
        { dataset: name, ...(byName.get(name)?.follows && { ifDue: true }) },
        { key: name, priority: order.priority(name) },
      );
  };
  /** After a refresh, queues the datasets that follow it, and untried datasets whose inputs have now all been tried. */
  const sendFollowers = async (input: string, isStored: boolean) => {
    const { waiting, ready } = await untriedDatasets(database, datasets);
    const isFollower = ({ name, follows = [] }: ScheduledDataset) =>
      isStored && !waiting.has(name) && follows.some((each) => each.name === input);
    const isFirst = (each: ScheduledDataset) => ready.has(each.name) && inputNamesOf(each).includes(input);
    const free = datasets.filter(({ name }) => !order.isHeld(name));
    await send(free.flatMap((each) => (isFollower(each) || isFirst(each) ? each.name : [])));
  };
  let underWay = 0;
  await queue.work<Job>(
    ingestJob,
    async ({ dataset: name, ifDue = false }, { signal }) => {
      const dataset = byName.get(name);
      // A newer version of the program may have queued a dataset that this version does not know.
      if (!dataset) return;
      underWay += 1;
      let isStored = false;
      try {
        if (ifDue && !(await isDue(dataset, database))) return;
        isStored = dataset.follows ? await runFollower(dataset, parts, signal) : await run(dataset, parts, signal);
      } finally {
        underWay -= 1;
        order.ended(name);
        await sendFollowers(name, isStored);
        const next = order.next();
        await send(next);
        await schedule(datasets.filter((each) => next.includes(each.name)));
        if (underWay === 0 && order.isOver()) parts.idle?.();
      }
    },
    concurrency,
  );
  const { waiting } = await untriedDatasets(database, datasets);
  const comesLater = ({ name, follows = [] }: ScheduledDataset) =>
    waiting.has(name) || follows.some((input) => names.has(input.name));
  await send(database.kind === "embedded" ? first : due.flatMap((each) => (comesLater(each) ? [] : each.name)));
  await schedule(free);
  if (names.size === 0) parts.idle?.();
  return { caughtUp: order.all, close: () => queue.close(graceMs) };
}

/** Returns the datasets that were never stored, that are too old, or that changed between samples and live data. */
export async function overdue(
  { kysely }: Pick<Database, "kysely">,
  datasets: readonly Pick<ScheduledDataset, "name" | "sources" | "reads" | "freshForMinutes">[],
  { origin, now }: Pick<Upstreams, "origin"> & { readonly now: Date },
): Promise<string[]> {
  const rows = await kysely.selectFrom("dataset").select(["name", "stored_at", "origin"]).execute();
  const stored = new Map(rows.map((row) => [row.name, row]));
  return datasets
    .filter((dataset) => {
      const { name, freshForMinutes } = dataset;
      const row = stored.get(name);
      if (!row || originOf(dataset, { origin }) !== row.origin) return true;
      return now.getTime() - row.stored_at.getTime() > freshForMinutes * minuteMs;
    })
    .map(({ name }) => name);
}

interface Job {
  readonly dataset: string;
  readonly ifDue?: boolean;
}

async function isDue(dataset: ScheduledDataset, { kysely }: Database): Promise<boolean> {
  return dataset.isDue === undefined || (await dataset.isDue(kysely));
}

/** Maximum runs of a job. The queue drops a job for a dataset that is being computed, so new inputs repeat the job. */
const runsAtMost = 3;

/** Refreshes a dataset, and again if its inputs changed during the run. Returns whether new data was stored. */
async function runFollower(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<boolean> {
  let isStored = false;
  for (let run = 1; run <= runsAtMost; run++) {
    isStored = (await runOnce(dataset, parts, signal)) || isStored;
    if (!dataset.isDue || !(await isDue(dataset, parts.database))) break;
  }
  return isStored;
}

async function runOnce(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<boolean> {
  try {
    return await run(dataset, parts, signal);
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    parts.log.warn({ dataset: dataset.name, reason: error.message }, "ingest");
    return false;
  }
}

async function run(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<boolean> {
  const startedAt = parts.clock().getTime();
  const outcome = await dataset.refresh({ upstreams: parts.upstreams, database: parts.database.kysely, signal });
  parts.tried?.(outcome.sources);
  const milliseconds = parts.clock().getTime() - startedAt;
  const bad = outcome.sources.filter(({ state, drift }) => (state !== "ok" && state !== "paced") || drift.length > 0);
  const { generation, rows, held } = outcome;
  const metadata = { dataset: dataset.name, generation, rows, milliseconds, ...(held !== undefined && { held }) };
  // Samples are logged at debug level, because the first start loads every dataset.
  const level = bad.length > 0 ? "warn" : parts.upstreams.origin === "sample" ? "debug" : "info";
  parts.log[level](
    { ...metadata, sources: outcome.sources.map(({ source, state, detail }) => ({ source, state, detail })) },
    "ingest",
  );
  const isStored = generation !== undefined;
  if (isStored) await parts.refreshed?.(dataset.name);
  return isStored;
}

/** Datasets that are computed from others and that no process has tried to refresh. */
interface UntriedDatasets {
  /** Datasets with an input that no process has tried to read. Their result would be incomplete. */
  readonly waiting: ReadonlySet<string>;
  readonly ready: ReadonlySet<string>;
}

async function untriedDatasets(
  { kysely }: Pick<Database, "kysely">,
  datasets: readonly ScheduledDataset[],
): Promise<UntriedDatasets> {
  const stored = kysely.selectFrom("dataset").select("name");
  const requested = kysely.selectFrom("source").select("dataset as name");
  const tried = new Set((await stored.union(requested).execute()).map(({ name }) => name));
  const untried = new Set(datasets.flatMap(({ name }) => (tried.has(name) ? [] : name)));
  const made = datasets.filter((each) => untried.has(each.name) && inputNamesOf(each).length > 0);
  const isWaiting = (each: ScheduledDataset) => inputNamesOf(each).some((name) => untried.has(name));
  const names = (some: readonly ScheduledDataset[]) => new Set(some.map(({ name }) => name));
  return { waiting: names(made.filter(isWaiting)), ready: names(made.filter((each) => !isWaiting(each))) };
}

/** The order of the refreshes that are due at the start. Each one runs after its inputs, so that it runs only once. */
interface RefreshOrder {
  /** Returns the datasets whose inputs have all been refreshed. No dataset is returned twice. */
  readonly next: () => string[];
  /** Returns the priority of a job. Datasets that had to wait for inputs come first, then inputs of other datasets. */
  readonly priority: (name: string) => number;
  readonly ended: (name: string) => void;
  readonly isHeld: (name: string) => boolean;
  readonly isOver: () => boolean;
  readonly all: Promise<void>;
}

function refreshOrder(due: readonly ScheduledDataset[]): RefreshOrder {
  const held = new Map(due.map((dataset) => [dataset.name, dataset]));
  const unfinished = new Set(held.keys());
  const waitedFor = new Set(due.flatMap(inputNamesOf));
  const waiting = new Set(due.flatMap((each) => (inputNamesOf(each).some((name) => held.has(name)) ? each.name : [])));
  const { promise: all, resolve } = Promise.withResolvers<void>();
  if (unfinished.size === 0) resolve();
  return {
    next() {
      const ready = [...held.values()].filter((each) => !inputNamesOf(each).some((name) => unfinished.has(name)));
      for (const { name } of ready) held.delete(name);
      return ready.map(({ name }) => name);
    },
    priority: (name) => (waiting.has(name) ? 2 : 0) + (waitedFor.has(name) ? 1 : 0),
    ended(name) {
      if (!held.has(name) && unfinished.delete(name) && unfinished.size === 0) resolve();
    },
    isHeld: (name) => held.has(name),
    isOver: () => unfinished.size === 0,
    all,
  };
}
