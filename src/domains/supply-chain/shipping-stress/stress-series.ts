import { GetShippingStressResponseSchema } from "../../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";

const score = seriesOfField(
  {
    id: "shipping.stress",
    keyParts: ["place"],
    step: "refresh",
    shownBy: SupplyChainService.method.getShippingStress,
  },
  GetShippingStressResponseSchema.field.stressScore,
);

/** Stress of container shipping over time. */
export const shippingSeries = seriesOfMessage(
  GetShippingStressResponseSchema,
  [score],
  function* ({ carriers, stressScore }, at) {
    if (carriers.length > 0) yield { series: score, key: "world", at, value: stressScore };
  },
);
