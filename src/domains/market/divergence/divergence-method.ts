import { PhysicalPremiumRegime as Regime } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import type { MetalName } from "../metals.ts";

/**
 * Increase this version with any change of the constants below, because points of different versions are never
 * compared.
 */
export const methodologyVersion = "physical-divergence-v2";

/** The number of premiums per metal that are stored, compared, and required for an index. */
export const history = { stored: 750, window: 250, min: 60 } as const;

export const limits = { physicalDays: 12, paperHours: 36, fxHours: 60 } as const;

/** The weight of each metal in the composite, and the premiums in percent at which its bands begin. */
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

/**
 * The index by value is linear from no premium to the first band, and in the first two bands. In the third band, it is
 * the full index.
 */
export const slopes = [
  { from: 0, to: 45 },
  { from: 45, to: 70 },
  { from: 70, to: 89.99 },
] as const;
export const fullIndex = 100;

/** The rank counts if the premium is at least this share of the first band. */
export const rankedFrom = 0.5;

/**
 * The number of prints between the two values of a trend, and the change in percentage points up to which a trend is
 * stable.
 */
export const trends = { shortPrints: 5, longPrints: 20, stableWithin: 0.01 } as const;
