import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  GetResilienceRankingResponseSchema,
  RankedCountrySchema,
} from "../../../../gen/es/ids/resilience/v1/ranking_pb.ts";
import type {
  GetResilienceScoreResponseSchema,
  ResilienceDomainSchema,
} from "../../../../gen/es/ids/resilience/v1/resilience_pb.ts";
import { countries } from "../../../reference/countries/countries.ts";
import { rounded } from "../../../reference/rounding.ts";
import { mean, total } from "../../../reference/sums.ts";
import { scoredCountries } from "../countries.ts";
import type { Inputs } from "../country-data.ts";
import { people } from "../method/derived.ts";
import { type Interval, intervalOf } from "../method/interval.ts";
import { methodologyVersion, rules } from "../method/structure.ts";
import { type CountryScore, counts, type DomainScore, scoreCountry } from "./country-score.ts";
import type { DimensionScore } from "./dimension-score.ts";

interface Confidence {
  /** The mean coverage of the dimensions, from 0 to 1 and not rounded. Stale sources reduce it. */
  readonly overallCoverage: number;
  /** The share of the total weight whose values are substitutes, with four decimals. */
  readonly imputationShare: number;
  readonly lowConfidence: boolean;
  readonly headlineEligible: boolean;
}

/** Returns how reliable a score is. `population` is the number of people, or undefined if it is unknown. */
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

interface Movement {
  /** The direction of the score. Empty if there is no score. */
  readonly trend: "rising" | "stable" | "falling" | "";
  /** The score minus that of the oldest stored day, with two decimals. 0 if no earlier day is stored. */
  readonly change30d: number;
  readonly hasChange30d: boolean;
}

const unmoved: Movement = { trend: "", change30d: 0, hasChange30d: false };

/** Returns the trend and the change of a score. `history` has the scores of earlier days, oldest first. */
export function movementOf(history: readonly number[], overall: number): Movement {
  const [oldest] = history;
  return {
    trend: trendOf([...history, overall]),
    change30d: oldest === undefined ? 0 : rounded(overall - oldest, 2),
    hasChange30d: oldest !== undefined,
  };
}

/** Returns the direction of the least-squares line through the scores. Its slope is compared with their mean. */
function trendOf(scores: readonly number[]): Movement["trend"] {
  const average = mean(scores);
  if (scores.length < rules.trend.minPoints || average === 0) return "stable";
  const middle = (scores.length - 1) / 2;
  const slope =
    total(scores.map((score, day) => (day - middle) * (score - average))) /
    total(scores.map((_, day) => (day - middle) ** 2));
  const share = slope / Math.abs(average);
  if (share > rules.trend.slope) return "rising";
  return share < -rules.trend.slope ? "falling" : "stable";
}

export interface Assessed {
  readonly score: CountryScore;
  readonly confidence: Confidence;
  readonly movement: Movement;
  /** The range of the score if weights vary. Absent if too few countries have a score. */
  readonly interval: Interval | undefined;
  /** The number of people, or undefined if it is unknown. */
  readonly population: number | undefined;
}

/** Ranges of scores are computed only if this country has a score. */
export const sampleCountry = "US";

export type AssessedNow = Omit<Assessed, "movement">;

export function assess(inputs: Inputs): AssessedNow[] {
  const scored = [...countries.keys()].map((code) => {
    const data = inputs.of(code);
    return { score: scoreCountry(data, inputs), population: people(data) };
  });
  const known = new Set(scored.filter(({ score }) => score.level !== "unknown").map(({ score }) => score.country));
  const enough =
    scoredCountries.filter((code) => known.has(code)).length >= rules.interval.minCountries && known.has(sampleCountry);
  return scored.map(({ score, population }) => ({
    score,
    population,
    confidence: confidenceOf(score, population),
    interval: enough && known.has(score.country) ? intervalOf(score.country, score.pillars, score.overall) : undefined,
  }));
}

/** Adds the trend and the change of each score. `history` has the scores of earlier days by country, oldest first. */
export function withMovement(assessed: readonly AssessedNow[], history: ReadonlyMap<string, readonly number[]>) {
  return assessed.map((each) => {
    const { country, level, overall } = each.score;
    return { ...each, movement: level === "unknown" ? unmoved : movementOf(history.get(country) ?? [], overall) };
  });
}

/** Returns the response of GetResilienceScore, which lists pillars without their domains. */
export function scoreResponse(
  { score, confidence, movement, interval }: Assessed,
  dataVersion: string,
): MessageInitShape<typeof GetResilienceScoreResponseSchema> {
  const { country, overall, level, domains, baseline, stress, stressFactor, pillars } = score;
  const { lowConfidence, imputationShare, headlineEligible } = confidence;
  return {
    countryCode: country,
    overallScore: overall,
    level,
    ...movement,
    lowConfidence,
    imputationShare,
    headlineEligible,
    methodologyVersion,
    dataVersion,
    baselineScore: baseline,
    stressScore: stress,
    stressFactor,
    ...(interval && { scoreInterval: interval }),
    domains: domains.map(domainResponse),
    pillars: pillars.map(({ id, score: unrounded, weight, coverage }) => ({
      id,
      weight,
      score: rounded(unrounded, 2),
      coverage: rounded(coverage, 4),
    })),
  };
}

function domainResponse({
  id,
  score,
  weight,
  dimensions,
}: DomainScore): MessageInitShape<typeof ResilienceDomainSchema> {
  return {
    id,
    score,
    weight,
    dimensions: dimensions.map(({ freshness, slots: _slots, imputation: _imputation, ...dimension }) => ({
      ...dimension,
      freshness: {
        lastObservedAtMs: BigInt(freshness.readAt?.getTime() ?? 0),
        staleness: freshness.staleness,
      },
    })),
  };
}

type Ranking = MessageInitShape<typeof GetResilienceRankingResponseSchema>;
type Ranked = MessageInitShape<typeof RankedCountrySchema> & {
  readonly countryCode: string;
  readonly overallScore: number;
};

export function rankingResponse(assessed: readonly Assessed[], fetchedAt: string): Ranking {
  const byCountry = new Map(assessed.map((each) => [each.score.country, each]));
  const rows = scoredCountries.map((code) => rankedCountry(code, byCountry.get(code))).sort(highestFirst);
  const scored = rows.filter(({ overallScore }) => overallScore >= 0).length;
  const total = scoredCountries.length;
  return {
    items: rows.filter(({ headlineEligible }) => headlineEligible),
    greyedOut: rows.filter(({ headlineEligible }) => !headlineEligible),
    fetchedAt,
    scored,
    total,
    methodologyVersion,
    coverage: rounded(scored / total, 4),
    partial: scored / total < rules.wholeRanking,
  };
}

function rankedCountry(countryCode: string, assessed: Assessed | undefined): Ranked {
  if (!assessed || assessed.score.level === "unknown")
    return { countryCode, overallScore: -1, level: "unknown", lowConfidence: true };
  const { score, confidence, interval } = assessed;
  const { lowConfidence, overallCoverage, headlineEligible } = confidence;
  return {
    countryCode,
    overallScore: score.overall,
    level: score.level,
    lowConfidence,
    overallCoverage,
    headlineEligible,
    rankStable: interval !== undefined && rounded(interval.p95 - interval.p05, 1) <= rules.interval.stableWidth,
  };
}

function highestFirst(a: Ranked, b: Ranked): number {
  return b.overallScore - a.overallScore || (a.countryCode < b.countryCode ? -1 : 1);
}
