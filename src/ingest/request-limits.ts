import { sql } from "kysely";
import type { Config } from "../config/config.ts";
import { parseValue } from "../config/reading.ts";
import { count } from "../config/text-types.ts";
import { UpstreamError } from "../egress/upstream-error.ts";
import { isoDay } from "../reference/calendar.ts";
import { dayMs, secondMs } from "../reference/duration.ts";
import type { Store } from "../store/tables.ts";
import type { StoredPauses } from "../upstream/hosts.ts";
import type { DailyBudget, Requested, SourceTerms } from "./source.ts";

/** Counts a request in the daily budget with this name. Returns false if no request is left for the UTC day. */
export type TakeRequest = (of: string, day: string, max: number) => Promise<boolean>;

const daysStored = 30;

/** Counts requests in the store, for all processes and across restarts. */
export function storedBudget(database: Store): TakeRequest {
  return async (source, day, max) => {
    const taken = await database
      .insertInto("source_request")
      .values({ source, day, requests: 1 })
      .onConflict((conflict) =>
        conflict
          .columns(["source", "day"])
          .doUpdateSet({ requests: sql`source_request.requests + 1` })
          .where("source_request.requests", "<", max),
      )
      .returning("requests")
      .executeTakeFirst();
    if (taken?.requests === 1) {
      const before = isoDay(Date.parse(day) - daysStored * dayMs);
      await database.deleteFrom("source_request").where("source", "=", source).where("day", "<", before).execute();
    }
    return taken !== undefined;
  };
}

function requestsADay({ max, withKey, setBy }: DailyBudget, variable: Config["variable"]): number {
  const set = setBy === undefined ? undefined : variable(setBy);
  if (setBy !== undefined && set !== undefined) return parseValue({ name: setBy, type: count }, set);
  return withKey && variable(withKey.variable) ? withKey.max : max;
}

/**
 * Returns a function that counts a request in the daily budget of a source, and throws if the budget is used up.
 * Returns undefined if the source has no budget.
 */
export function takesRequests(
  { requestsADay: budget }: Requested,
  take: TakeRequest | undefined,
  { variable }: Pick<Config, "variable">,
  clock: () => Date,
): (() => Promise<void>) | undefined {
  if (!budget || !take) return undefined;
  return async () => {
    const max = requestsADay(budget, variable);
    const now = clock();
    const day = isoDay(now);
    if (await take(budget.of, day, max)) return;
    const next = Date.parse(day) + dayMs;
    throw new UpstreamError(
      `the ${max} requests of ${budget.of} for the day are spent, the next day begins at ${new Date(next).toISOString().slice(0, 16)}Z`,
      { kind: "over quota", unsent: true, retryAfterSeconds: Math.ceil((next - now.getTime()) / secondMs) },
    );
  };
}

export interface SpentBudget {
  readonly of: string;
  readonly used: number;
  readonly max: number;
}

/** Returns the used and maximum requests of each budget. A budget that several sources share is listed once. */
export async function spentBudgets(
  database: Store,
  sources: readonly Pick<SourceTerms, "requestsADay">[],
  { variable, now }: Pick<Config, "variable"> & { readonly now: Date },
): Promise<readonly SpentBudget[]> {
  const budgets = new Map(sources.flatMap(({ requestsADay: budget }) => (budget ? [[budget.of, budget]] : [])));
  const rows = await database
    .selectFrom("source_request")
    .select(["source", "requests"])
    .where("day", "=", isoDay(now))
    .execute();
  const used = new Map(rows.map(({ source, requests }) => [source, requests]));
  return [...budgets].map(([of, budget]) => ({ of, used: used.get(of) ?? 0, max: requestsADay(budget, variable) }));
}

/** Stores which hosts receive no requests for now, for all processes and across restarts. */
export function storedRests(database: Store): StoredPauses {
  return {
    async of(host) {
      const row = await database
        .selectFrom("host_rest")
        .select(["refusals", "until", "status", "passes"])
        .where("host", "=", host)
        .executeTakeFirst();
      return row && { ...row, until: row.until.getTime() };
    },
    async retain(host, rest) {
      const row = { ...rest, until: new Date(rest.until) };
      await database
        .insertInto("host_rest")
        .values({ host, ...row })
        // If two processes pause the same host, the later end of the pauses applies.
        .onConflict((conflict) =>
          conflict.column("host").doUpdateSet({
            ...row,
            refusals: sql`greatest(host_rest.refusals, excluded.refusals)`,
            until: sql`greatest(host_rest.until, excluded.until)`,
          }),
        )
        .execute();
    },
    async end(host) {
      await database.deleteFrom("host_rest").where("host", "=", host).execute();
    },
  };
}
