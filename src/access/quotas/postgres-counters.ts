import type { QuotaRule } from "./quota-rules.ts";
import { type CounterStore, counterSeconds, givenBackWithinMs } from "./shared-quotas.ts";

/** What runs a statement. */
interface Queried {
  readonly query: (text: string, values: unknown[]) => Promise<{ readonly rows: readonly unknown[] }>;
}

/** The server's clock, Unix epoch milliseconds: by one of a process that is fast, the windows of all would end early. */
const now = "(extract(epoch from clock_timestamp()) * 1000)::int8";

// Its clock is read once: between two looks the window could end.
const add = `
  insert into quota (key, points, expire) values ($1, $2, ${now} + $3)
  on conflict (key) do update set (points, expire) = (
    select case when ended then excluded.points else quota.points + excluded.points end,
      case when ended then excluded.expire else quota.expire end
    from (select quota.expire <= ${now} as ended) as counter
  )
  returning points, expire::float8 as ends, ${now}::float8 as now`;
const read = `
  select points, ends, now from (
    select points, expire::float8 as ends, ${now}::float8 as now from quota where key = $1
  ) as found where ends > now`;
const giveBack = "update quota set points = points - $1 where key = $2 and expire < $3";

/** Deletes the counters whose windows are over. */
export const sweepEnded = `delete from quota where expire < ${now}`;

/** Moments are by the server's clock. */
interface Row {
  readonly points: number;
  readonly ends: number;
  readonly now: number;
}

/** Counters in the store's own table. */
export function postgresCounters(pool: Queried): CounterStore {
  /** How far the server's clock is before the monotonic one of this process, or a little less. */
  let offset = 0;
  const ask = async (text: string, values: unknown[]) => {
    const asked = performance.now();
    const [row] = (await pool.query(text, values)).rows as readonly Row[];
    if (!row) return undefined;
    const heard = performance.now();
    offset = row.now - heard;
    // Rather too early an end than points of a window in the next one.
    return { used: row.points, msLeft: Math.max(0, row.ends - row.now - (heard - asked)) };
  };
  return {
    async add(rule: QuotaRule, key, points) {
      const window = await ask(add, [key, points, counterSeconds(rule) * 1_000]);
      if (!window) throw new Error("The counter returned nothing");
      return window;
    },
    giveBack: (_rule, key, points, msLeft) =>
      pool.query(giveBack, [points, key, Math.round(performance.now() + offset + givenBackWithinMs(msLeft))]),
    read: (_rule, key) => ask(read, [key]),
  };
}
