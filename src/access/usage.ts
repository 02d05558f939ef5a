import { sql } from "kysely";
import { isoDay } from "../reference/calendar.ts";
import { dayMs } from "../reference/duration.ts";
import type { Store } from "../store/tables.ts";
import type { Principal } from "./keys/api-key.ts";
import { flushPeriodically, type PeriodicFlush } from "./periodic-flush.ts";

/** Counts calls by account, operation, and day. If a write fails, its counts are added to the next write. */
export interface UsageCounter extends PeriodicFlush {
  /** Counts a call in memory. Counts are written to the store within seconds. */
  readonly count: (principal: Principal, operation: string, now: number) => void;
  /** Records that a key was used, without counting a call. */
  readonly note: (principal: Principal, now: number) => void;
}

/** `last_used_at` may be this old, because an update per request would cost more than the request itself. */
const usedEveryMs = 300_000;
/** Maximum number of rows in memory while the store is unreachable. Above it, new rows are not counted. */
const maxRows = 100_000;

type Calls = Map<string, Map<string, number>>;

export function createUsageCounter(database: Store, warn: (message: string) => void): UsageCounter {
  /** Calls by day since the Unix epoch. Usually there is only the current day. */
  let days = new Map<number, Calls>();
  let rows = 0;
  const used = new Map<string, { at: number; writtenAt: number }>();
  let failing = false;

  const add = (day: number, account: string, operation: string, calls: number) => {
    const accounts: Calls = days.get(day) ?? new Map();
    if (accounts.size === 0) days.set(day, accounts);
    const operations = accounts.get(account) ?? new Map<string, number>();
    if (operations.size === 0) accounts.set(account, operations);
    const before = operations.get(operation);
    if (before === undefined && rows >= maxRows) return;
    if (before === undefined) rows += 1;
    operations.set(operation, (before ?? 0) + calls);
  };

  const count: UsageCounter["count"] = (principal, operation, now) => {
    add(Math.floor(now / dayMs), principal.account, operation, 1);
    note(principal, now);
  };

  const note: UsageCounter["note"] = ({ keyId }, now) => {
    const key = used.get(keyId);
    if (key) key.at = now;
    else used.set(keyId, { at: now, writtenAt: 0 });
  };

  const flush = async () => {
    const taken = days;
    days = new Map();
    rows = 0;
    const putBack = (cause: unknown) => {
      for (const [day, accounts] of taken)
        for (const [account, operations] of accounts)
          for (const [operation, calls] of operations) add(day, account, operation, calls);
      throw cause;
    };
    try {
      await writeUsage(database, taken).catch(putBack);
      await writeLastUse(database, used);
      failing = false;
    } catch (error) {
      if (!failing) warn(`usage cannot be written now: ${error instanceof Error ? error.message : String(error)}`);
      failing = true;
    }
  };

  return { count, note, ...flushPeriodically(flush) };
}

async function writeUsage(database: Store, days: ReadonlyMap<number, Calls>) {
  const values = [...days].flatMap(([day, accounts]) =>
    [...accounts].flatMap(([account, operations]) =>
      [...operations].map(([operation, calls]) => ({ account, day: dateOf(day), operation, calls })),
    ),
  );
  // All processes lock rows in the same order, so that they do not deadlock.
  values.sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  if (values.length === 0) return;
  await sql`
    insert into usage_day (account, day, operation, calls)
    select * from jsonb_to_recordset(${JSON.stringify(values)}::jsonb)
      as row (account text, day date, operation text, calls bigint)
    on conflict (account, day, operation) do update set calls = usage_day.calls + excluded.calls`.execute(database);
}

function keyOf({ account, day, operation }: { account: string; day: string; operation: string }): string {
  return `${account} ${day} ${operation}`;
}

function dateOf(day: number): string {
  return isoDay(day * dayMs);
}

/** Tables with a column `last_used_at`. No ID occurs in both tables. */
const usedTables = ["api_key", "feed_url"] as const;

async function writeLastUse(database: Store, used: Map<string, { at: number; writtenAt: number }>) {
  const due = [...used].filter(([, { at, writtenAt }]) => at - writtenAt >= usedEveryMs);
  const values = due.map(([id, { at }]) => ({ id, at: new Date(at).toISOString() }));
  for (const name of values.length > 0 ? usedTables : []) {
    const table = sql.table(name);
    // Rows that another transaction has locked are skipped, because waiting for their locks could deadlock.
    await sql`
      with due as (
        select used.id, row.at
        from ${table} as used join jsonb_to_recordset(${JSON.stringify(values)}::jsonb) as row (id text, at timestamptz)
          using (id)
        for no key update of used skip locked
      )
      update ${table} as used set last_used_at = greatest(used.last_used_at, due.at) from due where used.id = due.id`.execute(
      database,
    );
  }
  for (const [, key] of due) key.writtenAt = key.at;
  // Memory is limited. `last_used_at` of a removed key is written at its next use.
  if (used.size > maxRows) used.clear();
}

interface UsageRow {
  /** UTC day in the format `YYYY-MM-DD`. */
  readonly day: string;
  readonly operation: string;
  readonly calls: bigint;
}

/** Returns the calls of an account on the last UTC days, newest day first, then by operation. */
export type ReadUsage = (account: string, days: number, now: Date) => Promise<readonly UsageRow[]>;

export function usageTable(database: Store): ReadUsage {
  return async (account, days, now) => {
    const from = isoDay(now.getTime() - (days - 1) * dayMs);
    const rows = await database
      .selectFrom("usage_day")
      .select([sql<string>`to_char(day, 'YYYY-MM-DD')`.as("day"), "operation", "calls"])
      .where("account", "=", account)
      .where("day", ">=", from)
      .orderBy("usage_day.day", "desc")
      .orderBy("operation")
      .execute();
    return rows.map(({ day, operation, calls }) => ({ day, operation, calls: BigInt(calls) }));
  };
}
