import type { Kysely } from "kysely";
import { type ConstructorOptions, type Db, fromKysely, PgBoss } from "pg-boss";
import { ConfigurationError, Unavailable } from "../errors.ts";
import { quietly } from "../log/log.ts";
import type { Database } from "../store/database.ts";
import { listen } from "../store/listener.ts";

/** One kind of job: how it is kept and what is done when it fails. */
export interface JobKind {
  /** Letters, digits, `_`, `-`, `.` and `/`. */
  readonly name: string;
  /** Of jobs with the same key only one waits or runs at a time, in all processes together; further ones are dropped. */
  readonly onePerKey?: boolean;
  /** A run that takes longer is aborted and counts as failed; 900 when absent. */
  readonly expireSeconds?: number;
  /** A run whose worker gave no sign of life for so long is given to another; at least 10, 30 when absent. */
  readonly leaseSeconds?: number;
  /** How often a failed or lost run is tried again, with growing pauses; 2 when absent. */
  readonly retries?: number;
  /** The first pause; 30 when absent. */
  readonly retryAfterSeconds?: number;
  /** Jobs that ended are forgotten after this time; a week when absent. */
  readonly cacheSeconds?: number;
}

/** How one job is sent. */
export interface SendOptions {
  readonly key?: string;
  readonly startAfter?: Date;
  /** Of those that wait, the highest goes first; 0 when absent. */
  readonly priority?: number;
  /** The job exists once this transaction is committed, and never if it is not. */
  readonly transaction?: Pick<Kysely<never>, "executeQuery">;
}

/** One run of a job. */
export interface Run {
  readonly id: string;
  /** 1 for the first run. */
  readonly attempt: number;
  /** Aborted when the run must end: it expired, was lost to another worker, or the process closes. */
  readonly signal: AbortSignal;
}

/** Sends a job. Resolves to its id; undefined when it was dropped. */
export type Send = <Data extends object>(
  kind: JobKind,
  data: Data,
  options?: SendOptions,
) => Promise<string | undefined>;

/** The job queue. */
export interface Queue {
  readonly send: Send;
  /** Runs jobs of this kind here from now on, `atOnce` of them side by side. */
  readonly work: <Data extends object>(
    kind: JobKind,
    handler: (data: Data, run: Run) => Promise<void>,
    concurrency?: number,
  ) => Promise<void>;
  /** Sends a job at every time the cron expression names, in UTC; replaces the schedule of this key. */
  readonly schedule: (kind: JobKind, cron: string, data: object, key: string) => Promise<void>;
  /** Removes the schedules of this kind whose key is none of these. */
  readonly unscheduleOthers: (kind: JobKind, keys: readonly string[]) => Promise<void>;
  /**
   * Takes away the jobs of this kind that an earlier process left unfinished, and returns their keys, which would else stay
   * taken until a lease runs out. Only where no other process can be running one.
   */
  readonly takeUnfinished: (kind: JobKind) => Promise<string[]>;
  /** Lets runs in progress end for up to `graceMs`; what is left is aborted and tried again elsewhere. */
  readonly close: (graceMs?: number) => Promise<void>;
}

/** What a process wants of the queue. */
export interface QueueOptions {
  /** Every kind this process sends or runs. */
  readonly kinds: readonly JobKind[];
  /** `send` keeps no timers and no connection of its own. */
  readonly role: "send" | "work";
  /** How soon a lost run is noticed. */
  readonly superviseSeconds?: number;
  readonly log: (message: string) => void;
}

/** Opens the queue of a migrated database. */
export async function openQueue(database: Database, options: QueueOptions): Promise<Queue> {
  const { kinds, log } = options;
  const turnOf = quietly();
  // Each of its workers says the same, with a number of its own.
  const complain = (message: string) => {
    const unreported = turnOf(message.replace(/[0-9a-f-]*\d[0-9a-f-]*/gi, ""));
    if (unreported !== undefined)
      log(`Job queue: ${message}${unreported > 0 ? ` (and ${unreported} times before)` : ""}`);
  };
  const boss = new PgBoss({ db: connection(database, log), ...timers(database, options) });
  boss.on("error", (error) => complain(error.message));
  boss.on("warning", ({ message }) => complain(message));
  try {
    // The start then knows every kind; looking one up inside an embedded transaction would wait for that to end.
    for (const kind of kinds) await provide(boss, kind);
    await boss.start();
  } catch (error) {
    if (error instanceof Unavailable) throw error;
    throw new ConfigurationError(`The job queue does not fit this program, migrate the database: ${error}`, {
      cause: error,
    });
  }
  // What was delayed is found by polling, and only one worker of a kind polls often.
  const looks: NodeJS.Timeout[] = [];
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
      if (concurrency > 1) looks.push(setInterval(look, polling.pollingIntervalSeconds * 1_000).unref());
    },
    async schedule(kind, cron, data, key) {
      // After a standstill a schedule that came due runs once.
      await boss.schedule(kind.name, cron, data, { key, singletonKey: key, tz: "UTC", missed: "once" });
    },
    async unscheduleOthers({ name }, keys) {
      await database.query("delete from pgboss.schedule where name = $1 and key <> all($2::text[])", [name, keys]);
    },
    async takeUnfinished({ name }) {
      const { rows } = await database.query(
        "delete from pgboss.job where name = $1 and state in ('active', 'retry') returning singleton_key as key",
        [name],
      );
      return (rows as { key: string | null }[]).flatMap(({ key }) => key ?? []);
    },
    async close(graceMs = 8000) {
      for (const look of looks) clearInterval(look);
      await boss.stop({ graceful: true, timeout: graceMs });
    },
  };
}

type Handler<Data> = (data: Data, run: Run) => Promise<void>;

/** Returns what makes another worker look for a job in place of the one that polls, where that is busy. */
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
      // Whoever has got one makes another look, and looks for the next itself when it has done it.
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

// Notifications wake workers at once; polling finds what was delayed, and what went unheard. Where notifications are heard, the
// first worker of each kind is mostly enough for that.
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
    // Dependent jobs are not used.
    flowIntervalSeconds: 3600,
    // The embedded database has neither autovacuum nor other backends.
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
