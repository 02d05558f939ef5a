// Written by `make generate`.
/** Scores of the requested countries. */
export interface GetRiskScoresResponse {
  /** Sorted by `combinedScore`, highest first. Ties are in the fixed order of the methodology. */
  ciiScores: CiiScore[];
  /** One entry for the world. Empty if `region` is set. */
  strategicRisks: StrategicRisk[];
  /** True if the scores are degraded: a source is unavailable (`missingInputs`) or the scores are old. Such a response is `no-store`. */
  degraded: boolean;
  /** True if the scores are the last good ones, 20 to 60 minutes old. Older scores are not returned: only baselines and floors are, with `degraded` true and `stale` false. */
  stale: boolean;
  /** Inputs that count as 0 because data is missing. Sources whose last good response is missing or too old make the response degraded (for travel advisories, a fixed list is used instead of 0). `components` without any source do not. */
  missingInputs: string[];
}

/** Composite instability of one country. */
export interface CiiScore {
  /** ISO 3166-1 alpha-2 country code. */
  region: string;
  /** Constant of the methodology for the country, 0 to 100. */
  staticBaseline: number;
  /** `combinedScore` minus that of 24 hours earlier, -100 to 100, one decimal. Positive means rising risk. 0 if there is no change, or no valid snapshot within half an hour of 24 hours ago. A snapshot computed from other sources is not valid. */
  dynamicScore: number;
  /** The score, an integer from 0 (stable) to 100. */
  combinedScore: number;
  /** Direction of `dynamicScore` over 24 hours: rising above 1, falling below -1. Unspecified if there is no valid snapshot of 24 hours ago (`hasDynamicScore` is false). */
  trend: TrendDirection;
  /** Components of the event part of the score. */
  components?: CiiComponents;
  /** Time when the score was computed, Unix epoch milliseconds. */
  computedAt: number;
  /** Version of the methodology, `v8`. */
  methodologyVersion: string;
  /** Constant multiplier of the methodology for the country's events, 0 to 10. */
  eventMultiplier: number;
  /** `do-not-travel`, `reconsider` or `caution`. Empty if none applies. */
  advisoryLevel: "" | "do-not-travel" | "reconsider" | "caution";
  /** Origin of the advisory level: `live` (the State Department), `fallback` (the methodology's fixed list) or `absent` (neither lists the country). */
  advisoryProvenance: "live" | "fallback" | "absent";
  /** True if `dynamicScore` is measured (if not, JSON: 0, files: empty): a valid snapshot of 24 hours earlier is there. */
  hasDynamicScore: boolean;
}

/** Global risk. */
export interface StrategicRisk {
  /** `global`. */
  region: string;
  /** High from 70, medium from 40, otherwise low. */
  level: SeverityLevel;
  /** Weighted mean of the five highest scores (weights 1, 0.85, 0.7, 0.55, 0.4), times 0.7, plus 15, rounded, at most 100. */
  score: number;
  /** Codes of the five highest-scored countries, highest first. */
  factors: string[];
  /** Always stable. */
  trend: TrendDirection;
}

/** Direction of a score over 24 hours. */
export type TrendDirection = "TREND_DIRECTION_UNSPECIFIED" | "TREND_DIRECTION_RISING" | "TREND_DIRECTION_STABLE" | "TREND_DIRECTION_FALLING";

/** The four components, integers from 0 to 100. The field names are historical; the descriptions state what each contains. */
export interface CiiComponents {
  /** Information: news and threat reports. Not measured (JSON: 0, files: empty) if `hasNewsActivity` is false. */
  newsActivity: number;
  /** Unrest: protests, riots and internet outages. */
  ciiContribution: number;
  /** Conflict: battles, explosions, violence against civilians and their deaths. */
  geoConvergence: number;
  /** Security: military flights and vessels, airports, satellite navigation. Not measured (JSON: 0, files: empty) if `hasMilitaryActivity` is false. */
  militaryActivity: number;
  /** True if `newsActivity` is measured. */
  hasNewsActivity: boolean;
  /** True if `ciiContribution` is measured: it is above 0, or no source of it is missing. */
  hasCiiContribution: boolean;
  /** True if `geoConvergence` is measured: it is above 0, or no source of it is missing. */
  hasGeoConvergence: boolean;
  /** True if `militaryActivity` is measured. */
  hasMilitaryActivity: boolean;
}

/** Severity of a risk. */
export type SeverityLevel = "SEVERITY_LEVEL_UNSPECIFIED" | "SEVERITY_LEVEL_LOW" | "SEVERITY_LEVEL_MEDIUM" | "SEVERITY_LEVEL_HIGH";

export interface GetPaths {
  /** Returns instability scores of 31 countries, 0 to 100.
   *
   * Each score includes its change over 24 hours. Methodology v8, computed every ten minutes: a constant baseline, four components (unrest, conflict, security, information) and additions for travel advisories, fires, earthquakes, sanctions and displacement, with floors for wars and advisories. Sources: ACLED, UCDP, Cloudflare Radar, NASA FIRMS, the US Geological Survey, OFAC (its SDN list and its consolidated list of others), the US State Department and UNHCR. Terms without an implemented source (security and information among them) count as 0. The floors for wars use two years of UCDP events, as far back as they are stored: a new installation starts with some months. GetRiskScoreExplanation shows every term. */
  "/api/intelligence/v1/get-risk-scores": {
    query: {
      /** Country in any form: code or English name. Default: all scored countries. A country that is not scored returns empty lists. */
      region?: string | undefined;
    };
    answer: GetRiskScoresResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "ciiScores" | "strategicRisks" | undefined; raw?: boolean | undefined };
  };
}

