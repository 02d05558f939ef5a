import { MarketService } from "../../../../gen/es/ids/market/v1/market_pb.ts";
import { MetalQuoteSchema } from "../../../../gen/es/ids/stored/v1/metal_pb.ts";
import { dataset } from "../../../ingest/dataset.ts";
import { ecbExr } from "./ecb-exr.ts";
import { currentPremiums } from "./premium-row.ts";
import { premiumSeries } from "./premium-series.ts";
import { appendHistory, replaceCurrent, trimHistory } from "./premium-store.ts";
import { sge } from "./sge.ts";
import { yahooMetals } from "./yahoo-metals.ts";

/** The price of the day: premiums of gold and silver, and their history, which grows by one print a day. */
export const metalPremiums = dataset({
  name: "metal-premiums",
  subject: "Gold and silver prices in Shanghai and their premium over international prices.",
  row: MetalQuoteSchema,
  schedule: "0 8 * * *",
  freshForMinutes: 3 * 24 * 60,
  // So long the divergence tells which of its inputs is stale.
  servableForMinutes: 16 * 24 * 60,
  serves: [
    MarketService.method.getPhysicalPremiums,
    MarketService.method.getPhysicalDivergenceIndex,
    MarketService.method.getMarketData,
  ],
  main: [yahooMetals, ecbExr],
  keptTables: ["metal_current", "metal_premium"],
  series: premiumSeries,
  sources: [sge, yahooMetals, ecbExr],
  async write(transaction, { bySource, origin, now }) {
    const premiums = currentPremiums([...bySource.values()].flat(), { origin, now });
    await replaceCurrent(transaction, premiums, origin);
    await appendHistory(transaction, premiums, now);
    return trimHistory(transaction);
  },
});
