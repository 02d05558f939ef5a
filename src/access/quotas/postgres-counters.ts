import { batchByKey, type Keyed } from "./batch-by-key.ts";
import type { QuotaRule } from "./quota-rules.ts";
import { type CounterStore, counterSeconds, givenBackWithinMs, type StoredWindow } from "./shared-quotas.ts";

/** What runs a statement. */
interface Queried {
  readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

/** The server's clock, Unix epoch milliseconds: by one of a process that is fast, the windows of all would end early. */
const now = "(extract(epoch from clock_timestamp()) * 1000)::int8";

// Its clock is read once for a counter: between two looks the window could end. All processes lock counters in the same order.
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

/** Deletes the counters whose windows are over. */
export const sweepEnded = `delete from quota where expire < ${now}`;

/** Moments are by the server's clock. */
interface Row {
  readonly key: string;
  readonly points: number;
  readonly ends: number;
  readonly now: number;
}

/** Counters in the store's own table. */
export function postgresCounters(pool: Queried): CounterStore {
  /** How far the server's clock is before the monotonic one of this process, or a little less. */
  let offset = 0;
  const sendRequest = async (text: string, values: unknown[]): Promise<ReadonlyMap<string, StoredWindow>> => {
    const requested = performance.now();
    const rows = (await pool.query(text, values)).rows as readonly Row[];
    const heard = performance.now();
    const found = new Map<string, StoredWindow>();
    for (const { key, points, ends, now } of rows) {
      offset = now - heard;
      // Rather too early an end than points of a window in the next one.
      found.set(key, { used: points, msLeft: Math.max(0, ends - now - (heard - requested)) });
    }
    return found;
  };
  const addTogether = batchByKey((added: readonly Change[]) => sendRequest(add, columnsOf(added)));
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
    read: async (_rule, key) => (await sendRequest(read, [key])).get(key),
  };
}

interface Change extends Keyed {
  readonly points: number;
  /** How long the counter lasts, or before when it has to end. */
  readonly ms: number;
}

function columnsOf(changes: readonly Change[]): unknown[][] {
  return [changes.map(({ key }) => key), changes.map(({ points }) => points), changes.map(({ ms }) => ms)];
}
