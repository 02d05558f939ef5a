import type { Kysely } from "kysely";
import { type ConstructorOptions, type Db, fromKysely, PgBoss } from "pg-boss";
import { ConfigurationError, Unavailable } from "../errors.ts";
import { quietly } from "../log/log.ts";
import type { Database } from "../store/database.ts";
import { listen } from "../store/listener.ts";

export interface JobKind {
  /** Name of letters, digits, and the characters `_`, `-`, `.`, and `/`. */
  readonly name: string;
  /** If true, a job is dropped while another one with its key waits or runs in any process. */
  readonly onePerKey?: boolean;
  /** Timeout of a run in seconds. A longer run is aborted and counts as failed. The default is 900. */
  readonly expireSeconds?: number;
  /**
   * A run whose worker sends no heartbeat for this time is given to another worker. The minimum is 10, the default 30.
   */
  readonly leaseSeconds?: number;
  /** Number of retries after a failure or crash, with increasing pauses. The default is 2. */
  readonly retries?: number;
  /** Pause before the first retry, in seconds. The default is 30. */
  readonly retryAfterSeconds?: number;
  /** Seconds after which a completed job is deleted. The default is a week. */
  readonly cacheSeconds?: number;
}

export interface SendOptions {
  readonly key?: string;
  readonly startAfter?: Date;
  /** Priority; higher ones start first. The default is 0. */
  readonly priority?: number;
  /** Transaction whose commit creates the job. */
  readonly transaction?: Pick<Kysely<never>, "executeQuery">;
}

export interface Run {
  readonly id: string;
  /** Number of the run: 1 for the first, and more for retries. */
  readonly attempt: number;
  /** Signal that aborts the run: it took too long, another worker has the job, or the process shuts down. */
  readonly signal: AbortSignal;
}

/** Adds a job. Resolves to its ID, or to undefined if it was dropped because of its key. */
export type Send = <Data extends object>(
  kind: JobKind,
  data: Data,
  options?: SendOptions,
) => Promise<string | undefined>;

export interface Queue {
  readonly send: Send;
  /** Runs jobs of this kind in this process. */
  readonly work: <Data extends object>(
    kind: JobKind,
    handler: (data: Data, run: Run) => Promise<void>,
    concurrency?: number,
  ) => Promise<void>;
  /** Adds a job at each time of a cron expression in UTC. Replaces the schedule with the same key. */
  readonly schedule: (kind: JobKind, cron: string, data: object, key: string) => Promise<void>;
  /** Removes schedules of this kind whose keys are not listed. */
  readonly unscheduleOthers: (kind: JobKind, keys: readonly string[]) => Promise<void>;
  /**
   * Deletes the unfinished jobs of an earlier process and returns their keys. Otherwise, new jobs with these keys would
   * be dropped until the lease ends. Call it only if no other process can run jobs of this kind.
   */
  readonly takeUnfinished: (kind: JobKind) => Promise<string[]>;
  /** Waits for running jobs up to `graceMs`, then aborts them. Another process can retry them. */
  readonly close: (graceMs?: number) => Promise<void>;
}

export interface QueueOptions {
  readonly kinds: readonly JobKind[];
  /** Purpose of the queue in this process. To `send` jobs, it needs no timers and no connection of its own. */
  readonly role: "send" | "work";
  readonly superviseSeconds?: number;
  readonly log: (message: string) => void;
}

export async function openQueue(database: Database, options: QueueOptions): Promise<Queue> {
  const { kinds, log } = options;
  const turnOf = quietly();
  // The library's error texts contain the number of a worker. Numbers are removed, so that an error of several workers
  // is logged once.
  const report = (message: string) => {
    const unreported = turnOf(message.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, ""));
    if (unreported !== undefined)
      log(`Job queue: ${message}${unreported > 0 ? ` (and ${unreported} times before)` : ""}`);
  };
  const boss = new PgBoss({ db: connection(database, log), ...timers(database, options) });
  boss.on("error", (error) => report(error.message));
  boss.on("warning", ({ message }) => report(message));
  try {
    // All kinds are registered at startup. If a kind was looked up later in a transaction of an embedded database, the
    // lookup would wait for the end of the transaction.
    for (const kind of kinds) await provide(boss, kind);
    await boss.start();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new ConfigurationError(
      `The schema of the job queue does not match this program. Migrate the database: ${error}`,
      {
        cause: error,
      },
    );
  }
  // Only the first worker of each kind polls often, which is enough to find delayed jobs.
  const pollTimers: NodeJS.Timeout[] = [];
  return {
    async send(kind, data, { key, startAfter, priority, transaction } = {}) {
      const id = await boss.send(kind.name, data, {
        ...(key !== undefined && { singletonKey: key }),
        ...(startAfter && { startAfter }),
        ...(priority !== undefined && { priority }),
        ...(transaction && { db: fromKysely(transaction) }),
      });
      return id ?? undefined;
    },
    async work(kind, handler, concurrency = 1) {
      const look = await startWorkers(boss, kind, handler, { concurrency, log });
      if (concurrency > 1) pollTimers.push(setInterval(look, polling.pollingIntervalSeconds * 1_000).unref());
    },
    async schedule(kind, cron, data, key) {
      // If schedules were missed while no process was running, the job runs once.
      await boss.schedule(kind.name, cron, data, { key, singletonKey: key, tz: "UTC", missed: "once" });
    },
    async unscheduleOthers({ name }, keys) {
      await database.query("delete from pgboss.schedule where name = $1 and key <> all($2::text[])", [name, keys]);
    },
    async takeUnfinished({ name }) {
      const { rows } = await database.query<{ key: string | null }>(
        "delete from pgboss.job where name = $1 and state in ('active', 'retry') returning singleton_key as key",
        [name],
      );
      return rows.flatMap(({ key }) => key ?? []);
    },
    async close(graceMs = 8000) {
      for (const look of pollTimers) clearInterval(look);
      await boss.stop({ graceful: true, timeout: graceMs });
    },
  };
}

type Handler<Data> = (data: Data, run: Run) => Promise<void>;

/** Starts the workers of a kind. Returns a function that wakes a free worker while the polling one is busy. */
async function startWorkers<Data extends object>(
  boss: PgBoss,
  kind: JobKind,
  handler: Handler<Data>,
  { concurrency, log }: Pick<QueueOptions, "log"> & { readonly concurrency: number },
): Promise<() => void> {
  const workers: string[] = [];
  const busy = new Set<number>();
  for (let place = 0; place < concurrency; place += 1) {
    const polls = place === 0 ? polling : pollingBehind;
    const worker = await boss.work<Data>(kind.name, polls, async (jobs) => {
      // A worker with a job wakes the next worker. When it is done, it looks for another job.
      const next = workers[place + 1];
      if (next !== undefined) boss.notifyWorker(next);
      boss.notifyWorker(worker);
      busy.add(place);
      try {
        for (const { id, data, retryCount, signal } of jobs)
          await handler(data, { id, attempt: retryCount + 1, signal }).catch((error) => {
            log(`Job ${kind.name} ${id} failed, attempt ${retryCount + 1}: ${error}`);
            throw error;
          });
      } finally {
        busy.delete(place);
      }
    });
    workers.push(worker);
  }
  return () => {
    const free = busy.has(0) ? workers.find((_, place) => !busy.has(place)) : undefined;
    if (free !== undefined) boss.notifyWorker(free);
  };
}

// Notifications wake workers immediately. Polling finds delayed jobs and jobs with a lost notification, for which one
// frequent poller per kind is enough.
const polling = { pollingIntervalSeconds: 5, notifyPollingIntervalSeconds: 5 };
const pollingBehind = { ...polling, notifyPollingIntervalSeconds: 30 };

function timers(database: Database, { role, superviseSeconds = 15 }: QueueOptions): ConstructorOptions {
  if (role === "send") return { migrate: false, supervise: false, schedule: false };
  return {
    useListenNotify: true,
    superviseIntervalSeconds: superviseSeconds,
    monitorIntervalSeconds: superviseSeconds,
    maintenanceIntervalSeconds: 3600,
    cronWorkerIntervalSeconds: 15,
    // Interval for the library's jobs that depend on each other, which are not used here.
    flowIntervalSeconds: 3600,
    // The embedded database has no autovacuum that the library could monitor.
    monitorVacuum: database.kind === "postgres",
    reindex: database.kind === "postgres",
  };
}

function connection(database: Database, log: (message: string) => void): Db {
  return {
    executeSql: database.query,
    async listen(channel, onNotification, onConnect) {
      return listen(database.settings, { channel, onNotification, onConnect, log });
    },
  };
}

async function provide(boss: PgBoss, kind: JobKind): Promise<void> {
  const { name, onePerKey = false, leaseSeconds = 30, expireSeconds = 900, cacheSeconds = 604_800 } = kind;
  const { retries = 2, retryAfterSeconds = 30 } = kind;
  const settings = {
    notify: true,
    heartbeatSeconds: leaseSeconds,
    expireInSeconds: expireSeconds,
    deleteAfterSeconds: cacheSeconds,
    retryLimit: retries,
    retryDelay: retryAfterSeconds,
    retryBackoff: true,
  };
  await boss.createQueue(name, { policy: onePerKey ? "exclusive" : "standard", ...settings });
  await boss.updateQueue(name, settings);
}
