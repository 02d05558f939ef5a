import { sql, type Transaction } from "kysely";
import { namesOf } from "../../../reference/named.ts";
import type { StoreTables } from "../../../store/tables.ts";
import { history } from "../divergence/divergence-method.ts";
import { isFresh } from "./input-state.ts";
import { clocksOf, type MarketTables, type PremiumRow } from "./premium-table.ts";

/** Makes these the current premiums, and all of one origin; a metal that is not among them has none. */
export async function replaceCurrent(
  transaction: Transaction<StoreTables>,
  rows: readonly PremiumRow[],
  origin: "live" | "sample",
): Promise<void> {
  // Samples and live premiums are never kept side by side.
  await sql`with others as (delete from metal_premium where origin <> ${origin}) delete from metal_current`.execute(
    transaction,
  );
  if (rows.length > 0)
    await transaction
      .withTables<MarketTables>()
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
  const fresh = rows.filter((row) => isFresh(clocksOf({ ...row, print_day: row.print_date }), now.getTime()));
  const [first] = fresh;
  if (!first) return;
  const columns = namesOf(first);
  const of = (alias: string) => sql.join(columns.map((column) => sql.ref(`${alias}.${column}`)));
  const names = sql.join(columns.map((column) => sql.ref(column)));
  await sql`
    insert into metal_premium (${names})
    select ${of("fresh")} from json_populate_recordset(null::metal_premium, ${JSON.stringify(fresh)}) as fresh
    where not exists (
      select from metal_premium as known
      where (known.metal, known.methodology) = (fresh.metal, fresh.methodology) and known.print_date > fresh.print_date)
    on conflict (metal, methodology, print_date) do update set (${names}) = row(${of("excluded")})`.execute(
    transaction,
  );
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
