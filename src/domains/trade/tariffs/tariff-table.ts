import { sql } from "kysely";
import { type CollectedTariff, TariffRowSchema, type TariffSeries } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { TradeService } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { world } from "../../../providers/wto/wto.ts";
import type { Store, Transaction } from "../../../store/tables.ts";
import { storeOutcomes } from "../coverage-table.ts";
import { countReporterRows, countYears, freshness, retainOneOrigin, tariffSeries } from "../trade-series.ts";
import { fredTariff } from "./fred-tariff.ts";
import { wtoTariffs } from "./wto-tariffs.ts";

/** Reads the tariff rates of a reporter, with two decimals. Undefined if there are none. */
export async function readTariffs(database: Store, reporter: string, years: number) {
  const { rows } = await sql<{ year: number; rate: number; name: string; fetched_at: Date }>`
    select year, round(rate, 2)::float8 as rate, name, fetched_at from trade_tariff
    where reporter = ${reporter}
      and year >= (select max(year) from trade_tariff where reporter = ${reporter}) - ${years}::int
    order by year`.execute(database);
  return rows.length === 0 ? undefined : { years: rows, ...freshness(rows) };
}

/** Reads the tariff that a reporter actually collected. Undefined if it is unknown. */
export async function readCollected(database: Store, reporter: string) {
  const { rows } = await sql<{ quarter: string; rate: number; fetched_at: Date }>`
    select quarter, round(duties * 100 / imports, 2)::float8 as rate, fetched_at from trade_collected_tariff
    where reporter = ${reporter}`.execute(database);
  return rows.map(({ quarter, rate, fetched_at }) => ({ quarter, rate, fetchedAt: fetched_at }))[0];
}

/** Adds new years and updates stored ones. Stored years are never deleted. */
export async function storeTariffs(transaction: Transaction, series: readonly TariffSeries[], now: Date) {
  const rows = series.flatMap(({ reporter, name, points }) =>
    points.map(({ year, rate }) => ({ reporter, year, rate, name, fetched_at: now })),
  );
  await sql`
    insert into trade_tariff select * from json_populate_recordset(null::trade_tariff, ${JSON.stringify(rows)})
    on conflict (reporter, year) do update set
      (rate, name, fetched_at) = (excluded.rate, excluded.name, excluded.fetched_at)`.execute(transaction);
}

async function storeCollected(
  transaction: Transaction,
  { reporter, quarter, duties, imports }: CollectedTariff,
  now: Date,
): Promise<void> {
  const row = { reporter, quarter, duties, imports, fetched_at: now };
  await sql`
    insert into trade_collected_tariff
    select * from json_populate_record(null::trade_collected_tariff, ${JSON.stringify(row)})
    on conflict (reporter) do update set
      (quarter, duties, imports, fetched_at) = (excluded.quarter, excluded.duties, excluded.imports, excluded.fetched_at)
  `.execute(transaction);
}

const name = "trade-tariffs";

export const tradeTariffs = dataset({
  name,
  subject: "Average applied tariffs of economies by year, without tariffs of single products.",
  notIncluded: [
    "duty (of single products), duties (of single products), tariffs by product, tariffs by partner: one average of each economy and year",
  ],
  row: TariffRowSchema,
  schedule: "40 4 * * *",
  freshForMinutes: 49 * 60,
  // Tariffs are annual, so stored ones stay valid for long.
  servableForMinutes: 90 * 24 * 60,
  serves: [TradeService.method.getTariffTrends],
  main: [wtoTariffs],
  storedTables: ["trade_tariff", "trade_collected_tariff", "trade_coverage"],
  counters: ["empty_streak"],
  series: tariffSeries,
  sources: [wtoTariffs, fredTariff],
  rowsInTable: true,
  countRows: countReporterRows("trade_tariff"),
  async write(transaction, { bySource, origin, now }) {
    await retainOneOrigin(transaction, { dataset: name, origin }, ["trade_tariff", "trade_collected_tariff"]);
    const reported = [...bySource.values()].flat().map((row) => row.reported);
    const series = reported.flatMap((one) => (one.case === "series" ? one.value : []));
    const empty = reported.flatMap((one) => (one.case === "empty" ? one.value.reporters : []));
    await storeTariffs(transaction, series, now);
    await storeOutcomes(transaction, { dataset: name, partner: world, emptyRuns: 1, now }, { series, empty });
    for (const one of reported) if (one.case === "collected") await storeCollected(transaction, one.value, now);
    return countYears(transaction, "trade_tariff");
  },
});
