import { PhysicalPremiumRegime as Regime } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import type { MetalName } from "../metals.ts";

/**
 * Increase this version with each change of the constants in this file. Only points of the same version are compared.
 */
export const methodologyVersion = "physical-divergence-v2";

/** How many premiums per metal are stored, how many are compared with the current one, and the minimum for an index. */
export const history = { stored: 750, window: 250, min: 60 } as const;

export const limits = { physicalDays: 12, paperHours: 36, fxHours: 60 } as const;

/** The weight of each metal in the composite index, and the premium in percent at which each of its bands begins. */
export const grading: Readonly<Record<MetalName, { readonly weight: number; readonly bands: Bands }>> = {
  gold: { weight: 0.7, bands: [1, 3, 5] },
  silver: { weight: 0.3, bands: [5, 10, 20] },
};

export type Bands = readonly [elevated: number, stressed: number, extreme: number];

export const bands = [
  { regime: Regime.ELEVATED, percentile: 80, floor: 45 },
  { regime: Regime.STRESSED, percentile: 95, floor: 70 },
  { regime: Regime.EXTREME, percentile: 99, floor: 90 },
] as const;

/** The index within each band is linear between these values. A premium in the third band has the full index. */
export const slopes = [
  { from: 0, to: 45 },
  { from: 45, to: 70 },
  { from: 70, to: 89.99 },
] as const;
export const fullIndex = 100;

/** The rank of a premium counts only from this share of the premium at which the first band begins. */
export const rankedFrom = 0.5;

/**
 * The number of premiums over which each trend is computed. A trend is stable up to this change in percentage points.
 */
export const trends = { shortPrints: 5, longPrints: 20, stableWithin: 0.01 } as const;
