// Written by `make generate`.
/** House prices of the requested places. */
export interface GetEuHousingCycleResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first. */
  cached_at?: string;
  /** True if Eurostat was last read more than 50 days ago, or never. Such a response is `no-store`. */
  stale: boolean;
  /** Always present. */
  data: EuHousingCycleData;
}

/** Government debt of the requested places. */
export interface GetEuQuarterlyGovDebtResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first. */
  cached_at?: string;
  /** True if Eurostat was last read more than 14 days ago, or never. Such a response is `no-store`. */
  stale: boolean;
  /** Always present. */
  data: EuQuarterlyGovDebtData;
}

/** Industrial production of the requested places. */
export interface GetEuIndustrialProductionResponse {
  /** Time of the last successful read of Eurostat, ISO 8601 in UTC. Absent before the first. */
  cached_at?: string;
  /** True if Eurostat was last read more than 5 days ago, or never. Such a response is `no-store`. */
  stale: boolean;
  /** Always present. */
  data: EuIndustrialProductionData;
}

/** The indicator of this response. */
export interface EuHousingCycleData {
  /** Prices of all dwellings that households buy, annual average, 2015 = 100. Table `prc_hpi_a`. */
  "house-prices": EuIndicator;
}

/** The indicator of this response. */
export interface EuQuarterlyGovDebtData {
  /** General government gross debt at the end of the quarter, percent of GDP. Table `gov_10q_ggdebt`. */
  "gov-debt-q": EuIndicator;
}

/** The indicator of this response. */
export interface EuIndustrialProductionData {
  /** Volume of production in industry except construction (NACE B to D), seasonally and calendar adjusted, 2021 = 100. Table `sts_inpr_m`. */
  "industrial-production": EuIndicator;
}

/** A Eurostat indicator by place. */
export interface EuIndicator {
  /** Keyed by the Eurostat code of the place: EU members in code order, then the newest code of the euro area, such as `EA21`, and of the EU, such as `EU27_2020`. Places without a value are left out. */
  countries: Record<string, EuIndicatorReading>;
  /** Time of the last successful read of Eurostat, Unix epoch milliseconds. Absent before the first. */
  seededAt?: number;
  /** Eurostat code of the table. */
  dataset: string;
  /** Description of the values. */
  label: string;
}

/** Values of one place. */
export interface EuIndicatorReading {
  /** Most recent value, 2 decimals. */
  value: number;
  /** The value before the most recent one in `series`. Absent if there is none, and in a summary. */
  priorValue?: number;
  /** True if there is a value before the most recent one. Absent in a summary. */
  hasPrior?: boolean;
  /** Period of the most recent value: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** Eurostat code of the unit: `I15_A_AVG` (index, 2015 = 100, annual average), `PC_GDP` (percent of GDP) or `I21` (index, 2021 = 100). */
  unit: string;
  /** Most recent values, oldest first: at most 10 years, 8 quarters or 12 months. Periods without a value are left out. Empty in a summary. */
  series: EuIndicatorPoint[];
}

/** The value of one period. */
export interface EuIndicatorPoint {
  /** Period: a year (`2025`), a quarter (`2026-Q2`) or a month (`2026-09`). */
  date: string;
  /** Value, 2 decimals. */
  value: number;
}

export interface GetPaths {
  /** Returns annual house price indices for EU members and aggregates.
   *
   * The aggregates are the euro area and the EU. Source: Eurostat (CC BY 4.0). Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 50 days ago. */
  "/api/economic/v1/get-eu-housing-cycle": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`. */
      countries?: readonly string[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuHousingCycleResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns quarterly government debt for EU members and aggregates.
   *
   * The aggregates are the euro area and the EU. Source: Eurostat (CC BY 4.0). Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 14 days ago. */
  "/api/economic/v1/get-eu-quarterly-gov-debt": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`. */
      countries?: readonly string[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuQuarterlyGovDebtResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns monthly industrial production for EU members and aggregates.
   *
   * The aggregates are the euro area and the EU. Source: Eurostat (CC BY 4.0). Before the first refresh, there are no places, `stale` is true and `cached_at` is absent. If `cached_at` is present, `stale` means that the last values were read more than 5 days ago. */
  "/api/economic/v1/get-eu-industrial-production": {
    query: {
      /** Eurostat codes, case-insensitive, repeated or comma-separated: alpha-2 codes of EU members (Greece is `EL`; `GR` is also accepted), `EA20` (euro area) and `EU27_2020`, which mean the newest composition. Unknown codes are left out. Default: all places, up to `limit`. */
      countries?: readonly string[] | undefined;
      /** Maximum number of places: members first, by code, then the two aggregates. Default 30. 0 means all. Ignored if `countries` is set. */
      limit?: number | undefined;
      /** If true, returns only the most recent value of each place, with its date and unit. */
      summary?: boolean | undefined;
    };
    answer: GetEuIndustrialProductionResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

