// Written by `make generate`.
/** EU gas storage on the latest gas day. */
export interface GetEuGasStorageResponse {
  /** How full the storage is, in percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Change since the previous gas day in percentage points, 2 decimals. Also 0 if the previous day is unknown. */
  fillPctChange1d: number;
  /** Days the stored gas lasts at 18 TWh per day, the average winter drawdown, rounded. */
  gasDaysConsumption: number;
  /** Direction since the previous gas day: `injecting` if the change is above 0.05, `withdrawing` if it is below -0.05, otherwise `stable`. Empty without data. */
  trend: "" | "injecting" | "withdrawing" | "stable";
  /** The most recently published gas days, at most five, oldest first. */
  history: EuGasStorageDay[];
  /** Time of the last successful read of the source, Unix epoch milliseconds as a decimal string. `0` before the first. */
  seededAt: string;
  /** Latest gas day, YYYY-MM-DD. Empty without data. */
  updatedAt: string;
  /** True if the source could not be read for 72 hours, or was never read. */
  unavailable: boolean;
  /** True if the previous gas day is known. If false, `fillPctChange1d` is not (JSON: 0, files: empty). */
  hasFillPctChange1d: boolean;
}

/** The index and its components. */
export interface GetEconomicStressResponse {
  /** 0 (calm) to 100 (extreme), 1 decimal. */
  compositeScore: number;
  /** Label of the rounded score: `Low` below 20, `Moderate` below 40, `Elevated` below 60, `Severe` below 80, otherwise `Critical`. Empty without data. */
  label: "" | "Low" | "Moderate" | "Elevated" | "Severe" | "Critical";
  /** Always the same six components in the same order, including missing ones. Empty without data. */
  components: EconomicStressComponent[];
  /** Time of the last successful read of FRED, ISO 8601 in UTC. Empty before the first. */
  seededAt: string;
  /** True if FRED could not be read for 6 hours, or was never read. */
  unavailable: boolean;
}

/** EU gas storage on one gas day, 06:00 to 06:00 Central European Time. */
export interface EuGasStorageDay {
  /** Day on which the gas day begins, YYYY-MM-DD. */
  date: string;
  /** How full the storage was, in percent of the working volume, 2 decimals. */
  fillPct: number;
  /** Stored gas, terawatt-hours, 1 decimal. */
  gasTwh: number;
}

/** One series of the index. */
export interface EconomicStressComponent {
  /** Series id of the publisher: `T10Y2Y`, `T10Y3M`, `VIXCLS`, `STLFSI4`, `GSCPI` or `ICSA`. */
  id: string;
  /** Human-readable name of the component. */
  label: string;
  /** Latest value in the unit of the series: percentage points (`T10Y2Y`, `T10Y3M`), index points (`VIXCLS`, `STLFSI4`), standard deviations (`GSCPI`) or persons (`ICSA`). 0 if missing. */
  rawValue: number;
  /** 0 to 100, linear between the calm and the extreme value, not rounded. 0 if missing. */
  score: number;
  /** Share of the composite if all six components are present. The six weights sum to 1. */
  weight: number;
  /** True if there is no value that may be served. `VIXCLS` belongs to Cboe: it is missing unless the operator enables it. */
  missing: boolean;
}

export interface GetPaths {
  /** Returns the EU gas storage level and its one-day trend.
   *
   * The values are the EU aggregate of Gas Infrastructure Europe's AGSI: one value per gas day, published the day after. Before the first refresh, all values are 0 and `unavailable` is true. After 72 hours without a successful refresh, the last values remain and `unavailable` is true. */
  "/api/economic/v1/get-eu-gas-storage": {
    query: {
      /** Empty or `EU`: storage is known for the European Union as a whole. A single country is refused. */
      country?: "EU" | (string & {}) | undefined;
    };
    answer: GetEuGasStorageResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "history" | "response" | undefined; raw?: boolean | undefined };
  };
  /** Returns an economic stress index built from six series.
   *
   * The index covers economic and financial stress in the United States and stress in supply chains. Each series is scored linearly between a calm and an extreme value and clamped to 0–100. The composite is the weighted mean of the scores. If a component is missing, the other weights are scaled to sum to 1. Sources: FRED and the Federal Reserve Bank of New York (GSCPI). Before the first refresh, there are no components and `unavailable` is true. After 6 hours without a successful FRED response, the last values remain and `unavailable` is true. */
  "/api/economic/v1/get-economic-stress": {
    query: Record<never, never>;
    answer: GetEconomicStressResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "components" | "response" | undefined; raw?: boolean | undefined };
  };
}

