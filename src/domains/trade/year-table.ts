import { type Kysely, sql, type Transaction } from "kysely";
import type { RowCount } from "../../ingest/dataset.ts";
import { storedOrigins } from "../../ingest/stored-metadata.ts";
import { countryByNumeric } from "../../reference/countries/countries.ts";
import type { StoreTables } from "../../store/tables.ts";

/** Deletes the rows of a dataset that have the other origin, because the tables must not mix sample and live rows. */
export async function retainOneOrigin(
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

/** Counts the years in a table by reporting country. Economies such as the European Union have no country. */
export function countReporterRows(table: string) {
  return async (database: Kysely<StoreTables>): Promise<RowCount[]> => {
    const { rows } = await sql<Omit<RowCount, "country"> & { readonly reporter: string }>`
      select null as source, reporter, count(*)::int as rows,
        (extract(epoch from make_date(min(year), 1, 1)) * 1000)::float8 as first,
        (extract(epoch from make_date(max(year), 1, 1)) * 1000)::float8 as last
      from ${sql.table(table)} group by reporter`.execute(database);
    return rows.map(({ reporter, ...row }) => ({ ...row, country: countryByNumeric(Number(reporter))?.alpha2 ?? "" }));
  };
}
