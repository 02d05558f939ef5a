import { type DatasetStatus, datasetStatuses, type StatusParts } from "../ingest/dataset-status.ts";
import { affectedOperations, operationInputs } from "../ingest/graph.ts";
import { type HealthReport, type HealthSummary, healthSummary } from "../ingest/health.ts";
import type { LiveSource } from "../ingest/source.ts";
import type { Database } from "../store/database.ts";
import type { ReadReplica } from "../store/replica/read-replica.ts";
import type { ServedDatasets } from "../store/served/served-datasets.ts";

export interface Health {
  readonly report: () => Promise<HealthReport>;
  readonly summary: () => Promise<HealthSummary>;
  /** Returns why the process cannot serve requests now; undefined if it can. */
  readonly notReady: () => string | undefined;
  /** Returns the server that reads use; undefined if no replica is configured. */
  readonly readsFrom: () => "replica" | "primary" | undefined;
  readonly counts: ServedDatasets["counts"];
  /** Returns the status of every dataset. Rejects if the store cannot be read. */
  readonly statuses: () => Promise<readonly DatasetStatus[]>;
}

export interface HealthParts extends StatusParts {
  readonly lookups: readonly LiveSource[];
  readonly database: Database;
  readonly counts: ServedDatasets["counts"];
  readonly unready?: (() => string | undefined) | undefined;
  readonly replica: Pick<ReadReplica, "state"> | undefined;
  readonly generations: { readonly lastPollAt: () => Date | undefined };
}

/** Time without a successful poll after which the store counts as unreachable: three polls of 2 s have failed. */
const unreadableAfterMs = 8_000;
/** Health is cached for this time, because any client may request it. */
const ttlMs = 1_000;

export function createHealth(parts: HealthParts): Health {
  const { database, generations, data, clock, counts } = parts;
  const inputs = operationInputs(parts.datasets, parts.lookups);
  let cached: { readonly at: number; readonly statuses: Promise<DatasetStatus[]> } | undefined;
  const statuses = () => {
    const now = clock().getTime();
    if (!cached || now - cached.at >= ttlMs) cached = { at: now, statuses: datasetStatuses(database.kysely, parts) };
    return cached.statuses;
  };
  const notReady = () => {
    const last = generations.lastPollAt();
    const isRead = last !== undefined && clock().getTime() - last.getTime() < unreadableAfterMs;
    // While the primary is down, the process stays ready if it can read from a replica, because otherwise no process
    // would serve reads.
    const readable = isRead || parts.replica?.state() === "used";
    return parts.unready?.() ?? (readable ? undefined : "the store cannot be read");
  };
  const report = async (): Promise<HealthReport> => {
    const datasets = await statuses().catch(() => undefined);
    const last = generations.lastPollAt();
    const store = {
      kind: database.kind,
      reachable: datasets !== undefined,
      ...(last && { lastReadAt: last.toISOString() }),
    };
    if (!datasets) return { status: "down", data, store, datasets: [], affected: [] };
    const status = datasets.every(({ state }) => state === "ok") ? "ok" : "degraded";
    return { status, data, store, datasets, affected: affectedOperations(inputs, datasets) };
  };
  const readsFrom = () => parts.replica && (parts.replica.state() === "used" ? "replica" : "primary");
  return { notReady, counts, readsFrom, report, summary: async () => healthSummary(await report()), statuses };
}
