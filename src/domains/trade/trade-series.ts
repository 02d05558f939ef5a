import { sql } from "kysely";
import { TariffDatapointSchema, TradeFlowSchema, TradeService } from "../../../gen/es/ids/trade/v1/trade_pb.ts";
import type { DatasetSeries } from "../../ingest/series/dataset-series.ts";
import { seriesOfField } from "../../ingest/series/series.ts";
import { countryByNumeric } from "../../reference/countries/countries.ts";

const terms = { keyParts: ["reporter"], step: "year" } as const;
const rate = seriesOfField(
  { ...terms, id: "tariff.rate", shownBy: TradeService.method.getTariffTrends },
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

/** Returns the alpha-2 code if there is one. The source also has codes of economies that are not countries. */
function keyOf(reporter: string): string {
  return countryByNumeric(Number(reporter))?.alpha2 ?? reporter;
}

function startOf(year: number): Date {
  return new Date(Date.UTC(year, 0));
}
