// Written by `make generate`.
/** Readings of the metals and their composite. */
export interface GetPhysicalDivergenceIndexResponse {
  /** The requested metals, gold before silver. */
  readings: PhysicalDivergenceReading[];
  /** Composite of both metals, regardless of the request. */
  composite?: PhysicalDivergenceComposite;
  /** Evaluation time, which is the time of the call, Unix epoch milliseconds. 0 if there was nothing to evaluate. */
  evaluatedAt: number;
  /** Name of the methodology, `physical-divergence-v2`. */
  methodologyVersion: string;
  /** True if a premium is stored for any metal. If false, every reading is `MISSING_INPUT` with a reason. */
  available: boolean;
}

/** Divergence of one metal's premium. */
export interface PhysicalDivergenceReading {
  /** `gold` or `silver`. */
  metal: string;
  /** Check this field first: only `OK` has an index. */
  state: PhysicalDivergenceState;
  /** Reason why the state is not `OK`, such as `paper_snapshot_older_than_36_hours`. Empty if it is `OK`.
   *
   * Insufficient: `history_points_below_60`. Stale: `physical_print_older_than_12_calendar_days`, `paper_snapshot_older_than_36_hours`, `fx_snapshot_older_than_60_hours`. Missing: `current_premium_missing`, `evaluation_clock_invalid`, `physical_print_invalid`, `paper_snapshot_invalid`, `fx_snapshot_invalid`, `physical_print_in_future`, `paper_snapshot_in_future`, `fx_snapshot_in_future`, `history_values_invalid`, `history_window_not_aligned`, `divergence_snapshot_unavailable`, `divergence_methodology_unsupported`. */
  reason: string;
  /** Band of the premium. Unspecified unless `OK`. */
  regime: PhysicalPremiumRegime;
  /** Index, 0 to 100, 2 decimals. Absent unless `OK`. */
  index?: number;
  /** As in GetPhysicalPremiums. Absent if unknown. */
  premiumPct?: number;
  /** As in GetPhysicalPremiums. Absent if unknown. */
  premiumUsdPerOz?: number;
  /** Share of the window's premiums that are not above the current one, percent, 0 to 100, 2 decimals. Absent unless `OK`. */
  percentile?: number;
  /** Distance from the window's median in median absolute deviations, scaled by 0.67448975, 6 decimals. Absent unless `OK`, and if most values of the window are equal and the current premium differs from them. */
  robustZ?: number;
  /** Current `premiumPct` minus that of 5 prints earlier, percentage points, 4 decimals. Absent unless `OK`. */
  delta5d?: number;
  /** Current `premiumPct` minus that of 20 prints earlier, percentage points, 4 decimals. Absent unless `OK`. */
  delta20d?: number;
  /** Direction of `delta5d`. Stable within 0.01 in either direction. */
  trend5d: PhysicalPremiumTrend;
  /** Direction of `delta20d`. Stable within 0.01 in either direction. */
  trend20d: PhysicalPremiumTrend;
  /** Number of valid premiums in the window, including the current one, 0 to 250. */
  historyPoints: number;
  /** Date of the window's oldest print, YYYY-MM-DD. Empty unless `OK`. */
  historyWindowStart: string;
  /** Date of the window's newest print, YYYY-MM-DD. Empty unless `OK`. */
  historyWindowEnd: string;
  /** Date of the current print in Shanghai, YYYY-MM-DD. Empty if unknown. */
  physicalAsOf: string;
  /** Time of the futures price, Unix epoch milliseconds. 0 if unknown. */
  paperAsOf: number;
  /** Name of the series that provides the window. */
  historyKey: string;
  /** Name of the methodology. */
  methodologyVersion: string;
  /** Inputs of the premium. Absent if nothing is stored. */
  provenance?: PhysicalDivergenceProvenance;
}

/** Composite of both metals. */
export interface PhysicalDivergenceComposite {
  /** `OK` if both metals are `OK`, otherwise the state of the worse one. */
  state: PhysicalDivergenceState;
  /** Empty if `OK`. Otherwise `member_not_ok`, the metal and its state joined by colons, such as `member_not_ok:gold:stale_input`, or the reason why there was nothing to evaluate. */
  reason: string;
  /** Weighted mean of the metals' indices, 0 to 100, 2 decimals. Absent unless `OK`. */
  index?: number;
  /** Weight of each metal. */
  weights: PhysicalDivergenceWeight[];
  /** Name of the methodology. */
  methodologyVersion: string;
}

/** Whether a reading has an index, and if not, why. */
export type PhysicalDivergenceState = "PHYSICAL_DIVERGENCE_STATE_UNSPECIFIED" | "PHYSICAL_DIVERGENCE_STATE_OK" | "PHYSICAL_DIVERGENCE_STATE_INSUFFICIENT_HISTORY" | "PHYSICAL_DIVERGENCE_STATE_STALE_INPUT" | "PHYSICAL_DIVERGENCE_STATE_MISSING_INPUT";

/** Band of a premium. */
export type PhysicalPremiumRegime = "PHYSICAL_PREMIUM_REGIME_UNSPECIFIED" | "PHYSICAL_PREMIUM_REGIME_NORMAL" | "PHYSICAL_PREMIUM_REGIME_ELEVATED" | "PHYSICAL_PREMIUM_REGIME_STRESSED" | "PHYSICAL_PREMIUM_REGIME_EXTREME";

/** Direction of a premium. */
export type PhysicalPremiumTrend = "PHYSICAL_PREMIUM_TREND_UNSPECIFIED" | "PHYSICAL_PREMIUM_TREND_WIDENING" | "PHYSICAL_PREMIUM_TREND_STABLE" | "PHYSICAL_PREMIUM_TREND_NARROWING";

/** Inputs of a reading. */
export interface PhysicalDivergenceProvenance {
  /** Source of the benchmark price. */
  physicalSource: string;
  /** `SHAU` or `SHAG`. */
  physicalSymbol: string;
  /** Date of the print in Shanghai, YYYY-MM-DD. Empty if unknown. */
  physicalAsOf: string;
  /** Source of the futures price. */
  paperSource: string;
  /** `GC=F` or `SI=F`. */
  paperSymbol: string;
  /** Time of the futures price, Unix epoch milliseconds. 0 if unknown. */
  paperAsOf: number;
  /** Source of the exchange rate. */
  fxSource: string;
  /** Always `CNY/USD`. */
  fxPair: string;
  /** 14:15 UTC of the day of the rates, Unix epoch milliseconds. 0 if unknown. */
  fxAsOf: number;
  /** Name of the series that provides the window. */
  historyKey: string;
  /** Maximum number of premiums in a window. */
  historyWindowPoints: number;
  /** Name of the methodology. */
  methodologyVersion: string;
}

/** Weight of one metal in the composite. */
export interface PhysicalDivergenceWeight {
  /** `gold` or `silver`. */
  metal: string;
  /** Share of the composite. The weights sum to 1. */
  weight: number;
  /** Name of the methodology of the metal's reading. */
  methodologyVersion: string;
}

export interface GetPaths {
  /** Returns how unusual the gold and silver premiums are.
   *
   * Grades the premiums of GetPhysicalPremiums from 0 to 100 against fixed bands and their own history. Methodology `physical-divergence-v2`, over the most recent 250 prints of a metal, at least 60. Check `state` first: an index is returned only if every input is fresh at the time of the call. A print may be 12 days old, the futures price 36 hours and the exchange rate 60 hours. Saturdays and Sundays do not count for the latter two. */
  "/api/market/v1/get-physical-divergence-index": {
    query: {
      /** `gold` and `silver`, lowercase, each at most once, repeated or comma-separated. Default: both. The composite always covers both. */
      metals?: readonly string[] | undefined;
    };
    answer: GetPhysicalDivergenceIndexResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "readings" | "response" | undefined; raw?: boolean | undefined };
  };
}

