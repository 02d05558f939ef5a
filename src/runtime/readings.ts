import { datasets, deliveryBacklog, lookups, unevaluatedChanges } from "../domains/index.ts";
import type { StoreReadings } from "../http/routes/store-metrics.ts";
import { spentBudgets } from "../ingest/request-budget.ts";
import { queueDepth } from "../jobs/queue-depth.ts";
import type { AppParts } from "./app.ts";
import type { Data } from "./data.ts";

/** However often and by how many the metrics are asked for, each process reads the store once in this time. */
const ttlMs = 10_000;

/** What the metrics tell of the store. */
export function storeReadings(
  { database, config, clock }: Pick<AppParts, "database" | "config" | "clock">,
  { health, replica }: Pick<Data, "health" | "replica">,
): StoreReadings {
  const { kysely } = database;
  const sources = [...datasets.flatMap((dataset) => dataset.sources), ...lookups];
  return {
    datasets: health.statuses,
    replica,
    budgets: kept(clock, () => spentBudgets(kysely, sources, { ...config, now: clock() })),
    jobs: kept(clock, () => queueDepth(database)),
    webhooks: kept(clock, () => deliveryBacklog(kysely, clock())),
    unevaluated: kept(clock, () => unevaluatedChanges(kysely)),
  };
}

/** The same reading for all who ask within the time, while it is being made too; a failed one is made anew. */
function kept<T>(clock: () => Date, read: () => Promise<T>): () => Promise<T> {
  let last: { readonly at: number; readonly reading: Promise<T> } | undefined;
  return () => {
    const at = clock().getTime();
    if (last && Math.abs(at - last.at) < ttlMs) return last.reading;
    const reading = read();
    const made = { at, reading };
    last = made;
    reading.catch(() => {
      if (last === made) last = undefined;
    });
    return reading;
  };
}
