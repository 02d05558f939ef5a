import { sql, type Transaction } from "kysely";
import { storedOrigins } from "../../ingest/stored-facts.ts";
import type { StoreTables } from "../../store/tables.ts";

/** Empties the tables of a dataset when they hold the other kind of rows: samples and live ones never stand side by side. */
export async function keepOneOrigin(
  transaction: Transaction<StoreTables>,
  { dataset, origin }: { readonly dataset: string; readonly origin: "live" | "sample" },
  tables: readonly string[],
): Promise<void> {
  const stored = (await storedOrigins(transaction, [{ name: dataset }])).get(dataset);
  if (stored === undefined || stored === origin) return;
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(transaction);
  await sql`delete from trade_coverage where dataset = ${dataset}`.execute(transaction);
}

export async function countYears(transaction: Transaction<StoreTables>, table: string): Promise<number> {
  const { rows } = await sql<{ years: string }>`select count(*) as years from ${sql.table(table)}`.execute(transaction);
  return Number(rows[0]?.years);
}
