import type { ServiceImpl } from "@connectrpc/connect";
import type { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { scheduled } from "../../ingest/scheduled.ts";
import type { Served } from "../../store/served.ts";
import { chosen } from "./mineral-choice.ts";
import { mineralProduction, mineralProductionAt } from "./mineral-production.ts";
import { shippingStress, shippingStressAt } from "./shipping-stress.ts";
import { supplyBuffers } from "./supply-buffers.ts";

/** The datasets behind these operations. */
export const supplyChainDatasets = [scheduled(shippingStress), scheduled(mineralProduction), scheduled(supplyBuffers)];

/** Supply chain operations, answered from memory. */
export function supplyChain(parts: {
  readonly served: Served;
  readonly clock: () => Date;
}): ServiceImpl<typeof SupplyChainService> {
  const { served, clock } = parts;
  return {
    getShippingStress(_request, context) {
      return shippingStressAt(served.messageIfAny(shippingStress, context), clock());
    },
    getMineralProduction(request, context) {
      const stored = served.messageIfAny(mineralProduction, context);
      return stored ? chosen(mineralProductionAt(stored, clock()), request) : { upstreamUnavailable: true };
    },
  };
}
