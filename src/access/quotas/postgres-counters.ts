import { batchByKey, type Keyed } from "./batch-by-key.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { type CounterStore, counterSeconds, givenBackWithinMs, type StoredWindow } from "./shared-quotas.ts";

/** Connection that runs statements. */
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
export const sweepEnded = `delete from quota where expire < ${now}`;

/** Times are those of the server's clock. */
interface Row {
  readonly key: string;
  readonly points: number;
  readonly ends: number;
  readonly now: number;
}

/** Counters in a table of the store. */
export function postgresCounters(pool: Queried): CounterStore {
  /** Lower bound of the offset between the server's clock and this process's monotonic clock. */
  let offset = 0;
  const query = async (text: string, values: unknown[]): Promise<ReadonlyMap<string, StoredWindow>> => {
    const sentAt = performance.now();
    const rows = (await pool.query(text, values)).rows as readonly Row[];
    const receivedAt = performance.now();
    const found = new Map<string, StoredWindow>();
    for (const { key, points, ends, now } of rows) {
      offset = now - receivedAt;
      // The window may seem to end early, but its points never count for the next one.
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
  /** Remaining time of the counter, or its maximum for returned points. */
  readonly ms: number;
}

function columnsOf(changes: readonly Change[]): unknown[][] {
  return [changes.map(({ key }) => key), changes.map(({ points }) => points), changes.map(({ ms }) => ms)];
}
