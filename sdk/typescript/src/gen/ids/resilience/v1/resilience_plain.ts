// Written by `make generate`.
/** Score of a country with all its parts. */
export interface GetResilienceScoreResponse {
  /** The requested country, ISO 3166-1 alpha-2 code. */
  countryCode: string;
  /** 0 to 100, two decimals. Higher means more resilient. Weighted mean of the pillars × (1 − 0.5 × (1 − weakest pillar / 100)). 0 if `level` is `unknown`. */
  overallScore: number;
  /** `high` (60 and above), `medium` (30 and above) or `low`. `unknown` if nothing is known about the country, or nothing was computed yet; the response is then `no-store`. */
  level: "high" | "medium" | "low" | "unknown";
  /** Always the six domains in a fixed order. Empty before the first computation. */
  domains: ResilienceDomain[];
  /** Direction of the daily scores: `rising`, `stable` or `falling`. Empty without a score. The scores s are the last of each of the 30 days (UTC) before today that has one of this `methodologyVersion`, oldest first, and then `overallScore`; i = 0, 1, … n − 1 counts them, so that a day without a score leaves no gap. Slope of the least-squares line = Σ((i − (n − 1) / 2) × (s − mean of s)) / Σ((i − (n − 1) / 2)²). `rising` if slope / mean of s > 0.005, `falling` if it is < −0.005, otherwise `stable`, also with fewer than three scores or a mean of 0. GetSeries returns the scores as the points of `resilience.score` with `interval` = `raw`; other intervals fill in days. */
  trend: "" | "rising" | "stable" | "falling";
  /** `overallScore` minus the oldest score of the last 30 days, two decimals. 0 if no earlier day is known. */
  change30d: number;
  /** True if less than 55 percent is covered, or more than 40 percent is imputed. */
  lowConfidence: boolean;
  /** Imputed weight divided by total weight, 0 to 1, four decimals. */
  imputationShare: number;
  /** Coverage-weighted mean of the baseline and mixed dimensions, 0 to 100, two decimals. For information only. */
  baselineScore: number;
  /** Coverage-weighted mean of the stress and mixed dimensions, 0 to 100, two decimals. For information only. */
  stressScore: number;
  /** 1 − `stressScore` / 100, clamped to 0–0.5, four decimals. */
  stressFactor: number;
  /** Date of the most recent annual data, YYYY-MM-DD. Empty if there is none. */
  dataVersion: string;
  /** Range of the score if the pillar weights are changed by up to one tenth. Absent while fewer than 180 countries have a score. */
  scoreInterval?: ScoreInterval;
  /** The three pillars in a fixed order. Empty in schema 1.0. */
  pillars: ResiliencePillar[];
  /** `2.0`. `1.0` (without pillars) if the operator selected it, and before the first computation. */
  schemaVersion: string;
  /** True if the score is eligible for the ranking: coverage at least 0.65, not low confidence, and a population of at least 200,000 or else a coverage of at least 0.85. An unknown population does not count as sufficient. */
  headlineEligible: boolean;
  /** Version of the methodology. Do not compare scores of different versions. */
  methodologyVersion: string;
  /** True if an earlier day is known. If false, `change30d` is not (JSON: 0, files: empty). */
  hasChange30d: boolean;
}

/** One of the six domains. */
export interface ResilienceDomain {
  /** `economic`, `infrastructure`, `energy`, `social-governance`, `health-food` or `recovery`. */
  id: string;
  /** 0 to 100, two decimals: mean of its dimensions weighted by coverage and weight. Wholly imputed dimensions count half. */
  score: number;
  /** Weight in its pillar, and among all domains. */
  weight: number;
  /** In a fixed order, including retired dimensions. */
  dimensions: ResilienceDimension[];
}

/** 5th and 95th percentile of 100 draws. The draws of a country are always the same. */
export interface ScoreInterval {
  /** 5th percentile, one decimal. */
  p05: number;
  /** 95th percentile, one decimal. */
  p95: number;
}

/** One of the three pillars. */
export interface ResiliencePillar {
  /** `structural-readiness`, `live-shock-exposure` or `recovery-capacity`. */
  id: string;
  /** 0 to 100, two decimals: mean of its domains weighted by weight and coverage. */
  score: number;
  /** Weight in the score. */
  weight: number;
  /** Mean coverage of its domains, 0 to 1, four decimals. */
  coverage: number;
  /** Its domains, as in `domains` of the response. */
  domains: ResilienceDomain[];
}

/** One of the 23 dimensions. */
export interface ResilienceDimension {
  /** Id of the dimension, such as `macroFiscal`. */
  id: string;
  /** Integer from 0 to 100. */
  score: number;
  /** Share of the dimension that is known, weighted by certainty, 0 to 1, two decimals. */
  coverage: number;
  /** Weight of the observed indicators, four decimals. */
  observedWeight: number;
  /** Weight of the imputed indicators, four decimals. */
  imputedWeight: number;
  /** Reason the dimension has no observed data: `stable-absence` (a source that lists crises does not list the country), `unmonitored` (no source covers it), `source-failure` (a source that covers it is unavailable) or `not-applicable`. Otherwise empty. */
  imputationClass: "" | "stable-absence" | "unmonitored" | "source-failure" | "not-applicable";
  /** Age of the dimension's data. */
  freshness?: ResilienceFreshness;
}

/** Age of data. */
export interface ResilienceFreshness {
  /** Time of the last read of the least recently read source, Unix epoch milliseconds. 0 if no source was read. This is not the time of the observations: for their periods, use GetResilienceScoreExplanation. */
  lastObservedAtMs: string;
  /** Worst status of the sources: `fresh` (younger than 1.5 times its cadence), `aging` (younger than 3 times) or `stale`. Empty if no source was read. */
  staleness: "" | "fresh" | "aging" | "stale";
}

export interface GetPaths {
  /** Returns a country's resilience score, 0 to 100, and its parts.
   *
   * Includes every domain, dimension and pillar. Countries with enough data are ranked; territories are also scored, mostly with low coverage. Computed hourly from the most recently read data. `/methodology` lists all tables, and GetResilienceScoreExplanation every value behind a score. The score is returned regardless of its coverage; `headlineEligible` states whether it is eligible for the ranking. */
  "/api/resilience/v1/get-resilience-score": {
    query: {
      /** Country in any form: code or English name. */
      country_code: string;
    };
    answer: GetResilienceScoreResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "domains" | "domains.dimensions" | "pillars" | undefined; raw?: boolean | undefined };
  };
}

