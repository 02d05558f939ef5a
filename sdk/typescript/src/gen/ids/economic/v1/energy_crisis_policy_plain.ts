// Written by `make generate`.
/** Matching policies. */
export interface GetEnergyCrisisPoliciesResponse {
  /** Publisher of the list. */
  source: string;
  /** URL of the list. Empty if there is none. */
  sourceUrl: string;
  /** One-sentence description of the list. */
  context: string;
  /** Sorted by country, category, announcement date (newest first) and measure. */
  policies: EnergyCrisisPolicy[];
  /** Time of the last review of the list, ISO 8601 in UTC. Empty without a list. */
  updatedAt: string;
  /** True if there is no list. */
  unavailable: boolean;
}

/** A measure of one country. */
export interface EnergyCrisisPolicy {
  /** English short name of the country. */
  country: string;
  /** ISO 3166-1 alpha-2 code of the country. */
  countryCode: string;
  /** `conservation`: reduces energy use. `consumer_support`: supports consumers. */
  category: "conservation" | "consumer_support";
  /** Sector to which the measure applies. */
  sector: "Transport" | "Cooling" | "Campaign" | "Work from home" | "Government travel" | "Schools and universities" | "Taxation" | "Price caps" | "Fuel subsidies" | "Other";
  /** Description of the measure. */
  measure: string;
  /** Date of announcement or enactment, YYYY-MM-DD. */
  dateAnnounced: string;
  /** Current status: `active`, `planned` or `ended`. */
  status: "active" | "planned" | "ended";
  /** Who announced, enacted or reported the measure. */
  source: string;
  /** Website of the source. Empty if there is none. */
  sourceUrl: string;
  /** Date of the last review of this row, YYYY-MM-DD. */
  reviewedOn: string;
}

export interface GetPaths {
  /** Lists government measures against energy crises.
   *
   * The measures conserve energy or support consumers. The list is curated, or replaced by the operator's own. If `unavailable` is false and `policies` is empty, nothing on the list matches. If `unavailable` is true, there is no list. */
  "/api/economic/v1/get-energy-crisis-policies": {
    query: {
      /** Country in any form: code or English name. Default: all countries. */
      country_code?: string | undefined;
      /** Category of the measure. Default: all categories. */
      category?: "conservation" | "consumer_support" | undefined;
    };
    answer: GetEnergyCrisisPoliciesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

