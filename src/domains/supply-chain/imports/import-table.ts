import { sql } from "kysely";
import type { RowCount } from "../../../ingest/dataset.ts";
import { dayMs } from "../../../reference/duration.ts";
import { storedAtOf } from "../../../store/served/stored-dataset.ts";
import type { Store } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";

export const countryImportsName = "country-imports";

/** Returns when exposures were last computed. Rows have earlier times, because unchanged ones are not written. */
export const exposuresComputedAt = storedAtOf(countryImportsName);

const freshDays = 45;

export async function readProducts(database: Store, iso2: string) {
  return database
    .withTables<SupplyTables>()
    .selectFrom("imported_product")
    .selectAll()
    .where("iso2", "=", iso2)
    .orderBy("total_value", "desc")
    .orderBy("hs4")
    .execute();
}

/** Returns when a country's imports were last read. If it has none, returns the last read of any country. */
export async function readAt(database: Store, iso2: string): Promise<Date | undefined> {
  const { rows } = await sql<{ own: Date | null; newest: Date | null }>`
    select (select max(fetched_at) from imported_product where iso2 = ${iso2}) as own,
      (select max(fetched_at) from imported_product) as newest`.execute(database);
  return rows[0]?.own ?? rows[0]?.newest ?? undefined;
}

export function isOutdated(readAt: Date | undefined, now: Date): boolean {
  return readAt === undefined || now.getTime() - readAt.getTime() > freshDays * dayMs;
}

export async function countImportRows(database: Store): Promise<RowCount[]> {
  const { rows } = await sql<RowCount>`
    select null as source, iso2 as country, count(*)::int as rows,
      (extract(epoch from make_date(min(year), 1, 1)) * 1000)::float8 as first,
      (extract(epoch from make_date(max(year), 1, 1)) * 1000)::float8 as last
    from imported_product group by iso2`.execute(database);
  return rows;
}
