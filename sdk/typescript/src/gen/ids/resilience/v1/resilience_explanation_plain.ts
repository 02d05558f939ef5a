// Written by `make generate`.
/** All parts of a score. `overallScore` = round(m × (1 − `penalty` × (1 − w / 100)), 2), where m is the weighted mean and w the minimum of the pillars with coverage. A pillar = mean of its domains by weight × coverage. A domain = round(mean of its dimensions by coverage × weight × f, 2), where f is `imputedFactor` if `imputationClass` is not empty, otherwise 1. A dimension = round(mean of the scores of its indicators by weight × factor). All rounding is half up. */
export interface GetResilienceScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 country code. */
  countryCode: string;
  /** As in GetResilienceScore. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  methodologyVersion: string;
  /** Time when the score was computed, ISO 8601 in UTC. Empty if never computed; every list is then empty. */
  computedAt: string;
  /** Fraction of the score that is lost if the weakest pillar is 0. */
  penalty: number;
  /** Factor by which a wholly imputed dimension counts. */
  imputedFactor: number;
  /** Mean coverage of the dimensions, reduced for old data, 0 to 1. */
  overallCoverage: number;
  /** As in GetResilienceScore. */
  imputationShare: number;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
  /** Population. 0 if unknown. */
  population: number;
  /** The three pillars. */
  pillars: ExplainedPillar[];
}

/** One of the three pillars. */
export interface ExplainedPillar {
  /** As in GetResilienceScore. */
  id: string;
  /** Score, not rounded. */
  score: number;
  /** Weight in the score. */
  weight: number;
  /** Mean coverage of its domains, not rounded. */
  coverage: number;
  /** Its domains. */
  domains: ExplainedDomain[];
}

/** One of the six domains. */
export interface ExplainedDomain {
  /** As in GetResilienceScore. */
  id: string;
  /** As in GetResilienceScore. */
  score: number;
  /** As in GetResilienceScore. */
  weight: number;
  /** Mean coverage of its dimensions, not rounded. Retired and not applicable dimensions are left out. */
  coverage: number;
  /** Its dimensions. */
  dimensions: ExplainedDimension[];
}

/** One of the 23 dimensions. */
export interface ExplainedDimension {
  /** As in GetResilienceScore. */
  id: string;
  /** As in GetResilienceScore. */
  score: number;
  /** Weight in its domain. */
  weight: number;
  /** As in GetResilienceScore. */
  coverage: number;
  /** As in GetResilienceScore. */
  imputationClass: string;
  /** Imputation of the whole dimension and its condition, such as `noRecoveryData: nothing of it is known`. Otherwise empty. */
  imputation: string;
  /** True if the dimension is no longer scored. It then has no weight. */
  retired: boolean;
  /** Its indicators. */
  indicators: ExplainedIndicator[];
}

/** An indicator of a dimension. */
export interface ExplainedIndicator {
  /** Id of the indicator, such as `govRevenuePct`. */
  id: string;
  /** Weight in its dimension. */
  weight: number;
  /** Multiplier of its share in the score, but not in coverage. */
  factor: number;
  /** Formula from the inputs to the value. Empty if the input is the value. */
  formula: string;
  /** Scale from values to scores. */
  scale: string;
  /** Value. Absent if an input is unknown. */
  value?: number;
  /** 0 to 100. An integer, except for funds, whose score is not rounded. Absent if there is no score; the indicator then counts only in coverage, as not covered. */
  score?: number;
  /** 0 to 1: its share in coverage. */
  certainty: number;
  /** Imputation of the value and its condition, such as `noWtoReporter: the country reports no tariffs to the WTO`. Otherwise empty. */
  imputation: string;
  /** Reason why no source provides the value. Otherwise empty. */
  missing: string;
  /** Known inputs of the value. */
  inputs: ExplainedInput[];
}

/** An input value as reported by a source. */
export interface ExplainedInput {
  /** Name in the methodology's table. */
  name: string;
  /** Value in the unit of the methodology's table. */
  value: number;
  /** Period of the value: a year or a date. */
  period: string;
  /** Name of the source. */
  source: string;
  /** Name of the series at the source. */
  series: string;
  /** Time when the source was last read, ISO 8601 in UTC. */
  readAt: string;
}

export interface GetPaths {
  /** Returns all values and indicators behind a country's resilience score.
   *
   * Each value has its source and date, and each indicator its formula and weight. The score can be recomputed from this response alone. It is from the same computation as the score of GetResilienceScore. */
  "/api/resilience/v1/get-resilience-score-explanation": {
    query: {
      /** Country in any form: code or English name. */
      country_code: string;
    };
    answer: GetResilienceScoreExplanationResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "pillars.domains.dimensions.indicators" | "pillars.domains.dimensions" | "pillars.domains" | "pillars" | "response" | undefined; raw?: boolean | undefined };
  };
}

