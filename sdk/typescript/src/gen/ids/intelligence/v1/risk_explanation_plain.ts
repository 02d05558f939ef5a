// Written by `make generate`.
/** All parts of a score. `combinedScore` = min(100, max(highest floor that holds, round(`blendedScore`))). `blendedScore` = `baselineWeight` × `staticBaseline` + `eventWeight` × sum of each component's `weight` × `score` + sum of the additions' counted points. A component's `score` = min(100, round(sum of its terms' counted points)). Counted points = min(`cap`, `points`). */
export interface GetRiskScoreExplanationResponse {
  /** ISO 3166-1 alpha-2 country code. */
  region: string;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** Time when the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** As in GetRiskScores. */
  degraded: boolean;
  /** As in GetRiskScores. */
  stale: boolean;
  /** As in GetRiskScores. */
  missingInputs: string[];
  /** Constant of the methodology for the country, 0 to 100. */
  staticBaseline: number;
  /** Weight of the baseline in the score. */
  baselineWeight: number;
  /** The constant `m` of the formulas, which multiplies the country's events. */
  eventMultiplier: number;
  /** Weight of the components in the score. */
  eventWeight: number;
  /** The four components. */
  components: RiskComponent[];
  /** Points added to the baseline and the components. */
  additions: RiskTerm[];
  /** Minimum scores of the country. */
  floors: RiskFloor[];
  /** Score before rounding and floors. */
  blendedScore: number;
  /** As in GetRiskScores. */
  combinedScore: number;
  /** Snapshot of about 24 hours earlier. Absent if there is no valid one. */
  earlier?: RiskSnapshot;
  /** As in GetRiskScores. */
  dynamicScore: number;
  /** True if the country is scored. If false, ignore every field except `region`. */
  scored: boolean;
}

/** One of the four components. */
export interface RiskComponent {
  /** `unrest`, `conflict`, `security` or `information`. */
  name: string;
  /** Weight among the components. */
  weight: number;
  /** Integer from 0 to 100. */
  score: number;
  /** Terms whose sum is the score. */
  terms: RiskTerm[];
}

/** A term of the formula. */
export interface RiskTerm {
  /** Name of what the term measures, such as `protests`. */
  name: string;
  /** Formula of the points. `m` is the event multiplier, `n` the first input. */
  formula: string;
  /** Inputs of the formula. */
  inputs: RiskInput[];
  /** Points before the cap. */
  points: number;
  /** Maximum number of points that count. */
  cap: number;
}

/** Minimum score of a country while a condition holds. */
export interface RiskFloor {
  /** `war`, `minor conflict`, `do-not-travel` or `reconsider`. */
  name: string;
  /** Human-readable condition. */
  condition: string;
  /** The minimum score. */
  score: number;
  /** True if the condition holds. */
  holds: boolean;
  /** Inputs of the condition. */
  inputs: RiskInput[];
}

/** An earlier score. */
export interface RiskSnapshot {
  /** Start of the ten-minute interval in which the score was computed, Unix epoch milliseconds. */
  at: number;
  /** The score. */
  combinedScore: number;
}

/** An input value of a formula. */
export interface RiskInput {
  /** Name, such as `battles`. */
  name: string;
  /** The value. If `state` is `measured`, 0 is a measured zero. ACLED events of the current UTC day and the 7 days before count 1, and events of the days 8 to 30 before count 0.4. UCDP events of two years count, or from `countedFrom` on. */
  value: number;
  /** `measured`. `fallback`: from the methodology's fixed list. `derived`: from another part of the score. `missing`: the source has no recent enough good response, or none to compare this one with; counts as 0. `absent`: no source reports it; counts as 0. */
  state: "measured" | "fallback" | "derived" | "missing" | "absent";
  /** Name of the source. Empty if there is none. */
  source: string;
  /** Latest day covered by the value, YYYY-MM-DD. Empty if nothing was found. */
  observedAt: string;
  /** Time when the source was last read, ISO 8601 in UTC. Empty if never read. */
  fetchedAt: string;
  /** First day that counts, YYYY-MM-DD, if the stored UCDP data does not reach back two years. Otherwise empty. */
  countedFrom: string;
}

export interface GetPaths {
  /** Returns all inputs and terms behind a country's risk score.
   *
   * Each input has its source and date, and each term its formula and cap. The score can be recomputed from this response alone. It is from the same computation as the score of GetRiskScores. */
  "/api/intelligence/v1/get-risk-score-explanation": {
    query: {
      /** Country in any form: code or English name. For a country that is not scored, `scored` is false and every list is empty. */
      region: string;
    };
    answer: GetRiskScoreExplanationResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "components.terms" | "components" | "additions" | "floors" | "response" | undefined; raw?: boolean | undefined };
  };
}

