import type { ServiceImpl } from "@connectrpc/connect";
import type { EconomicService } from "../../../gen/es/ids/economic/v1/economic_pb.ts";
import { type TenderFeedParts, tenderDataset, tenderFeed } from "./tender-feed.ts";

/** The datasets behind these operations. */
export const economicDatasets = [tenderDataset];

/** Economic operations, answered from the store. */
export function economic(parts: TenderFeedParts): ServiceImpl<typeof EconomicService> {
  return { listGlobalTenders: tenderFeed(parts) };
}
