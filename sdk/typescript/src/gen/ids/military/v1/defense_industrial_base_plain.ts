// Written by `make generate`.
/** Defense industrial base of the country. */
export interface GetDefenseIndustrialBaseResponse {
  /** The requested country. */
  countryCode: string;
  /** True if at least one of the two sources has data for the country. */
  available: boolean;
  /** Military expenditure, percent of GDP. */
  expenditurePctGdp?: DefenseIndicator;
  /** Military expenditure, current US dollars. */
  expenditureUsd?: DefenseIndicator;
  /** Number of armed forces personnel. */
  personnel?: DefenseIndicator;
  /** Exports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsExportsTiv?: DefenseIndicator;
  /** Imports of major arms, SIPRI trend-indicator value: a volume index, not money. */
  armsImportsTiv?: DefenseIndicator;
  /** Supplier countries of the country's arms imports in the window, largest share first. Suppliers that are not countries are left out. */
  suppliers: ArmsSupplier[];
  /** Supplier concentration, 0 to 1: the sum of squared shares of all suppliers, including those that are not countries. */
  supplierHhi: number;
  /** First year of the five-year window. 0 without suppliers. */
  windowStartYear: number;
  /** Last year of the window. 0 without suppliers. */
  windowEndYear: number;
  /** Source of the supplier data. Empty without suppliers. */
  supplierSource: string;
  /** The earlier of the two read times below, ISO 8601 in UTC. If only one is set, that one; if none is set, empty. */
  fetchedAt: string;
  /** Time when the indicators were read, ISO 8601 in UTC. Empty if never read. */
  industrialFetchedAt: string;
  /** Time when the suppliers were read, ISO 8601 in UTC. Empty if never read. */
  supplierFetchedAt: string;
  /** True if the last read failed and the suppliers are from an earlier one. */
  supplierRetained: boolean;
  /** Share of the deliveries whose supplier is a country, 0 to 1. */
  supplierMappingCoverage: number;
  /** Status of the indicators: `ok`, `stale` (read more than 28 days ago), `no_data` (read, but without this country) or `not_loaded` (never read). */
  industrialState: string;
  /** Status of the suppliers, with the same values. Also `not_loaded` if the operator has imported none. */
  supplierState: string;
}

/** Latest and previous value of an indicator. */
export interface DefenseIndicator {
  /** If true, 0 is a measured value. If false, ignore `value`. */
  available: boolean;
  /** Latest value. */
  value: number;
  /** Year of the latest value. 0 if there is none. */
  year: number;
  /** Previous value. Ignore it if `previous_year` is 0. */
  previousValue: number;
  /** Year of the previous value. 0 if there is none. */
  previousYear: number;
  /** World Bank indicator, such as `World Bank MS.MIL.XPND.GD.ZS`. Empty if there is no value. */
  source: string;
}

/** A country that delivered arms. */
export interface ArmsSupplier {
  /** ISO 3166-1 alpha-2 country code. */
  supplierIso2: string;
  /** Share of all deliveries in the window, 0 to 1. */
  tivShare: number;
}

export interface GetPaths {
  /** Returns a country's military spending, personnel, arms trade and suppliers.
   *
   * Includes the concentration of the arms suppliers. Indicators: World Bank (CC BY 4.0), the latest value of the last nine years and the previous one. Suppliers: a file of arms deliveries that the operator imports under its own license; without it, there are none. If no source covers the country, `available` is false. The status of each source is included. */
  "/api/military/v1/get-defense-industrial-base": {
    query: {
      /** Country in any form: code or English name. */
      country_code: string;
    };
    answer: GetDefenseIndustrialBaseResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "response" | "suppliers" | undefined; raw?: boolean | undefined };
  };
}

