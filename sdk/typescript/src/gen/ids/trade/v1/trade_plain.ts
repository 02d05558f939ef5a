// Written by `make generate`.
/** Stored tariffs. */
export interface GetTariffTrendsResponse {
  /** One row per year, ascending. */
  datapoints: TariffDatapoint[];
  /** Time when the rows were last read from the source, ISO 8601 in UTC. Empty if no rows are returned. */
  fetchedAt: string;
  /** True if data is missing because of a failure; a retry may succeed. Such a response is never cached. */
  upstreamUnavailable: boolean;
  /** Effective tariff rate. Only for the United States (`840`) and if there are rows. Absent if unknown. */
  effectiveTariffRate?: EffectiveTariffRate;
  /** Reason why there are no rows. `UNSPECIFIED` if there are rows. */
  unavailableReason: GetTariffTrendsResponseUnavailableReason;
  /** First year listed. 0 if there are no rows. */
  coverageStartYear: number;
  /** Last year listed. 0 if there are no rows. */
  coverageEndYear: number;
}

/** Stored trade flows. */
export interface GetTradeFlowsResponse {
  /** One row per year, ascending. */
  flows: TradeFlow[];
  /** Time when the rows were last read from the source, ISO 8601 in UTC. Empty if no rows are returned. */
  fetchedAt: string;
  /** True if data is missing because of a failure; a retry may succeed. Such a response is never cached. */
  upstreamUnavailable: boolean;
  /** Reason why there are no rows. `UNSPECIFIED` if there are rows. */
  unavailableReason: GetTradeFlowsResponseUnavailableReason;
  /** First year listed. 0 if there are no rows. */
  coverageStartYear: number;
  /** Last year listed. 0 if there are no rows. */
  coverageEndYear: number;
}

/** The average tariff of one year. */
export interface TariffDatapoint {
  /** Name of the economy at the WTO. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Always `All products`. */
  productSector: string;
  /** Calendar year. */
  year: number;
  /** Simple average of the applied most-favored-nation tariff, percent, two decimals. 0 is a measured zero. */
  tariffRate: number;
  /** Average bound tariff, percent, two decimals. Absent if not measured. Currently always absent. */
  boundRate?: number;
  /** WTO code of the series, `TP_A_0010`. */
  indicatorCode: string;
}

/** Customs duties collected as a share of goods imports, in the latest quarter with both values. */
export interface EffectiveTariffRate {
  /** Publisher of the two series. */
  sourceName: string;
  /** URL of the customs duties series. */
  sourceUrl: string;
  /** First day of the quarter, `YYYY-MM-DD`. */
  observationPeriod: string;
  /** Time when the two series were last read, ISO 8601 in UTC. */
  updatedAt: string;
  /** Customs duties (`B235RC1Q027SBEA`) divided by imports (`A255RC1Q027SBEA`), percent, two decimals. */
  tariffRate: number;
}

/** Reason why there are no rows. */
export type GetTariffTrendsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

/** Merchandise trade of one year. */
export interface TradeFlow {
  /** Name of the economy at the WTO. */
  reportingCountry: string;
  /** Always `World`. */
  partnerCountry: string;
  /** Calendar year. */
  year: number;
  /** Exports in millions of US dollars at current prices, two decimals. 0 is a measured zero. */
  exportValueUsd: number;
  /** Imports in millions of US dollars at current prices, two decimals. 0 is a measured zero. */
  importValueUsd: number;
  /** Change of exports from the previous calendar year, percent, two decimals. Absent if that year is not on record or was zero. */
  yoyExportChange?: number;
  /** Change of imports from the previous calendar year, percent, two decimals. Absent if that year is not on record or was zero. */
  yoyImportChange?: number;
  /** Always `Total merchandise`. */
  productSector: string;
}

/** Reason why there are no rows. */
export type GetTradeFlowsResponseUnavailableReason = "UNSPECIFIED" | "NOT_COVERED" | "SEED_MISSING" | "COVERAGE_UNKNOWN" | "CACHE_UNAVAILABLE" | "INVALID_REQUEST";

export interface GetPaths {
  /** Lists the average applied tariff of an economy by year.
   *
   * Simple average of the most-favored-nation tariff over all products (WTO indicator `TP_A_0010`): one value per year and economy, without partner or sector dimension. The years end with the most recent year on record, not the current year. For the United States, the effective tariff rate is included. Rows are kept indefinitely; `fetchedAt` shows their age. If the list is empty, `unavailableReason` states why. */
  "/api/trade/v1/get-tariff-trends": {
    query: {
      /** Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. Default `840`, the United States. */
      reporting_country?: string | undefined;
      /** Three-digit code. Accepted for forward compatibility; never changes the response. */
      partner_country?: string | undefined;
      /** Letters, digits, `_` and `-`, at most 16 characters. Absent or `all` (case-insensitive) is the only covered sector. Any other value returns `NOT_COVERED`. */
      product_sector?: string | undefined;
      /** Number of years listed before the most recent year on record, 0 to 30. Default 10, also for 0: lists up to 11 years. */
      years?: number | undefined;
    };
    answer: GetTariffTrendsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the merchandise exports and imports of an economy by year.
   *
   * Total merchandise trade with the world (WTO indicators `ITS_MTV_AX` and `ITS_MTV_AM`). No other partner is covered. Only years with both values are listed. The years end with the most recent year on record, not the current year. Rows are kept indefinitely; `fetchedAt` shows their age. If the list is empty, `unavailableReason` states why. */
  "/api/trade/v1/get-trade-flows": {
    query: {
      /** Three-digit code of the economy: UN M49, or a WTO code such as `918` for the European Union. Default `840`, the United States. */
      reporting_country?: string | undefined;
      /** Three-digit code of the partner. Default `000`, the world, which is the only covered partner. Any other value returns `NOT_COVERED`. */
      partner_country?: string | undefined;
      /** Number of years listed before the most recent year on record, 0 to 30. Default 10, also for 0: lists up to 11 years. */
      years?: number | undefined;
    };
    answer: GetTradeFlowsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

