import type { Logger } from "pino";
import type { JobKind, Queue } from "../jobs/queue.ts";
import type { Database } from "../store/database.ts";
import type { ScheduledDataset } from "./scheduled.ts";
import type { Upstreams } from "./upstreams.ts";

/** The part that refreshes datasets by their schedules. */
export interface Work {
  readonly close: () => Promise<void>;
}

export interface WorkParts {
  readonly database: Database;
  readonly queue: Queue;
  readonly datasets: readonly ScheduledDataset[];
  readonly upstreams: Upstreams;
  readonly clock: () => Date;
  readonly log: Logger;
  /** Begins what follows the refresh of a dataset. */
  readonly refreshed?: (dataset: string) => Promise<void>;
}

/** One refresh of one dataset. A failed source is tried again by the next run of the schedule, not by the queue. */
export const ingestJob: JobKind = { name: "ingest", onePerKey: true, expireSeconds: 1_800, retries: 1 };

/** How long refreshes under way may take to end. */
const graceMs = 2_500;
/** Datasets refreshed side by side: one slow upstream does not hold up the others. */
const atOnce = 2;

/** Schedules every dataset and refreshes at once those that are overdue or were left half done. */
export async function startWork(parts: WorkParts): Promise<Work> {
  const { queue, datasets, database } = parts;
  const byName = new Map(datasets.map((dataset) => [dataset.name, dataset]));
  // The embedded database has one owner: whatever ran before has died.
  const unfinished = database.kind === "embedded" ? await queue.takeUnfinished(ingestJob) : [];
  await queue.unscheduleOthers(ingestJob, [...byName.keys()]);
  await queue.work<{ dataset: string }>(
    ingestJob,
    async ({ dataset: name }, { signal }) => {
      const dataset = byName.get(name);
      // A newer version of the program may have scheduled a dataset that this one does not know.
      if (dataset) await run(dataset, parts, signal);
    },
    atOnce,
  );
  for (const { name, schedule } of datasets) await queue.schedule(ingestJob, schedule, { dataset: name }, name);
  const due = new Set([...unfinished.filter((name) => byName.has(name)), ...(await overdue(parts))]);
  for (const name of due) await queue.send(ingestJob, { dataset: name }, { key: name });
  return { close: () => queue.close(graceMs) };
}

async function run(dataset: ScheduledDataset, parts: WorkParts, signal: AbortSignal): Promise<void> {
  const startedAt = parts.clock().getTime();
  const outcome = await dataset.refresh({ upstreams: parts.upstreams, database: parts.database.kysely, signal });
  const milliseconds = parts.clock().getTime() - startedAt;
  const bad = outcome.sources.filter(({ state }) => state === "failed" || state === "refused");
  const facts = { dataset: dataset.name, generation: outcome.generation, rows: outcome.rows, milliseconds };
  parts.log[bad.length > 0 ? "warn" : "info"](
    { ...facts, sources: outcome.sources.map(({ source, state, detail }) => ({ source, state, detail })) },
    "ingest",
  );
  if (outcome.generation === undefined) return;
  for (const { name, after } of parts.datasets)
    if (after?.includes(dataset.name)) await parts.queue.send(ingestJob, { dataset: name }, { key: name });
  await parts.refreshed?.(dataset.name);
}

/** Datasets that were never stored, are older than they may be, or came from the other kind of upstream. */
async function overdue({ database, datasets, clock, upstreams }: WorkParts): Promise<string[]> {
  const rows = await database.kysely.selectFrom("dataset").select(["name", "stored_at", "origin"]).execute();
  const stored = new Map(rows.map((row) => [row.name, row]));
  return datasets
    .filter(({ name, freshForMinutes, sources }) => {
      const row = stored.get(name);
      const [source] = sources;
      if (!row || (source && upstreams.upstreamOf(source).origin !== row.origin)) return true;
      return clock().getTime() - row.stored_at.getTime() > freshForMinutes * 60_000;
    })
    .map(({ name }) => name);
}
