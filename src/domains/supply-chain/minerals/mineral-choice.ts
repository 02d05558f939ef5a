import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetMineralProductionRequest,
  GetMineralProductionResponse,
  GetMineralProductionResponseSchema,
  MineralCommodity,
  MineralHoldingSchema,
  MineralStage,
} from "../../../../gen/es/ids/supply_chain/v1/mineral_production_pb.ts";
import { type Stage, stages } from "./minerals.ts";

/** The minerals, stages and countries that are asked for; concentration stays that of the whole stage. */
export function chosen(
  all: GetMineralProductionResponse,
  request: GetMineralProductionRequest,
): MessageInitShape<typeof GetMineralProductionResponseSchema> {
  const { commodity, iso2 } = request;
  const { fetchedAt, upstreamUnavailable, dataYear } = all;
  const wanted = stagesOf(request.stage);
  const commodities = all.commodities
    .filter((one) => commodity === "" || one.commodityId === commodity || one.commodity.toLowerCase() === commodity)
    .flatMap((one) => picked(one, wanted, iso2));
  const holdings = commodities.flatMap((one) => holdingsOf(one, iso2));
  const countries = holdings.length > 0 ? [{ iso2, holdings }] : [];
  return { commodities, countries, fetchedAt, upstreamUnavailable, dataYear };
}

function stagesOf(stage: string): readonly Stage[] {
  if (stage === "") return stages;
  return stage === "mine" ? ["mine"] : ["refinery"];
}

/** The mineral with what is wanted of it; nothing where nothing is left. */
function picked(commodity: MineralCommodity, wanted: readonly Stage[], iso2: string): MineralCommodity[] {
  const kept: Partial<Record<Stage, MineralStage>> = {};
  for (const stage of wanted) {
    const whole = commodity[stage];
    const countries = whole?.countries.filter((producer) => iso2 === "" || producer.iso2 === iso2) ?? [];
    if (whole && (iso2 === "" || countries.length > 0)) kept[stage] = { ...whole, countries };
  }
  const { mine, refinery, ...rest } = commodity;
  return Object.keys(kept).length > 0 ? [{ ...rest, ...kept }] : [];
}

function holdingsOf(one: MineralCommodity, iso2: string): MessageInitShape<typeof MineralHoldingSchema>[] {
  const { commodityId, commodity } = one;
  return stages.flatMap((stage) => {
    const producer = iso2 === "" ? undefined : one[stage]?.countries.find((known) => known.iso2 === iso2);
    if (!producer) return [];
    const { hasOutput, output, share, withheld } = producer;
    return [
      {
        commodityId,
        commodity,
        stage,
        hasOutput,
        withheld,
        unit: one[stage]?.unit ?? "",
        ...(output !== undefined && { output }),
        ...(share !== undefined && { share }),
      },
    ];
  });
}
