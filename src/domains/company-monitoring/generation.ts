import { type QueryExecutorProvider, sql, type Transaction } from "kysely";
import { NotFound } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import type { Store, StoreTables } from "../../store/tables.ts";
import type { MonitoringTables, RevisionRows } from "./monitoring-table.ts";

/** A change of an account's companies or impacts. Readers see its rows together, as the next version of the data. */
export interface Change {
  readonly transaction: Transaction<StoreTables & MonitoringTables>;
  readonly account: string;
  readonly generation: number;
  readonly now: Date;
  /** The origin of new rows. Invented rows are `sample`. */
  readonly origin: "live" | "sample";
}

/** Changes an account's data, which gets the next version number. Changes of the same account run one by one. */
export async function changeAccount<T>(
  database: Store,
  { account, now, origin = "live" }: Pick<Change, "account" | "now"> & Partial<Pick<Change, "origin">>,
  work: (change: Change) => Promise<T>,
): Promise<T> {
  return database
    .withTables<MonitoringTables>()
    .transaction()
    .execute(async (transaction) => {
      const made = await transaction
        .insertInto("monitoring_account")
        .columns(["account", "generation", "oldest_generation"])
        .expression((known) =>
          known
            .selectFrom("account")
            .select(["id", sql<number>`1`.as("generation"), sql<number>`0`.as("oldest_generation")])
            .where("id", "=", account),
        )
        .onConflict((conflict) =>
          conflict.column("account").doUpdateSet({ generation: sql`monitoring_account.generation + 1` }),
        )
        .returning("generation")
        .executeTakeFirst();
      if (!made) throw new NotFound("No such account");
      const change = { transaction, account, generation: Number(made.generation), now, origin };
      await purge(change);
      return work(change);
    });
}

export async function closeRevision(change: Change, table: keyof RevisionRows, id: string): Promise<void> {
  const { transaction, account, generation, now } = change;
  await transaction
    .updateTable(table)
    .set({ to_generation: generation, closed_at: now })
    .where("account", "=", account)
    .where("id", "=", id)
    .where("to_generation", "is", null)
    .execute();
}

export function openedBy({ account, generation, now }: Change) {
  return { account, changed_at: now, from_generation: generation, to_generation: null, closed_at: null };
}

/** How long replaced revisions are stored: as long as cursors are valid, plus the difference between clocks. */
export const replacedForMs = dayMs + 60_000;

/** Maximum revisions that one statement deletes, so that other statements do not wait long. */
const purgedAtOnce = 1_000;

/** Deletes revisions that were replaced long ago. Older versions of the data can then no longer be read. */
export async function purge(
  { transaction, account, now }: Pick<Change, "account" | "now"> & { readonly transaction: QueryExecutorProvider },
  max = purgedAtOnce,
): Promise<number> {
  const before = new Date(now.getTime() - replacedForMs);
  const gone = (table: keyof RevisionRows) => sql`
    delete from ${sql.table(table)} where (account, id, revision) in (
      select account, id, revision from ${sql.table(table)} where account = ${account} and closed_at < ${before} limit ${max}
    ) returning to_generation`;
  const { rows } = await sql<{ purged: number }>`
    with companies as (${gone("monitored_company")}), impacts as (${gone("company_impact")}), gone as (
      select count(*)::int4 as purged, max(to_generation) as newest
      from (select to_generation from companies union all select to_generation from impacts) as revisions
    ), moved as (
      update monitoring_account set oldest_generation = greatest(oldest_generation, gone.newest)
      from gone where account = ${account} and gone.newest is not null
    )
    select purged from gone`.execute(transaction);
  return rows[0]?.purged ?? 0;
}
