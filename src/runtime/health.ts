import { type DatasetStatus, datasetStatuses, type StatusParts } from "../ingest/dataset-status.ts";
import { affectedOperations, operationInputs } from "../ingest/graph.ts";
import type { HealthReport } from "../ingest/health-report.ts";
import { type HealthSummary, healthSummary } from "../ingest/health-summary.ts";
import type { LiveSource } from "../ingest/source.ts";
import type { Database } from "../store/database.ts";
import type { ReadReplica } from "../store/replica/read-replica.ts";
import type { ServedDatasets } from "../store/served/served-datasets.ts";

/** What the service tells about its own state. */
export interface Health {
  readonly report: () => Promise<HealthReport>;
  /** The same, as everybody may read it. */
  readonly summary: () => Promise<HealthSummary>;
  /** Why requests cannot be served now; undefined when they can. */
  readonly notReady: () => string | undefined;
  /** Where reads go; undefined without a replica. */
  readonly readsFrom: () => "replica" | "primary" | undefined;
  /** How many datasets there are, and how many have data. */
  readonly counts: ServedDatasets["counts"];
  /** How every dataset stands; rejects while the store cannot be read. */
  readonly statuses: () => Promise<readonly DatasetStatus[]>;
}

export interface HealthParts extends StatusParts {
  readonly lookups: readonly LiveSource[];
  readonly database: Database;
  readonly counts: ServedDatasets["counts"];
  /** Why the process is not to be asked yet, or any more. */
  readonly unready?: (() => string | undefined) | undefined;
  readonly replica: Pick<ReadReplica, "state"> | undefined;
  /** When the store was last read, by the poll that follows its changes. */
  readonly generations: { readonly lastPollAt: () => Date | undefined };
}

/** The poll comes every 2 s: three missed ones mean that the store is out of reach. */
const unreadableAfterMs = 8_000;
/** Health is public: however often it is asked, the store is asked once in this time. */
const ttlMs = 1_000;

export function createHealth(parts: HealthParts): Health {
  const { database, generations, data, clock, counts } = parts;
  const inputs = operationInputs(parts.datasets, parts.lookups);
  let stored: { readonly at: number; readonly statuses: Promise<DatasetStatus[]> } | undefined;
  const statuses = () => {
    const now = clock().getTime();
    if (!stored || now - stored.at >= ttlMs) stored = { at: now, statuses: datasetStatuses(database.kysely, parts) };
    return stored.statuses;
  };
  const notReady = () => {
    const last = generations.lastPollAt();
    const isRead = last !== undefined && clock().getTime() - last.getTime() < unreadableAfterMs;
    // While the primary is gone reads go on, and a balancer that left all replicas would end them.
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
