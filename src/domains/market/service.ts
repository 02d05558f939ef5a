import type { ServiceImpl } from "@connectrpc/connect";
import type { MarketService } from "../../../gen/es/ids/market/v1/market_pb.ts";
import { scheduled } from "../../ingest/schedule/scheduled.ts";
import { physicalDivergence } from "./divergence/physical-divergence.ts";
import { metalPremiums } from "./premiums/metal-premiums.ts";
import { physicalPremiums } from "./premiums/physical-premiums.ts";
import { type MarketDataParts, marketData } from "./quotes/market-data.ts";

/** The datasets behind these operations. */
export const marketDatasets = [scheduled(metalPremiums)];

/** Market operations, answered from the store. */
export function market(parts: MarketDataParts): ServiceImpl<typeof MarketService> {
  return {
    getPhysicalPremiums: physicalPremiums(parts),
    getPhysicalDivergenceIndex: physicalDivergence(parts),
    getMarketData: marketData(parts),
  };
}
