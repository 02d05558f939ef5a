import { PhysicalPremiumRegime as Regime } from "../../../../gen/es/ids/market/v1/physical_divergence_pb.ts";
import type { MetalName } from "../metals.ts";

/** Raised with any change of what follows: points of another version are never compared. */
export const methodologyVersion = "physical-divergence-v2";

/** Premiums of a metal: kept, looked at, and needed for an index. */
export const history = { stored: 750, window: 250, min: 60 } as const;

/** How old an input may be. */
export const limits = { physicalDays: 12, paperHours: 36, fxHours: 60 } as const;

/** Weights in the composite, and the premiums in percent at which the bands of a metal begin. */
export const grading: Readonly<Record<MetalName, { readonly weight: number; readonly bands: Bands }>> = {
  gold: { weight: 0.7, bands: [1, 3, 5] },
  silver: { weight: 0.3, bands: [5, 10, 20] },
};

/** Where elevated, stressed and extreme begin. */
export type Bands = readonly [elevated: number, stressed: number, extreme: number];

/** The bands: the percentile from which a premium is in one by its rank, and the least index within. */
export const bands = [
  { regime: Regime.ELEVATED, percentile: 80, floor: 45 },
  { regime: Regime.STRESSED, percentile: 95, floor: 70 },
  { regime: Regime.EXTREME, percentile: 99, floor: 90 },
] as const;

/** The index by value alone: linear from no premium to the first band, and within the first two; from the third on, full. */
export const slopes = [
  { from: 0, to: 45 },
  { from: 45, to: 70 },
  { from: 70, to: 89.99 },
] as const;
export const fullIndex = 100;

/** Rank counts from this share of the premium at which the first band begins. */
export const rankedFrom = 0.5;

/** Prints between the two values of a trend, and the change in percentage points up to which it is stable. */
export const trends = { shortPrints: 5, longPrints: 20, stableWithin: 0.01 } as const;
