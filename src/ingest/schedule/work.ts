import type { Logger } from "pino";
import { UpstreamError } from "../../errors.ts";
import type { JobKind, Queue } from "../../jobs/queue.ts";
import type { Database } from "../../store/database.ts";
import type { SourceOutcome } from "../refresh/refresh.ts";
import type { Upstreams } from "../upstreams.ts";
import { overdue } from "./overdue.ts";
import { leadersOf, type ScheduledDataset } from "./scheduled.ts";

/** The part that refreshes datasets by their schedules. */
export interface Work {
  /** Resolves when everything that was due at the start was tried once; at once where other processes may be at work. */
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
  /** Called with how the sources of each refresh came out. */
  readonly tried?: (sources: readonly SourceOutcome[]) => void;
  /** Begins what follows the refresh of a dataset. */
  readonly refreshed?: (dataset: string) => Promise<void>;
  /** Called whenever the last refresh under way has ended, and none that was due at the start is left; at the start where none is. */
  readonly idle?: () => void;
}

/** One refresh of one dataset. A failed source is tried again by the next run of the schedule, not by the queue. */
export const ingestJob: JobKind = { name: "ingest", onePerKey: true, expireSeconds: 1_800, retries: 1 };

/** How long refreshes under way may take to end. */
const graceMs = 2_500;
/** Datasets refreshed side by side: one slow upstream does not hold up the others. */
const concurrency = 4;

/** Schedules every dataset and refreshes at once those that are overdue or were left half done. */
export async function startWork(parts: WorkParts): Promise<Work> {
  const { queue, datasets, database, upstreams, clock } = parts;
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  // The embedded database has one owner: whatever ran before has died.
  const unfinished = database.kind === "embedded" ? await queue.takeUnfinished(ingestJob) : [];
  const names = new Set([
    ...unfinished,
    ...(await overdue(database, datasets, { origin: upstreams.origin, now: clock() })),
  ]);
  const due = datasets.filter(({ name }) => names.has(name));
  // Which of them another process takes is not known here: who leads goes then, and whoever ends last sends what waited.
  const order = refreshOrder(database.kind === "embedded" ? due : []);
  const first = order.next();
  const schedule = async (some: readonly ScheduledDataset[]) => {
    for (const { name, schedule: cron } of some) await queue.schedule(ingestJob, cron, { dataset: name }, name);
  };
  // One whose turn is still to come has no schedule until then: that would make it from too little.
  const free = datasets.filter(({ name }) => !order.isHeld(name));
  await queue.unscheduleOthers(
    ingestJob,
    free.map(({ name }) => name),
  );
  /** What is made from others is left alone where they hold nothing new. */
  const send = async (names: readonly string[]) => {
    for (const name of names)
      await queue.send<Job>(
        ingestJob,
        { dataset: name, ...(byName.get(name)?.follows && { ifDue: true }) },
        { key: name, priority: order.priority(name) },
      );
  };
  /** What follows a refresh that stored something new, and what was never made and waited for its first attempt. */
  const sendLed = async (leader: string, isStored: boolean) => {
    const { waiting, ready } = await firstTurns(database, datasets);
    const isLed = ({ name, follows = [] }: ScheduledDataset) =>
      isStored && !waiting.has(name) && follows.some((each) => each.name === leader);
    const isFirst = (each: ScheduledDataset) => ready.has(each.name) && leadersOf(each).includes(leader);
    const free = datasets.filter(({ name }) => !order.isHeld(name));
    await send(free.flatMap((each) => (isLed(each) || isFirst(each) ? each.name : [])));
  };
  let underWay = 0;
  await queue.work<Job>(
    ingestJob,
    async ({ dataset: name, ifDue = false }, { signal }) => {
      const dataset = byName.get(name);
      // A newer version of the program may have scheduled a dataset that this one does not know.
      if (!dataset) return;
      underWay += 1;
      let isStored = false;
      try {
        if (ifDue && !(await isDue(dataset, database))) return;
        isStored = dataset.follows ? await runLed(dataset, parts, signal) : await run(dataset, parts, signal);
      } finally {
        underWay -= 1;
        order.ended(name);
        await sendLed(name, isStored);
        const next = order.next();
        await send(next);
        await schedule(datasets.filter((each) => next.includes(each.name)));
        if (underWay === 0 && order.isOver()) parts.idle?.();
      }
    },
    concurrency,
  );
  const { waiting } = await firstTurns(database, datasets);
  const comesLater = ({ name, follows = [] }: ScheduledDataset) =>
    waiting.has(name) || follows.some((leader) => names.has(leader.name));
  await send(database.kind === "embedded" ? first : due.flatMap((each) => (comesLater(each) ? [] : each.name)));
  await schedule(free);
  if (names.size === 0) parts.idle?.();
  return { caughtUp: order.all, close: () => queue.close(graceMs) };
}

interface Job {
  readonly dataset: string;
  readonly ifDue?: boolean;
}

async function isDue(dataset: ScheduledDataset, { kysely }: Database): Promise<boolean> {
  return dataset.isDue === undefined || (await dataset.isDue(kysely));
}

/** Others may store what it is made from while it is made: their sending it is dropped, as it is under way. */
const runsAtMost = 3;

/** Of what is made from others. Too little of them is no failure of the job: they send it again when they bring more. */
async function runLed(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<boolean> {
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

/** Returns whether anything new was stored. */
async function run(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<boolean> {
  const startedAt = parts.clock().getTime();
  const outcome = await dataset.refresh({ upstreams: parts.upstreams, database: parts.database.kysely, signal });
  parts.tried?.(outcome.sources);
  const milliseconds = parts.clock().getTime() - startedAt;
  const bad = outcome.sources.filter(({ state, drift }) => (state !== "ok" && state !== "paced") || drift.length > 0);
  const { generation, rows, held } = outcome;
  const metadata = { dataset: dataset.name, generation, rows, milliseconds, ...(held !== undefined && { held }) };
  // That samples came is no news: a first start would say it of every dataset.
  const level = bad.length > 0 ? "warn" : parts.upstreams.origin === "sample" ? "debug" : "info";
  parts.log[level](
    { ...metadata, sources: outcome.sources.map(({ source, state, detail }) => ({ source, state, detail })) },
    "ingest",
  );
  const isStored = generation !== undefined;
  if (isStored) await parts.refreshed?.(dataset.name);
  return isStored;
}

/** What is made from others and was never tried, by this process or by another one. */
interface FirstTurns {
  /** Some of what it is made from was not tried either: it would be made from too little. */
  readonly waiting: ReadonlySet<string>;
  readonly ready: ReadonlySet<string>;
}

async function firstTurns(
  { kysely }: Pick<Database, "kysely">,
  datasets: readonly ScheduledDataset[],
): Promise<FirstTurns> {
  const stored = kysely.selectFrom("dataset").select("name");
  const requested = kysely.selectFrom("source").select("dataset as name");
  const tried = new Set((await stored.union(requested).execute()).map(({ name }) => name));
  const untried = new Set(datasets.flatMap(({ name }) => (tried.has(name) ? [] : name)));
  const made = datasets.filter((each) => untried.has(each.name) && leadersOf(each).length > 0);
  const isWaiting = (each: ScheduledDataset) => leadersOf(each).some((name) => untried.has(name));
  const names = (some: readonly ScheduledDataset[]) => new Set(some.map(({ name }) => name));
  return { waiting: names(made.filter(isWaiting)), ready: names(made.filter((each) => !isWaiting(each))) };
}

/** The order of refreshes that are due together: each after those that it is made from, so that nothing is made twice. */
interface RefreshOrder {
  /** Those whose turn has come; each is told once. */
  readonly next: () => string[];
  /** What the others wait for goes before what nobody waits for, and what had to wait before both: chains end early. */
  readonly priority: (name: string) => number;
  /** Notes that a refresh has ended, however it did. */
  readonly ended: (name: string) => void;
  /** Whether its turn is still to come. */
  readonly isHeld: (name: string) => boolean;
  readonly isOver: () => boolean;
  /** Resolves when all have ended. */
  readonly all: Promise<void>;
}

function refreshOrder(due: readonly ScheduledDataset[]): RefreshOrder {
  const held = new Map(due.map((dataset) => [dataset.name, dataset]));
  const unfinished = new Set(held.keys());
  const waitedFor = new Set(due.flatMap(leadersOf));
  const waiting = new Set(due.flatMap((each) => (leadersOf(each).some((name) => held.has(name)) ? each.name : [])));
  const { promise: all, resolve } = Promise.withResolvers<void>();
  if (unfinished.size === 0) resolve();
  return {
    next() {
      const ready = [...held.values()].filter((each) => !leadersOf(each).some((name) => unfinished.has(name)));
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
