import type { Registry } from "prom-client";
import { type Point, readCounter, readGauge } from "./read-metrics.ts";

/** How a dataset stands, with its sources. */
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

/** Requests that were sent today of those that may be. */
export interface BudgetReading {
  readonly of: string;
  readonly used: number;
  readonly max: number;
}

/** What waits in the job queue, of one kind. */
export interface JobReading {
  readonly kind: string;
  readonly waiting: number;
  readonly running: number;
  readonly failed: number;
  readonly oldestSeconds: number;
}

/** How deliveries to webhooks stand. */
export interface WebhookReading {
  /** Webhooks by state. */
  readonly states: Readonly<Record<string, number>>;
  readonly waiting: number;
  /** Of the oldest that waits, whyever it does. */
  readonly oldestSeconds: number;
  /** For so long one is due and was not tried. */
  readonly overdueSeconds: number;
  /** Those whose deliveries wait longest. */
  readonly worst: readonly {
    readonly account: string;
    readonly webhook: string;
    readonly oldestSeconds: number;
    readonly failures: number;
  }[];
}

/** What the store tells; each rejects while it cannot be read. */
export interface StoreReadings {
  readonly datasets: () => Promise<readonly DatasetReading[]>;
  readonly budgets: () => Promise<readonly BudgetReading[]>;
  readonly jobs: () => Promise<readonly JobReading[]>;
  readonly webhooks: () => Promise<WebhookReading>;
  /** Logged changes that alert rules have not looked at. */
  readonly unevaluated: () => Promise<number>;
  /** Undefined where there is none. */
  readonly replica: ReplicaReading | undefined;
}

/** The store is read by all processes, so that every replica tells the same. */
export function registerStoreMetrics(registry: Registry, readings: StoreReadings): void {
  readGauge(registry, {
    name: "ids_store_reachable",
    help: "1 while the store can be read. While it is 0, all that is read from it is absent here.",
    labels: [],
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
    labels: [],
    read: async () => [[{}, await readings.unevaluated()]],
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
    help: "Time since what a dataset is made from was last read well.",
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
    help: "Refreshes that failed or were refused.",
    labels,
    read: () => ofEach(({ failures }) => failures),
  });
  readCounter(registry, {
    name: "ids_source_drift_total",
    help: "Differences in the form of a source's answers: fields that are new, gone or of another type, and new codes.",
    labels,
    read: () => ofEach(({ drifts = 0 }) => drifts),
  });
  readGauge(registry, {
    name: "ids_ingest_age_seconds",
    help: "Age of the last good answer.",
    labels,
    read: () => ofEach(({ lastGoodAgeSeconds }) => lastGoodAgeSeconds),
  });
  readGauge(registry, {
    name: "ids_source_up",
    help: "Last result of a source: 1 good, if only in parts; 0 failed or refused. Absent for one that was not asked.",
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
    help: "Requests sent today, by UTC, to sources with a daily budget; those that share one are counted together.",
    labels: ["budget"],
    read: async () => (await budgets()).map(({ of: budget, used }) => [{ budget }, used]),
  });
  readGauge(registry, {
    name: "ids_source_budget_limit",
    help: "Requests that may be sent in a day, by UTC, to sources with a daily budget.",
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
  gauge("ids_jobs_waiting", "Jobs that are due and not begun.", ({ waiting }) => waiting);
  gauge("ids_jobs_running", "Jobs that a worker has in hand.", ({ running }) => running);
  gauge("ids_jobs_failed", "Jobs that failed for good, as long as the queue keeps them.", ({ failed }) => failed);
  gauge(
    "ids_jobs_oldest_waiting_seconds",
    "For how long the oldest job that is not begun has been due; 0 where none is.",
    ({ oldestSeconds }) => oldestSeconds,
  );
}

function registerWebhooks(registry: Registry, { webhooks }: StoreReadings): void {
  const gauge = (name: string, help: string, read: (reading: WebhookReading) => number) =>
    readGauge(registry, { ...{ name, help, labels: [] }, read: async () => [[{}, read(await webhooks())]] });
  readGauge(registry, {
    name: "ids_webhooks",
    help: "Webhooks, and endpoints of alert rules, by state: active, failing (the delivery in front failed and is tried again), gone (410), exhausted (tried in vain).",
    labels: ["state"],
    read: async () => Object.entries((await webhooks()).states).map(([state, count]) => [{ state }, count]),
  });
  gauge("ids_webhook_deliveries_waiting", "Deliveries that wait, in all.", ({ waiting }) => waiting);
  gauge(
    "ids_webhook_oldest_waiting_seconds",
    "Age of the oldest delivery that waits, whyever it does; 0 where none does.",
    ({ oldestSeconds }) => oldestSeconds,
  );
  gauge(
    "ids_webhook_overdue_seconds",
    "For how long a delivery has been due and was not tried: workers are missing or slow. 0 where none is.",
    ({ overdueSeconds }) => overdueSeconds,
  );
  const worst = ["account", "webhook"] as const;
  readGauge(registry, {
    name: "ids_webhook_lag_seconds",
    help: "Age of the oldest delivery that waits, of the ten webhooks whose wait is longest.",
    labels: worst,
    read: async () =>
      (await webhooks()).worst.map(({ account, webhook, oldestSeconds }) => [{ account, webhook }, oldestSeconds]),
  });
  readGauge(registry, {
    name: "ids_webhook_failed_attempts",
    help: "Failed attempts at the delivery in front, of the same ten.",
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

/** How reads are shared between the primary and its replica. */
interface ReplicaReading {
  readonly state: () => string;
  /** Of the last look; undefined where it is not known. */
  readonly lagMs: () => number | undefined;
  /** Reads that asked the store, by where they went. */
  readonly counts: () => Readonly<Record<string, number>>;
}

/** Without a replica they have no values. */
function registerReplica(registry: Registry, replica: ReplicaReading | undefined): void {
  readGauge(registry, {
    name: "ids_read_replica_used",
    help: "1 while reads go to the replica, 0 while it is behind or out of reach.",
    labels: [],
    read: () => (replica ? [[{}, replica.state() === "used" ? 1 : 0]] : []),
  });
  readGauge(registry, {
    name: "ids_read_replica_lag_seconds",
    help: "How far the replica was behind the primary when it was last looked at.",
    labels: [],
    read: () => {
      const lagMs = replica?.lagMs();
      return lagMs === undefined ? [] : [[{}, lagMs / 1_000]];
    },
  });
  readCounter(registry, {
    name: "ids_replica_reads_total",
    help: "Reads of data that asked the store, by where they went: replica, primary, or both (failed on the replica and was repeated).",
    labels: ["from"],
    read: () => Object.entries(replica?.counts() ?? {}).map(([from, count]) => [{ from }, count]),
  });
}
