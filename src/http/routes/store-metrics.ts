import type { Registry } from "prom-client";
import type { Backlog } from "../../delivery/backlog.ts";
import type { SpentBudget } from "../../ingest/request-limits.ts";
import { type Point, readCounter, readGauge } from "./read-metrics.ts";

export interface DatasetReading {
  readonly name: string;
  readonly state: string;
  readonly rows?: number | undefined;
  readonly ageSeconds?: number | undefined;
  readonly sources: readonly SourceReading[];
}

export interface SourceReading {
  readonly name: string;
  readonly state: string;
  readonly runs: number;
  readonly failures: number;
  readonly lastGoodAgeSeconds?: number | undefined;
  readonly drifts?: number | undefined;
}

export interface JobReading {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  readonly oldestSeconds: number;
}

export interface BackupReading {
  readonly result: "ok" | "failed";
  readonly ageSeconds: number;
}

/** Reads metrics from the store. Each function rejects while the store cannot be read. */
export interface StoreReadings {
  readonly datasets: () => Promise<readonly DatasetReading[]>;
  readonly budgets: () => Promise<readonly SpentBudget[]>;
  readonly jobs: () => Promise<readonly JobReading[]>;
  readonly webhooks: () => Promise<Backlog>;
  readonly unevaluated: () => Promise<number>;
  /** The last backup; undefined without one. */
  readonly backup: () => Promise<BackupReading | undefined>;
  /** Lag and use of the replica; undefined without one. */
  readonly replica: ReplicaReading | undefined;
}

/** Registers the metrics of the store. Every process reads the store, so all report the same values. */
export function registerStoreMetrics(registry: Registry, readings: StoreReadings): void {
  readGauge(registry, {
    name: "ids_store_reachable",
    help: "1 while the store can be read. While it is 0, metrics from the store are absent.",
    read: async () => [
      [
        {},
        await readings.datasets().then(
          () => 1,
          () => 0,
        ),
      ],
    ],
  });
  registerDatasets(registry, readings);
  registerSources(registry, readings);
  registerJobs(registry, readings);
  registerWebhooks(registry, readings);
  registerReplica(registry, readings.replica);
  readGauge(registry, {
    name: "ids_alert_changes_waiting",
    help: "Logged changes that alert rules have not been evaluated on.",
    read: async () => [[{}, await readings.unevaluated()]],
  });
  readGauge(registry, {
    name: "ids_backup_age_seconds",
    help: "Time since the last run of `ids backup` ended, with its result: ok or failed. Absent if it never ran.",
    labels: ["result"],
    read: async () => {
      const last = await readings.backup();
      return last ? [[{ result: last.result }, last.ageSeconds]] : [];
    },
  });
}

function registerDatasets(registry: Registry, { datasets }: StoreReadings): void {
  readGauge(registry, {
    name: "ids_dataset_state",
    help: "1 for the state that a dataset is in, as /api/health names it: ok, degraded, stale, expired, incomplete, no inputs or empty.",
    labels: ["dataset", "state"],
    read: async () => (await datasets()).map(({ name: dataset, state }) => [{ dataset, state }, 1]),
  });
  readGauge(registry, {
    name: "ids_dataset_age_seconds",
    help: "Time since the inputs of a dataset were last read successfully.",
    labels: ["dataset"],
    read: async () => (await datasets()).flatMap(({ name: dataset, ageSeconds }) => pointIf({ dataset }, ageSeconds)),
  });
  readGauge(registry, {
    name: "ids_dataset_rows",
    help: "Rows that a dataset serves.",
    labels: ["dataset"],
    read: async () => (await datasets()).flatMap(({ name: dataset, rows }) => pointIf({ dataset }, rows)),
  });
}

function registerSources(registry: Registry, { datasets, budgets }: StoreReadings): void {
  const labels = ["dataset", "source"] as const;
  const ofEach = async (read: (source: SourceReading) => number | undefined) =>
    (await datasets()).flatMap(({ name: dataset, sources }) =>
      sources.flatMap((source) => pointIf({ dataset, source: source.name }, read(source))),
    );
  readCounter(registry, {
    name: "ids_ingest_runs_total",
    help: "Refreshes tried.",
    labels,
    read: () => ofEach(({ runs }) => runs),
  });
  readCounter(registry, {
    name: "ids_ingest_failures_total",
    help: "Refreshes that failed or were rejected.",
    labels,
    read: () => ofEach(({ failures }) => failures),
  });
  readCounter(registry, {
    name: "ids_source_drift_total",
    help: "Schema changes in a source's responses: fields that are new, missing, or of another type, and new codes.",
    labels,
    read: () => ofEach(({ drifts = 0 }) => drifts),
  });
  readGauge(registry, {
    name: "ids_ingest_age_seconds",
    help: "Age of the last good response.",
    labels,
    read: () => ofEach(({ lastGoodAgeSeconds }) => lastGoodAgeSeconds),
  });
  readGauge(registry, {
    name: "ids_source_up",
    help: "Last result of a source: 1 good, if only in parts; 0 failed or rejected. Absent before the first request.",
    labels,
    read: () => ofEach(({ state }) => lastResult[state]),
  });
  readGauge(registry, {
    name: "ids_source_state",
    help: "1 for the state that a source is in, as the catalog names it: ok, partial, failed, refused, unconfigured or waiting.",
    labels: ["dataset", "source", "state"],
    read: async () =>
      (await datasets()).flatMap(({ name: dataset, sources }) =>
        sources.map(({ name: source, state }) => [{ dataset, source, state }, 1] as const),
      ),
  });
  readGauge(registry, {
    name: "ids_source_budget_used",
    help: "Requests sent on this UTC day to sources with a daily budget. A shared budget is counted once.",
    labels: ["budget"],
    read: async () => (await budgets()).map(({ of: budget, used }) => [{ budget }, used]),
  });
  readGauge(registry, {
    name: "ids_source_budget_limit",
    help: "Maximum requests per UTC day to sources with a daily budget.",
    labels: ["budget"],
    read: async () => (await budgets()).map(({ of: budget, max }) => [{ budget }, max]),
  });
}

const lastResult: Readonly<Record<string, 0 | 1>> = { ok: 1, partial: 1, failed: 0, refused: 0 };

function registerJobs(registry: Registry, { jobs }: StoreReadings): void {
  const gauge = (name: string, help: string, read: (job: JobReading) => number) =>
    readGauge(registry, {
      ...{ name, help, labels: ["kind"] },
      read: async () => (await jobs()).map((job) => [{ kind: job.kind }, read(job)] as const),
    });
  gauge("ids_jobs_waiting", "Jobs that are due and not started.", ({ waiting }) => waiting);
  gauge("ids_jobs_running", "Jobs that a worker runs.", ({ running }) => running);
  gauge("ids_jobs_failed", "Jobs that failed permanently and that the queue still stores.", ({ failed }) => failed);
  gauge(
    "ids_jobs_oldest_waiting_seconds",
    "Time since the oldest waiting job became due; 0 if there is none.",
    ({ oldestSeconds }) => oldestSeconds,
  );
}

function registerWebhooks(registry: Registry, { webhooks }: StoreReadings): void {
  const gauge = (name: string, help: string, read: (reading: Backlog) => number) =>
    readGauge(registry, { ...{ name, help, labels: [] }, read: async () => [[{}, read(await webhooks())]] });
  readGauge(registry, {
    name: "ids_webhooks",
    help: "Webhooks, and endpoints of alert rules, by state: active, failing (the first delivery failed and is retried), gone (410), exhausted (all retries failed).",
    labels: ["state"],
    read: async () => Object.entries((await webhooks()).states).map(([state, count]) => [{ state }, count]),
  });
  gauge("ids_webhook_deliveries_waiting", "Waiting deliveries in total.", ({ waiting }) => waiting);
  gauge(
    "ids_webhook_oldest_waiting_seconds",
    "Age of the oldest waiting delivery, for any reason; 0 if there is none.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge(
    "ids_webhook_overdue_seconds",
    "Longest time for which a due delivery was not tried, because workers are missing or slow; 0 if there is none.",
    ({ overdueSeconds }) => overdueSeconds,
  );
  const worst = ["account", "webhook"] as const;
  readGauge(registry, {
    name: "ids_webhook_lag_seconds",
    help: "Age of the oldest waiting delivery, for the ten webhooks that wait longest.",
    labels: worst,
    read: async () =>
      (await webhooks()).worst.map(({ account, webhook, oldestSeconds }) => [{ account, webhook }, oldestSeconds]),
  });
  readGauge(registry, {
    name: "ids_webhook_failed_attempts",
    help: "Failed attempts at the first delivery, for the same ten webhooks.",
    labels: worst,
    read: async () =>
      (await webhooks()).worst.map(({ account, webhook, failures }) => [{ account, webhook }, failures]),
  });
}

function pointIf<Label extends string>(
  labels: Readonly<Record<Label, string>>,
  value: number | undefined,
): Point<Label>[] {
  return value === undefined ? [] : [[labels, value]];
}

interface ReplicaReading {
  readonly state: () => string;
  /** Lag at the last check; undefined if unknown. */
  readonly lagMs: () => number | undefined;
  readonly counts: () => Readonly<Record<string, number>>;
}

/** Without a replica, these metrics have no values. */
function registerReplica(registry: Registry, replica: ReplicaReading | undefined): void {
  readGauge(registry, {
    name: "ids_read_replica_used",
    help: "1 while reads use the replica, 0 while it is behind or unreachable.",
    read: () => (replica ? [[{}, replica.state() === "used" ? 1 : 0]] : []),
  });
  readGauge(registry, {
    name: "ids_read_replica_lag_seconds",
    help: "Lag of the replica behind the primary at the last check.",
    read: () => {
      const lagMs = replica?.lagMs();
      return lagMs === undefined ? [] : [[{}, lagMs / 1_000]];
    },
  });
  readCounter(registry, {
    name: "ids_replica_reads_total",
    help: "Reads of data from the store, by database: replica, primary, or both (failed on the replica and was repeated).",
    labels: ["from"],
    read: () => Object.entries(replica?.counts() ?? {}).map(([from, count]) => [{ from }, count]),
  });
}
