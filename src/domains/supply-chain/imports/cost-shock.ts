import type { MessageInitShape } from "@bufbuild/protobuf";
import { type SectorCostShockSchema, WarRiskTier } from "../../../../gen/es/ids/supply_chain/v1/cost_shock_pb.ts";
import { rounded } from "../../../reference/rounding.ts";
import { bestBypass } from "../../../reference/trade/bypass-corridors.ts";
import type { Chokepoint, ThreatLevel } from "../../../reference/trade/chokepoints.ts";
import { cargoOfChapter, chapterOf, costShockChapters, hsChapters } from "../../../reference/trade/hs-chapters.ts";
import { warRisks } from "../../../reference/trade/war-risk.ts";

const tiers: Readonly<Record<ThreatLevel, WarRiskTier>> = {
  war_zone: WarRiskTier.WAR_ZONE,
  critical: WarRiskTier.CRITICAL,
  high: WarRiskTier.HIGH,
  elevated: WarRiskTier.ELEVATED,
  normal: WarRiskTier.NORMAL,
};
const daysOfYear = 365;
const bpsOfOne = 10_000;

type Sector = MessageInitShape<typeof SectorCostShockSchema> & {
  readonly totalCostShock: number;
  readonly totalCostShockPerDay: number;
};

/** Returns what the closure of a chokepoint costs each sector of a country, highest first. */
export function costShock(
  imports: readonly { readonly hs4: string; readonly totalValue: number }[],
  chokepoint: Chokepoint,
  closureDays: number,
) {
  const bypass = bestBypass(chokepoint.id);
  const freight = bypass ? bypass.costMultiplier - 1 : 0;
  const { premiumBps } = warRisks[chokepoint.threat];
  const sectors: Sector[] = costShockChapters.map((hs2) => {
    const annual = imports.filter(({ hs4 }) => chapterOf(hs4) === hs2).reduce((sum, one) => sum + one.totalValue, 0);
    const aDay = (annual * (freight + premiumBps / bpsOfOne)) / daysOfYear;
    return {
      hs2,
      hs2Label: hsChapters.get(hs2) ?? "",
      importValueAnnual: rounded(annual),
      freightAddedPctPerTon: rounded(freight, 4),
      warRiskPremiumBps: premiumBps,
      addedTransitDays: bypass?.addedDays ?? 0,
      totalCostShockPerDay: rounded(aDay),
      totalCostShock30Days: rounded(aDay * 30),
      totalCostShock90Days: rounded(aDay * 90),
      totalCostShock: rounded(aDay * closureDays),
      closureDays,
      bypassForCargo: bestBypass(chokepoint.id, cargoOfChapter[hs2] ?? "container")?.id ?? "",
    };
  });
  return {
    warRiskTier: tiers[chokepoint.threat],
    sectors: sectors.sort((a, b) => b.totalCostShockPerDay - a.totalCostShockPerDay),
    totalAddedCost: sectors.reduce((sum, { totalCostShock }) => sum + totalCostShock, 0),
    assumptions: {
      transitShare: 1,
      bypassId: bypass?.id ?? "",
      bypassCargoShare: bypass ? 1 : 0,
      freightAdded: rounded(freight, 4),
      warRiskPremiumBps: premiumBps,
    },
  };
}
