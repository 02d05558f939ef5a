import { sql, type Transaction } from "kysely";
import { namesOf } from "../../../reference/named.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { history } from "../divergence/divergence-method.ts";
import { isFresh } from "./input-state.ts";
import { clocksOf, type MarketTables, type PremiumRow } from "./premium-table.ts";

/** Samples and live premiums are never kept side by side. */
export async function keepOnly(transaction: Transaction<StoreTables>, origin: "live" | "sample"): Promise<void> {
  await transaction.withTables<MarketTables>().deleteFrom("metal_premium").where("origin", "!=", origin).execute();
}

/** Makes these the current premiums; a metal that is not among them has none. */
export async function replaceCurrent(
  transaction: Transaction<StoreTables>,
  rows: readonly PremiumRow[],
): Promise<void> {
  const tables = transaction.withTables<MarketTables>();
  await tables.deleteFrom("metal_current").execute();
  if (rows.length > 0)
    await tables
      .insertInto("metal_current")
      .values([...rows])
      .execute();
}

/**
 * Adds to the history what is made from fresh prices alone. One of the same print takes its place; a print older than the
 * newest is left out, because today's other prices are not those of its day.
 */
export async function appendHistory(
  transaction: Transaction<StoreTables>,
  rows: readonly PremiumRow[],
  now: Date,
): Promise<void> {
  const tables = transaction.withTables<MarketTables>();
  const newest = await tables
    .selectFrom("metal_premium")
    .select(({ fn }) => ["metal", "methodology", fn.max(sql<string>`print_date::text`).as("print_date")])
    .groupBy(["metal", "methodology"])
    .execute();
  const isOld = ({ metal, methodology, print_date }: PremiumRow) =>
    newest.some((row) => row.metal === metal && row.methodology === methodology && row.print_date > print_date);
  const fresh = rows.filter(
    (row) => isFresh(clocksOf({ ...row, print_day: row.print_date }), now.getTime()) && !isOld(row),
  );
  const [first] = fresh;
  if (!first) return;
  const columns = namesOf(first);
  await tables
    .insertInto("metal_premium")
    .values(fresh)
    .onConflict((conflict) =>
      conflict
        .columns(["metal", "methodology", "print_date"])
        .doUpdateSet(({ ref }) => Object.fromEntries(columns.map((column) => [column, ref(`excluded.${column}`)]))),
    )
    .execute();
}

/** Drops what is older than the history goes back, and counts what is left. */
export async function trimHistory(transaction: Transaction<StoreTables>): Promise<number> {
  const { rows } = await sql<{ kept: string }>`
    with ranked as (
      select metal, methodology, print_date,
        row_number() over (partition by metal, methodology order by print_date desc) as place
      from metal_premium
    ), dropped as (
      delete from metal_premium using ranked
      where ranked.place > ${history.kept} and metal_premium.metal = ranked.metal
        and metal_premium.methodology = ranked.methodology and metal_premium.print_date = ranked.print_date
    )
    select count(*) as kept from ranked where place <= ${history.kept}`.execute(transaction);
  return Number(rows[0]?.kept ?? 0);
}
