import { FlowRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { TradeService } from "../../../../gen/es/ids/trade/v1/trade_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { world } from "../../../providers/wto/wto.ts";
import { storeOutcomes } from "../coverage-table.ts";
import { flowSeries } from "../trade-series.ts";
import { countReporterRows, countYears, keepOneOrigin } from "../year-table.ts";
import { storeFlows } from "./flow-table.ts";
import { wtoFlows } from "./wto-flows.ts";

const name = "trade-flows";
/** That a pair is not covered may be cached for hours, and the source forgets pairs for a day. */
const emptyRuns = 3;

/** Merchandise exports and imports by economy and year. */
export const tradeFlows = dataset({
  name,
  subject: "Annual merchandise exports and imports of economies.",
  row: FlowRowSchema,
  schedule: "10 5 * * *",
  freshForMinutes: 49 * 60,
  // Annual figures.
  servableForMinutes: 90 * 24 * 60,
  serves: [TradeService.method.getTradeFlows],
  sources: [wtoFlows],
  keptTables: ["trade_flow", "trade_coverage"],
  series: flowSeries,
  rowsInTable: true,
  countRows: countReporterRows("trade_flow"),
  async write(transaction, { bySource, origin, now }) {
    await keepOneOrigin(transaction, { dataset: name, origin }, ["trade_flow"]);
    const reported = [...bySource.values()].flat().map((row) => row.told);
    const series = reported.flatMap((one) => (one.case === "series" ? one.value : []));
    const empty = reported.flatMap((one) => (one.case === "empty" ? one.value.reporters : []));
    await storeFlows(transaction, series, now);
    await storeOutcomes(transaction, { dataset: name, partner: world, emptyRuns, now }, { series, empty });
    return countYears(transaction, "trade_flow");
  },
});
