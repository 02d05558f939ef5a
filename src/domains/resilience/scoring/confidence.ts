import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../method/mean.ts";
import { rules } from "../method/structure.ts";
import { type CountryScore, counts } from "./country-score.ts";
import type { DimensionScore } from "./dimension-score.ts";

export interface Confidence {
  /** The mean coverage of the dimensions, reduced for stale sources. It is from 0 to 1 and not rounded. */
  readonly overallCoverage: number;
  /** The imputed weight divided by the total weight, with four decimals. */
  readonly imputationShare: number;
  readonly lowConfidence: boolean;
  readonly headlineEligible: boolean;
}

/** `population` is the number of people, or undefined if it is unknown. */
export function confidenceOf({ domains, level }: CountryScore, population: number | undefined): Confidence {
  const scored = domains.flatMap(({ dimensions }) => dimensions);
  const overallCoverage = mean(scored.filter(counts).map(confidentCoverage));
  const [imputed, observed] = [
    total(scored.map(({ imputedWeight }) => imputedWeight)),
    total(scored.map(({ observedWeight }) => observedWeight)),
  ];
  const imputationShare = imputed === 0 ? 0 : rounded(imputed / (imputed + observed), 4);
  const { coverageBelow, imputationShareAbove } = rules.lowConfidence;
  const lowConfidence =
    level === "unknown" || overallCoverage < coverageBelow || imputationShare > imputationShareAbove;
  const headlineEligible = isEligible({ coverage: overallCoverage, population, lowConfidence });
  return { overallCoverage, imputationShare, lowConfidence, headlineEligible };
}

function confidentCoverage({ coverage, freshness }: DimensionScore): number {
  return coverage * rules.confidence[freshness.staleness];
}

export function isEligible(of: {
  readonly coverage: number;
  readonly population: number | undefined;
  readonly lowConfidence: boolean;
}): boolean {
  const { coverage, population, coverageOfSmall } = rules.eligible;
  if (of.lowConfidence || of.coverage < coverage) return false;
  return (of.population ?? 0) >= population || of.coverage >= coverageOfSmall;
}
