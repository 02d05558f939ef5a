import type { MessageInitShape } from "@bufbuild/protobuf";
import { MarketService } from "../../../../gen/es/ids/market/v1/market_pb.ts";
import {
  type GetShippingStressResponse,
  GetShippingStressResponseSchema,
  ShippingCarrierSchema,
} from "../../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { seriesOfField, seriesOfMessage } from "../../../ingest/series/series.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { rounded } from "../../../reference/rounding.ts";
import { yahooCarriers } from "./yahoo-carriers.ts";

/** The score if prices do not change. It rises by the second constant for each percent that prices fall on average. */
const resting = 40;
const pointsPerPercent = 3;

/** The levels with their upper bounds: a score has the first level whose bound is above it. */
const levels = [
  [25, "low"],
  [50, "moderate"],
  [75, "elevated"],
] as const;

/** Computes the stress from daily price changes of carriers in percent. If none is known, there is no level. */
export function stressOf(changes: readonly number[]) {
  if (changes.length === 0) return { stressScore: 0, stressLevel: "" };
  const mean = changes.reduce((sum, change) => sum + change, 0) / changes.length;
  const stressScore = Math.min(Math.max(rounded(resting - pointsPerPercent * mean), 0), 100);
  return { stressScore, stressLevel: levels.find(([bound]) => stressScore < bound)?.[1] ?? "critical" };
}

const score = seriesOfField(
  {
    id: "shipping.stress",
    keyParts: ["place"],
    step: "refresh",
    shownBy: SupplyChainService.method.getShippingStress,
  },
  GetShippingStressResponseSchema.field.stressScore,
);

const shippingSeries = seriesOfMessage(
  GetShippingStressResponseSchema,
  [score],
  function* ({ carriers, stressScore }, at) {
    if (carriers.length > 0) yield { series: score, key: "world", at, value: stressScore };
  },
);

const freshForMinutes = 45;

export const shippingStress = snapshot({
  name: "shipping-stress",
  subject: "Stress level of container and bulk shipping, from the share prices of carriers.",
  notIncluded: ["freight rates, container rates: share prices of carriers and a fund of freight futures"],
  row: ShippingCarrierSchema,
  message: GetShippingStressResponseSchema,
  series: shippingSeries,
  schedule: "*/15 * * * *",
  freshForMinutes,
  serves: [SupplyChainService.method.getShippingStress, MarketService.method.getMarketData],
  sources: [yahooCarriers],
  combine({ bySource, responses }) {
    const carriers = bySource.get(yahooCarriers.name) ?? [];
    const fetchedAt = BigInt(responses.get(yahooCarriers.name)?.fetchedAt.getTime() ?? 0);
    return { carriers: [...carriers], ...stressOf(carriers.map(({ changePct }) => changePct)), fetchedAt };
  },
  count: ({ carriers }) => carriers.length,
});

/** Returns the current stress. If the prices are too old, they are returned but marked as unavailable. */
export function shippingStressAt(
  stored: GetShippingStressResponse | undefined,
  now: Date,
): MessageInitShape<typeof GetShippingStressResponseSchema> {
  if (!stored) return { upstreamUnavailable: true };
  return { ...stored, upstreamUnavailable: now.getTime() - Number(stored.fetchedAt) > freshForMinutes * 60_000 };
}
