// Written by `make generate`.
/** Dependence of a country's imports of a chapter on each chokepoint. */
export interface GetCountryChokepointIndexResponse {
  /** The requested country. */
  iso2: string;
  /** The requested chapter, always two digits. */
  hs2: string;
  /** All 13 chokepoints, highest score first. Empty for a country whose routes are unknown. */
  exposures: ChokepointExposure[];
  /** Id of the chokepoint with the highest score. Empty if every score is 0. */
  primaryChokepointId: string;
  /** Weighted sum of the three highest scores (0.5, 0.3 and 0.2), 0 to 100, one decimal. */
  vulnerabilityIndex: number;
  /** Computation time, ISO 8601 in UTC. Empty if nothing was computed. */
  fetchedAt: string;
  /** Basis of the scores: `flow_weighted` (the country's imports) or `country_route_fallback` (its trade routes only). Empty if nothing was computed. */
  coverage: string;
  /** True if the imports could not be read yet, or those used are more than 45 days old. */
  upstreamUnavailable: boolean;
}

/** Exposure to one chokepoint. */
export interface ChokepointExposure {
  /** Canonical chokepoint id, such as `hormuz_strait`. */
  chokepointId: string;
  /** English name of the chokepoint. */
  chokepointName: string;
  /** Coast on which the country trades, the same for every entry: `atlantic`, `pacific`, `indian`, `med`, `multi` or `landlocked`. */
  coastSide: string;
  /** Exposure score, 0 to 100, one decimal. */
  exposureScore: number;
  /** True if there is a model of the effect of its closure on energy supply. */
  shockSupported: boolean;
}

export interface GetPaths {
  /** Returns a country's import exposure to each of 13 chokepoints.
   *
   * Scores range from 0 to 100 and cover one chapter of goods. Flow-weighted: for each imported heading and each of its five largest exporters, the share of the chokepoint's trade routes that the importer or exporter uses, times the exporter's share of the heading, times the heading's share of the chapter. Smaller exporters add nothing, so the score is understated by their share. If the country's imports of the chapter are unknown, the share of the chokepoint's routes that the country itself uses is taken instead, and `coverage` says so. Energy (chapter 27) is multiplied by 1.5 at the four chokepoints with a shock model. Imports: UN Comtrade. Routes: a table of this project. Recomputed daily. */
  "/api/supply-chain/v1/get-country-chokepoint-index": {
    query: {
      /** ISO 3166-1 alpha-2 code of the importing country, uppercase, or `XK`. A code that is not assigned is rejected. */
      iso2: string;
      /** Chapter of the Harmonized System, 01 to 97 or 99, except 77, which is reserved. A single digit is read with a leading zero. Default `27`, energy. */
      hs2?: string | undefined;
    };
    answer: GetCountryChokepointIndexResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "exposures" | "response" | undefined; raw?: boolean | undefined };
  };
}

