import { PhysicalPremiumRegime as Regime } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import { roundedAway } from "../../../reference/rounding.ts";
import { type Bands, bands, fullIndex, rankedFrom, slopes } from "./divergence-method.ts";

export interface Grade {
  readonly regime: Regime;
  readonly index: number;
}

/**
 * Grades a premium in percent by the bands of the metal and, if it is high enough, by its rank. The higher grade
 * counts.
 */
export function grade(premiumPct: number, percentile: number, begins: Bands): Grade {
  const byValue = begins.filter((begin) => premiumPct >= begin).length;
  const isRanked = premiumPct >= rankedFrom * begins[0];
  const byRank = isRanked ? bands.filter((band) => percentile >= band.percentile).length : 0;
  const { regime, floor } = bands[Math.max(byValue, byRank) - 1] ?? { regime: Regime.NORMAL, floor: 0 };
  return { regime, index: roundedAway(Math.max(indexByValue(premiumPct, byValue, begins), floor), 2) };
}

function indexByValue(premiumPct: number, band: number, begins: Bands): number {
  if (premiumPct <= 0) return 0;
  const [slope, from = 0, to] = [slopes[band], begins[band - 1], begins[band]];
  if (slope === undefined || to === undefined) return fullIndex;
  return slope.from + ((slope.to - slope.from) * (premiumPct - from)) / (to - from);
}
