import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../method/mean.ts";
import { rules } from "../method/structure.ts";
import { type CountryScore, counts } from "./country-score.ts";
import type { DimensionScore } from "./dimension-score.ts";

/** How far a score can be trusted. */
export interface Confidence {
  /** Mean coverage of the dimensions, less what is old; 0 to 1, not rounded. */
  readonly overallCoverage: number;
  /** Imputed weight over all weight, four decimals. */
  readonly imputationShare: number;
  readonly lowConfidence: boolean;
  /** It may stand in the ranking. */
  readonly headlineEligible: boolean;
}

/** `population` in people; undefined where it is not known. */
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
