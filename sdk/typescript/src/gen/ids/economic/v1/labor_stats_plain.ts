// Written by `make generate`.
/** A labor series. */
export interface GetLaborStatsSeriesResponse {
  /** Always present. */
  series: LaborStatsSeries;
}

/** Description and observations of a labor series. */
export interface LaborStatsSeries {
  /** The requested series id. */
  seriesId: string;
  /** Title of the series. */
  title: string;
  /** Units of the values. */
  units: string;
  /** Oldest first. Periods for which the source has no value are left out. */
  observations: LaborStatsObservation[];
}

/** The value of one month or quarter. */
export interface LaborStatsObservation {
  /** Four-digit year. */
  year: string;
  /** `M01` to `M12`, or `Q01` to `Q04` for a quarterly series. */
  period: string;
  /** English name of the month, or `1st Quarter` to `4th Quarter`. */
  periodName: string;
  /** Value as text from the source: a decimal number, not rounded. */
  value: string;
}

export interface GetPaths {
  /** Returns the most recent observations of a US labor series.
   *
   * Source: US Bureau of Labor Statistics (public domain), or FRED if it has a newer observation. Before the first refresh, the operation returns 503, because the response has no availability flag. */
  "/api/economic/v1/get-labor-stats-series": {
    query: {
      /** `USPRIV`: total private nonfarm payrolls, monthly. `ECIALLCIV`: employment cost index of all civilian workers, quarterly. */
      series_id: "USPRIV" | "ECIALLCIV";
      /** Maximum number of observations, most recent ones, 1 to 500. Default 60. */
      limit?: number | undefined;
    };
    answer: GetLaborStatsSeriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

