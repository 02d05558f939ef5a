import { datasets } from "../../../src/domains/index.ts";
import { resilienceInputs } from "../../../src/domains/resilience/inputs/resilience-inputs.ts";
import { resilienceScores } from "../../../src/domains/resilience/scoring/resilience-scores.ts";

export const scorePath = "/api/resilience/v1/get-resilience-score";
export const rankingPath = "/api/resilience/v1/get-resilience-ranking";
export const explanationPath = "/api/resilience/v1/get-resilience-score-explanation";
export const manifestPath = "/api/resilience/v1/get-runtime-manifest";

/** Datasets of other domains that scores read. */
export const neighbors = datasets
  .map(({ name }) => name)
  .filter((name) => resilienceScores.reads?.some((read) => read.name === name && name !== resilienceInputs.name));

export interface Dimension {
  readonly id: string;
  readonly score: number;
  readonly coverage: number;
  readonly observedWeight: number;
  readonly imputedWeight: number;
  readonly imputationClass: string;
  readonly freshness: { readonly lastObservedAtMs: string; readonly staleness: string };
}

interface Domain {
  readonly id: string;
  readonly score: number;
  readonly weight: number;
  readonly dimensions: readonly Dimension[];
}

export interface Score {
  readonly countryCode: string;
  readonly overallScore: number;
  readonly level: string;
  readonly domains: readonly Domain[];
  readonly pillars: readonly { readonly id: string; readonly weight: number; readonly domains: readonly Domain[] }[];
  readonly change30d: number;
  readonly trend: string;
  readonly imputationShare: number;
  readonly lowConfidence: boolean;
  readonly headlineEligible: boolean;
  readonly scoreInterval?: { readonly p05: number; readonly p95: number };
}

interface RankedCountry {
  readonly countryCode: string;
  readonly overallScore: number;
  readonly headlineEligible: boolean;
  readonly rankStable: boolean;
}

export interface Ranking {
  readonly items: readonly RankedCountry[];
  readonly greyedOut: readonly RankedCountry[];
  readonly fetchedAt: string;
  readonly scored: number;
  readonly total: number;
  readonly coverage: number;
  readonly partial: boolean;
}

interface Indicator {
  readonly id: string;
  readonly weight: number;
  readonly factor: number;
  readonly value?: number;
  readonly score?: number;
  readonly certainty: number;
  readonly imputation: string;
  readonly missing: string;
  readonly inputs: readonly { readonly name: string; readonly value: number; readonly source: string }[];
}

export interface Explanation {
  readonly overallScore: number;
  readonly overallCoverage: number;
  readonly population: number;
  readonly lowConfidence: boolean;
  readonly headlineEligible: boolean;
  readonly pillars: readonly {
    readonly id: string;
    readonly score: number;
    readonly domains: readonly {
      readonly id: string;
      readonly dimensions: readonly (Pick<Dimension, "id" | "score" | "coverage" | "imputationClass"> & {
        readonly retired: boolean;
        readonly imputation: string;
        readonly indicators: readonly Indicator[];
      })[];
    }[];
  }[];
}

/** As the methodology's page says it, and not as the program does it. */
const pillarWeights: Readonly<Record<string, number>> = {
  ...{ "structural-readiness": 0.4, "live-shock-exposure": 0.35, "recovery-capacity": 0.25 },
};
const domainWeights: Readonly<Record<string, number>> = {
  ...{
    economic: 0.17,
    infrastructure: 0.15,
    energy: 0.11,
    "social-governance": 0.19,
    "health-food": 0.13,
    recovery: 0.25,
  },
};
const halves = [
  "tradePolicy",
  "financialSystemExposure",
  "education",
  "liquidReserveAdequacy",
  "sovereignFiscalBuffer",
];

/** As decimal figures say: binary fractions lose a little on the way to a half. */
const halfUp = (value: number) => Math.floor(value * 100 + 0.5 + 1e-9) / 100;
const weighted = (parts: readonly (readonly [value: number, weight: number])[]) => {
  const weight = parts.reduce((sum, [, share]) => sum + share, 0);
  return weight === 0 ? 0 : parts.reduce((sum, [value, share]) => sum + value * share, 0) / weight;
};

/** Domains, pillars and score from the dimensions. */
export function recomputed(reported: Pick<Explanation, "pillars">) {
  const domains = new Map<string, number>();
  const pillars = new Map<string, number>();
  const covered = reported.pillars.flatMap((pillar) => {
    const parts = pillar.domains.map(({ id, dimensions }) => {
      const factor = (one: (typeof dimensions)[number]) =>
        (halves.includes(one.id) ? 0.5 : 1) * (one.imputationClass === "" ? 1 : 0.5);
      const score = halfUp(weighted(dimensions.map((one) => [one.score, one.coverage * factor(one)])));
      const counted = dimensions.filter((one) => !one.retired && one.imputationClass !== "not-applicable");
      domains.set(id, score);
      const coverage = counted.reduce((sum, one) => sum + one.coverage, 0) / counted.length;
      return [score, (domainWeights[id] ?? 0) * coverage] as const;
    });
    pillars.set(pillar.id, weighted(parts));
    return parts.some(([, weight]) => weight > 0) ? [[weighted(parts), pillarWeights[pillar.id] ?? 0] as const] : [];
  });
  const weakest = Math.min(...covered.map(([score]) => score));
  return { domains, pillars, overall: halfUp(weighted(covered) * (0.5 + weakest / 200)) };
}
