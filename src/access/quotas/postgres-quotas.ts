import { type ConnectionSettings, endWithin, openPool } from "../../store/pool.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { memoryQuotas, type Quotas } from "./quotas.ts";
import {
  type CounterStore,
  closedTimeoutMs,
  counterSeconds,
  givenBackWithinMs,
  SharedQuotas,
  type StoredWindow,
} from "./shared-quotas.ts";

/** Quotas with the resources that they have opened. */
export interface OpenQuotas extends Quotas {
  readonly close: () => Promise<void>;
}

export interface QuotaStoreOptions {
  readonly database: ConnectionSettings;
  readonly log: (message: string) => void;
}

/** Counts quotas in Postgres. With the embedded database, only this process exists and counts in memory. */
export async function openQuotas({ database, log }: QuotaStoreOptions): Promise<OpenQuotas> {
  if (database.kind === "postgres") return postgresQuotas(database, log);
  return { ...memoryQuotas(), close: async () => {} };
}

/** Quotas have their own connections, so that they do not wait for data reads, and the reverse. */
const connections = 4;
const sweepEveryMs = 300_000;

async function postgresQuotas(database: ConnectionSettings, log: QuotaStoreOptions["log"]): Promise<OpenQuotas> {
  const pool = openPool(database, { name: "quotas", log, max: connections, responseTimeoutMs: closedTimeoutMs });
  const sweep = async () => {
    await pool.query(sweepEnded);
  };
  // If deleting expired counters fails, the next attempt deletes the same rows.
  const sweeping = setInterval(() => void sweep().catch(() => {}), sweepEveryMs).unref();
  return new SharedQuotas(postgresCounters(pool), log, async () => {
    clearInterval(sweeping);
    await endWithin(pool);
  });
}

/** The part of a connection pool that runs statements. */
interface Queried {
  readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

/**
 * Time of the server in Unix epoch milliseconds. With the clock of a process that is ahead, all windows would end
 * early.
 */
const now = "(extract(epoch from clock_timestamp()) * 1000)::int8";

// The clock is read once per counter, because the window could end between two reads. Counters are locked in the same
// order to avoid deadlocks.
const add = `
  insert into quota (key, points, expire)
  select key, points, ${now} + lasts from unnest($1::text[], $2::int[], $3::int8[]) as given (key, points, lasts)
  order by key collate "C"
  on conflict (key) do update set (points, expire) = (
    select case when ended then excluded.points else quota.points + excluded.points end,
      case when ended then excluded.expire else quota.expire end
    from (select quota.expire <= ${now} as ended) as counter
  )
  returning key, points, expire::float8 as ends, ${now}::float8 as now`;
const read = `
  select key, points, ends, now from (
    select key, points, expire::float8 as ends, ${now}::float8 as now from quota where key = $1
  ) as found where ends > now`;
const giveBack = `
  with found as (
    select key, given.points
    from quota join unnest($1::text[], $2::int[], $3::int8[]) as given (key, points, before) using (key)
    where expire < before order by key collate "C" for update of quota
  )
  update quota set points = quota.points - found.points from found where quota.key = found.key`;

/** Deletes the counters of expired windows. */
const sweepEnded = `delete from quota where expire < ${now}`;

/** A counter. Times are those of the database server's clock. */
interface Row {
  readonly key: string;
  readonly points: number;
  readonly ends: number;
  readonly now: number;
}

/** Counters in a table of the store. */
export function postgresCounters(pool: Queried): CounterStore {
  /** Lower bound of the difference between the clock of the database server and this process's monotonic clock. */
  let offset = 0;
  const query = async (text: string, values: unknown[]): Promise<ReadonlyMap<string, StoredWindow>> => {
    const sentAt = performance.now();
    const rows = (await pool.query(text, values)).rows as readonly Row[];
    const receivedAt = performance.now();
    const found = new Map<string, StoredWindow>();
    for (const { key, points, ends, now } of rows) {
      offset = now - receivedAt;
      // The time that request and response took is subtracted. The window may then seem to end early, but never lasts
      // too long.
      found.set(key, { used: points, msLeft: Math.max(0, ends - now - (receivedAt - sentAt)) });
    }
    return found;
  };
  const addTogether = batchByKey((added: readonly Change[]) => query(add, columnsOf(added)));
  const giveTogether = batchByKey(async (given: readonly Change[]) => {
    await pool.query(giveBack, columnsOf(given));
    return new Map<string, undefined>();
  });
  return {
    async add(rule: QuotaRule, key, points) {
      const window = await addTogether({ key, points, ms: counterSeconds(rule) * 1_000 });
      if (!window) throw new Error("The counter returned nothing");
      return window;
    },
    giveBack: (_rule, key, points, msLeft) =>
      giveTogether({ key, points, ms: Math.round(performance.now() + offset + givenBackWithinMs(msLeft)) }),
    read: async (_rule, key) => (await query(read, [key])).get(key),
  };
}

interface Change extends Keyed {
  readonly points: number;
  /** Duration of a new counter in milliseconds. For refunds, the latest end of the window, by the server's clock. */
  readonly ms: number;
}

function columnsOf(changes: readonly Change[]): unknown[][] {
  return [changes.map(({ key }) => key), changes.map(({ points }) => points), changes.map(({ ms }) => ms)];
}

/** An item whose result is returned under its key. */
export interface Keyed {
  readonly key: string;
}

interface Requested<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result | undefined) => void;
  readonly reject: (cause: unknown) => void;
}

/** Maximum number of concurrent batches. A second one can run while the first one hangs. */
const maxUnderWay = 2;
/** Maximum items per statement. An attack may come from thousands of addresses per second. */
const maxTogether = 500;

/**
 * Batches requests by key. Items that arrive while batches are running form the next one. A batch contains each key
 * once. `runBatch` returns results by key; an item without one resolves to undefined.
 */
export function batchByKey<Item extends Keyed, Result>(
  runBatch: (items: readonly Item[]) => Promise<ReadonlyMap<string, Result>>,
): (item: Item) => Promise<Result | undefined> {
  let waiting: Requested<Item, Result>[] = [];
  let underWay = 0;
  let isScheduled = false;

  const takeTogether = () => {
    const together = new Map<string, Requested<Item, Result>>();
    waiting = waiting.filter((requested) => {
      if (together.size >= maxTogether || together.has(requested.item.key)) return true;
      together.set(requested.item.key, requested);
      return false;
    });
    return [...together.values()];
  };

  const go = async () => {
    isScheduled = false;
    const together = takeTogether();
    underWay += 1;
    try {
      const results = await runBatch(together.map(({ item }) => item));
      for (const { item, resolve } of together) resolve(results.get(item.key));
    } catch (cause) {
      for (const { reject } of together) reject(cause);
    } finally {
      underWay -= 1;
      schedule();
    }
  };

  const schedule = () => {
    if (isScheduled || waiting.length === 0 || underWay >= maxUnderWay) return;
    isScheduled = true;
    // The batch starts in a microtask, so that items of the same tick join it.
    queueMicrotask(() => void go());
  };

  return (item) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      schedule();
    });
}
