import { type Kysely, sql } from "kysely";
import { dayMs } from "../reference/duration.ts";
import type { StoreTables } from "../store/tables.ts";

export interface UsageRow {
  /** UTC day, `YYYY-MM-DD`. */
  readonly day: string;
  readonly operation: string;
  readonly calls: bigint;
}

/** Returns an account's calls of the last UTC days, newest day first, then by operation. */
export type ReadUsage = (account: string, days: number, now: Date) => Promise<readonly UsageRow[]>;

export function usageTable(database: Kysely<StoreTables>): ReadUsage {
  return async (account, days, now) => {
    const from = new Date(now.getTime() - (days - 1) * dayMs).toISOString().slice(0, 10);
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
