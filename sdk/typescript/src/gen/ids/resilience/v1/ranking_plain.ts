// Written by `make generate`.
/** All countries of the ranking. */
export interface GetResilienceRankingResponse {
  /** Ranked countries, highest score first, ties by code. */
  items: RankedCountry[];
  /** Countries whose score is not reliable enough, in the same order, then countries without a score. */
  greyedOut: RankedCountry[];
  /** Time when the scores were computed, ISO 8601 in UTC. Empty if never computed; the response is then `no-store`. */
  fetchedAt: string;
  /** Number of countries with a score. */
  scored: number;
  /** Number of countries of the ranking: the 193 members of the United Nations, Hong Kong, Macao and Taiwan. */
  total: number;
  /** `scored` / `total`, four decimals. */
  coverage: number;
  /** True while fewer than 95 percent of the countries have a score. */
  partial: boolean;
  /** Version of the methodology, as in GetResilienceScore. */
  methodologyVersion: string;
}

/** A country in the ranking. */
export interface RankedCountry {
  /** ISO 3166-1 alpha-2 country code. */
  countryCode: string;
  /** As in GetResilienceScore. -1 if the country has no score. */
  overallScore: number;
  /** As in GetResilienceScore. */
  level: string;
  /** As in GetResilienceScore. */
  lowConfidence: boolean;
  /** Mean coverage of the dimensions, reduced for old data, 0 to 1. */
  overallCoverage: number;
  /** True if the score interval is at most 8 points wide. */
  rankStable: boolean;
  /** As in GetResilienceScore. */
  headlineEligible: boolean;
}

export interface GetPaths {
  /** Returns the ranking of countries by resilience score.
   *
   * Countries without a sufficiently reliable score are listed separately. The ranking is always from the same computation as the scores of GetResilienceScore. */
  "/api/resilience/v1/get-resilience-ranking": {
    query: {
      /** The only country to list, in any form: code or English name. Ranks and totals stay those of all. Default: all. */
      country_code?: string | undefined;
    };
    answer: GetResilienceRankingResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "items" | "greyedOut" | undefined; raw?: boolean | undefined };
  };
}

