import { sql } from "kysely";
import { TariffDatapointSchema, TradeFlowSchema, TradeService } from "../../../gen/es/ids/trade/v1/trade_pb.ts";
import type { RowCount } from "../../ingest/dataset.ts";
import type { DatasetSeries } from "../../ingest/series/dataset-series.ts";
import { seriesOfField } from "../../ingest/series/series.ts";
import { storedOrigins } from "../../ingest/stored-metadata.ts";
import { countryByNumeric } from "../../reference/countries/countries.ts";
import { unionCode, wtoUnion } from "../../reference/countries/european-union.ts";
import type { Store, Transaction } from "../../store/tables.ts";

/** Deletes the rows of the other origin, because samples and live rows must not be stored together. */
export async function retainOneOrigin(
  transaction: Transaction,
  { dataset, origin }: { readonly dataset: string; readonly origin: "live" | "sample" },
  tables: readonly string[],
): Promise<void> {
  const stored = (await storedOrigins(transaction, [{ name: dataset }])).get(dataset);
  if (stored === undefined || stored === origin) return;
  for (const table of tables) await sql`delete from ${sql.table(table)}`.execute(transaction);
  await sql`delete from trade_coverage where dataset = ${dataset}`.execute(transaction);
}

export async function countYears(transaction: Transaction, table: string): Promise<number> {
  const { rows } = await sql<{ years: string }>`select count(*) as years from ${sql.table(table)}`.execute(transaction);
  return Number(rows[0]?.years);
}

/** Returns a function that counts a table's rows by country. Rows of the European Union and the like have none. */
export function countReporterRows(table: string) {
  return async (database: Store): Promise<RowCount[]> => {
    const { rows } = await sql<Omit<RowCount, "country"> & { readonly reporter: string }>`
      select null as source, reporter, count(*)::int as rows,
        (extract(epoch from make_date(min(year), 1, 1)) * 1000)::float8 as first,
        (extract(epoch from make_date(max(year), 1, 1)) * 1000)::float8 as last
      from ${sql.table(table)} group by reporter`.execute(database);
    return rows.map(({ reporter, ...row }) => ({ ...row, country: countryByNumeric(Number(reporter))?.alpha2 ?? "" }));
  };
}

/** The last known name of an economy, and the time when its rows were last read. */
export interface Freshness {
  readonly name: string;
  readonly fetchedAt: Date;
}

/** Returns the name and the read time of an economy. `rows` must be in ascending order of years. */
export function freshness(rows: readonly { readonly name: string; readonly fetched_at: Date }[]): Freshness {
  const fetchedAt = new Date(Math.max(...rows.map(({ fetched_at }) => fetched_at.getTime())));
  return { name: rows.at(-1)?.name ?? "", fetchedAt };
}

const terms = { keyParts: ["reporter"], step: "year" } as const;
const rate = seriesOfField(
  { ...terms, id: "tariff.rate", unionKey: unionCode, shownBy: TradeService.method.getTariffTrends },
  TariffDatapointSchema.field.tariffRate,
);
const flows = { ...terms, shownBy: TradeService.method.getTradeFlows } as const;
const exported = seriesOfField({ ...flows, id: "trade.exports" }, TradeFlowSchema.field.exportValueUsd);
const imported = seriesOfField({ ...flows, id: "trade.imports" }, TradeFlowSchema.field.importValueUsd);

export const tariffSeries: DatasetSeries = {
  series: [rate],
  async read(transaction) {
    const { rows } = await sql<{ reporter: string; year: number; rate: number }>`
      select reporter, year, round(rate, 2)::float8 as rate from trade_tariff`.execute(transaction);
    return rows.map((row) => ({ series: rate, key: keyOf(row.reporter), at: startOf(row.year), value: row.rate }));
  },
};

export const flowSeries: DatasetSeries = {
  series: [exported, imported],
  async read(transaction) {
    const { rows } = await sql<{ reporter: string; year: number; exports: number; imports: number }>`
      select reporter, year, round(exports, 2)::float8 as exports, round(imports, 2)::float8 as imports
      from trade_flow where partner = '000'`.execute(transaction);
    return rows.flatMap(({ reporter, year, exports, imports }) => [
      { series: exported, key: keyOf(reporter), at: startOf(year), value: exports },
      { series: imported, key: keyOf(reporter), at: startOf(year), value: imports },
    ]);
  },
};

/** Returns the key of a reporter: its alpha-2 code, or the source's code if it is neither a country nor the Union. */
function keyOf(reporter: string): string {
  if (reporter === wtoUnion) return unionCode;
  return countryByNumeric(Number(reporter))?.alpha2 ?? reporter;
}

function startOf(year: number): Date {
  return new Date(Date.UTC(year, 0));
}
