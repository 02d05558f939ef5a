import type { MessageInitShape } from "@bufbuild/protobuf";
import { type MineralFigure, MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import {
  type GetMineralProductionResponse,
  GetMineralProductionResponseSchema,
  type MineralCommoditySchema,
} from "../../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import { SupplyChainService } from "../../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import { UpstreamError } from "../../../egress/upstream-error.ts";
import type { Refresh } from "../../../ingest/dataset.ts";
import { snapshot } from "../../../ingest/snapshot.ts";
import { dayMs } from "../../../reference/duration.ts";
import type { Commodity } from "../../../reference/trade/commodities.ts";
import { bgs } from "./bgs.ts";
import { type SourceFigures, stageOf } from "./mineral-stage.ts";
import { minerals, stages } from "./minerals.ts";
import { usgsMcs } from "./usgs-mcs.ts";

type Production = MessageInitShape<typeof GetMineralProductionResponseSchema>;

const staleAfterMs = 400 * dayMs;
const minFilled = 0.7;

export const mineralProduction = snapshot({
  name: "mineral-production",
  subject: "Annual mining and refining of critical minerals, by country.",
  row: MineralFigureSchema,
  message: GetMineralProductionResponseSchema,
  // Both sources are annual and are published in a month that is not known in advance.
  schedule: "40 5 3 * *",
  freshForMinutes: staleAfterMs / 60_000,
  // A new edition is published every year.
  servableForMinutes: 2 * 366 * 24 * 60,
  serves: [SupplyChainService.method.getMineralProduction],
  sources: [usgsMcs, bgs],
  combine: productionOf,
  count: ({ commodities }) => commodities.length,
});

function productionOf({ bySource, responses, origin }: Refresh<typeof MineralFigureSchema>): Production {
  const sources = [usgsMcs, bgs].map(({ name }) => ({ source: name, figures: bySource.get(name) ?? [] }));
  const commodities = minerals.flatMap((mineral) => commodityOf(mineral, sources));
  if (origin === "live" && commodities.length < minFilled * minerals.length)
    throw new UpstreamError(`only ${commodities.length} of ${minerals.length} minerals have values`);
  const readAt = Math.min(...[...responses.values()].map(({ fetchedAt }) => fetchedAt.getTime()));
  return {
    commodities,
    fetchedAt: new Date(readAt).toISOString(),
    dataYear: Math.max(...commodities.map(({ year = 0 }) => year), 0),
  };
}

function commodityOf({ id, name }: Commodity, sources: readonly SourceFigures[]) {
  const [mine, refinery] = stages.map((stage) =>
    stageOf(
      sources.map(({ source, figures }) => ({
        source,
        figures: figures.filter((figure: MineralFigure) => figure.commodityId === id && figure.stage === stage),
      })),
    ),
  );
  const knownStages = [mine, refinery].flatMap((stage) => stage ?? []);
  if (knownStages.length === 0) return [];
  const named = new Set(knownStages.flatMap(({ countries = [] }) => countries.map(({ source }) => source)));
  const commodity: MessageInitShape<typeof MineralCommoditySchema> = {
    commodityId: id,
    commodity: name,
    unit: knownStages[0]?.unit ?? "",
    year: Math.max(...knownStages.map(({ year = 0 }) => year)),
    sources: sources.map(({ source }) => source).filter((source) => named.has(source)),
    ...(mine && { mine }),
    ...(refinery && { refinery }),
  };
  return [commodity];
}

export function mineralProductionAt(stored: GetMineralProductionResponse, now: Date): GetMineralProductionResponse {
  return { ...stored, upstreamUnavailable: now.getTime() - Date.parse(stored.fetchedAt) > staleAfterMs };
}
