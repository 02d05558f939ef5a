// Written by `make generate`.
/** Versions, flags and storage. Contains no secrets. */
export interface GetResilienceRuntimeManifestResponse {
  /** Version of the response format. */
  manifestVersion: number;
  /** Time of the response, ISO 8601 in UTC. */
  generatedAt: string;
  /** Commit of the running deployment, as set by the operator (`IDS_COMMIT`). `unknown` if not set. */
  deployedCommitSha: string;
  /** Origin of the data: `live` or `sample`. */
  environment: string;
  /** Formula that combines the pillars: `pc`, the mean minus a penalty for the weakest pillar. */
  formulaTag: string;
  /** Date of the most recent annual data, YYYY-MM-DD. Empty if nothing was computed yet. */
  dataVersion: string;
  /** Feature flags. */
  flags: RuntimeFlag[];
  /** Storage of the scores. */
  cache?: RuntimeCache;
  /** The ranking currently returned. */
  rankingCache?: RankingState;
  /** Constructs of single dimensions by name: `energy` is `v2`. `education` and `financialSystemExposure` are `active`, or `rollback` if one of their sources is not implemented. */
  constructVersions: Record<string, string>;
  /** Whether scores have intervals. */
  intervals?: IntervalState;
  /** Version of the methodology. */
  methodologyVersion: string;
}

/** A feature flag. */
export interface RuntimeFlag {
  /** `schema-v2`, `pillar-combine`, `energy-v2` or `financial-system-exposure`. */
  name: string;
  /** True if the feature is enabled. */
  enabled: boolean;
}

/** Storage of the scores: tables of the store and keys in them. */
export interface RuntimeCache {
  /** Scores: the type of the message that contains them. */
  scorePrefix: string;
  /** Ranking: a field of the same message, so that both are always from one computation. */
  rankingKey: string;
  /** Daily scores: the table and the methodology in it. */
  historyPrefix: string;
  /** Intervals: a field of each score. */
  intervalPrefix: string;
  /** Methodology of the intervals. */
  intervalMethodology: string;
}

/** The ranking currently returned. */
export interface RankingState {
  /** Computation time, ISO 8601 in UTC. Empty if never computed. */
  fetchedAt: string;
  /** Number of ranked countries. */
  count: number;
  /** Number of countries with a score. */
  scored: number;
  /** Number of countries of the ranking. */
  total: number;
}

/** Whether scores have intervals. */
export interface IntervalState {
  /** True if the sample country's score has an interval. */
  available: boolean;
  /** Methodology of the intervals. */
  methodology: string;
  /** Country that is checked, ISO 3166-1 alpha-2 code. */
  sampleCountry: string;
  /** Computation time of the intervals, ISO 8601 in UTC, not the time of an observation. Empty if there are none. */
  lastObservedAt: string;
}

export interface GetPaths {
  /** Returns the versions, flags and storage of the resilience scoring. */
  "/api/resilience/v1/get-runtime-manifest": {
    query: Record<never, never>;
    answer: GetResilienceRuntimeManifestResponse;
  };
}

