import type { ThreatLevel } from "./chokepoints.ts";

export interface WarRisk {
  /** The points that a threat level adds to the disruption score of 0 to 100. */
  readonly weight: number;
  /** Insurance premium at this threat level, in basis points of the cargo's value. */
  readonly premiumBps: number;
}

export const warRisks: Readonly<Record<ThreatLevel, WarRisk>> = {
  war_zone: { weight: 70, premiumBps: 300 },
  critical: { weight: 40, premiumBps: 100 },
  high: { weight: 30, premiumBps: 50 },
  elevated: { weight: 15, premiumBps: 20 },
  normal: { weight: 0, premiumBps: 5 },
};
