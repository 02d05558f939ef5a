import { roundedAway } from "../../../reference/rounding.ts";
import { gramsPerTroyOunce, type Metal } from "../metals.ts";

export interface PremiumPrices {
  /** Yuan per unit of the metal. */
  readonly physical: number;
  /** US dollars per troy ounce. */
  readonly paper: number;
  /** US dollars per yuan. */
  readonly rate: number;
}

/** The difference of the physical price from the paper price, with 4 decimals. */
export interface Premium {
  readonly usdPerOz: number;
  /** The premium in percent of the paper price. */
  readonly pct: number;
}

const decimals = 4;

export function premiumOf(
  { gramsPerUnit }: Pick<Metal, "gramsPerUnit">,
  { physical, paper, rate }: PremiumPrices,
): Premium {
  const usdPerOz = (physical / gramsPerUnit) * rate * gramsPerTroyOunce - paper;
  return { usdPerOz: roundedAway(usdPerOz, decimals), pct: roundedAway((usdPerOz / paper) * 100, decimals) };
}
