import { TariffRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { TradeService } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { world } from "../../../providers/wto/wto.ts";
import { storeOutcomes } from "../coverage-table.ts";
import { tariffSeries } from "../trade-series.ts";
import { countReporterRows, countYears, retainOneOrigin } from "../year-table.ts";
import { fredTariff } from "./fred-tariff.ts";
import { storeCollected, storeTariffs } from "./tariff-table.ts";
import { wtoTariffs } from "./wto-tariffs.ts";

const name = "trade-tariffs";

export const tradeTariffs = dataset({
  name,
  subject: "Average applied tariffs of economies, by year.",
  row: TariffRowSchema,
  schedule: "40 4 * * *",
  freshForMinutes: 49 * 60,
  // The data is annual.
  servableForMinutes: 90 * 24 * 60,
  serves: [TradeService.method.getTariffTrends],
  main: [wtoTariffs],
  storedTables: ["trade_tariff", "trade_collected_tariff", "trade_coverage"],
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
