// Written by `make generate`.
import type { DatasetName, SeriesId } from "../../../known.ts";
export interface ListSeriesResponse {
  /** Sorted by id. */
  series: Series[];
}

export interface GetSeriesResponse {
  /** Id of the series. */
  series: string;
  /** UCUM code of the unit or ISO 4217 code of the currency. Empty for figures without a unit. */
  unit: string;
  /** What `value` is multiplied by to be in `unit`: 1,000,000 for millions. */
  scale: number;
  /** Points by key, in the order of the keys, oldest first. At most 20,000. */
  points: SeriesPoint[];
  /** Keys of the request that the series does not have. A country without events, or a key of a series that was never loaded, is not among them. */
  unknownKeys: string[];
  /** Why no point has a value; empty if one has. `not_covered`: the series has none of the keys. `not_loaded`: the series has no points at all yet. `no_points`: none of the keys has a point from `from` to `to`. */
  emptyReason: "" | "not_covered" | "not_loaded" | "no_points";
  /** Why points are missing, as a sentence. Empty if the series has all keys and points. */
  note: string;
  /** Ids of other series of the same topic that have one of `unknown_keys`. */
  relatedSeries: string[];
}

/** A figure over time. */
export interface Series {
  /** Id of the series. */
  id: string;
  /** What the figure is. */
  title: string;
  /** UCUM code of the unit or ISO 4217 code of the currency. Empty for figures without a unit. */
  unit: string;
  /** What `value` is multiplied by to be in `unit`: 1,000,000 for millions. */
  scale: number;
  /** What its keys are made of; the parts are separated by `/`. */
  keyParts: string[];
  /** Time between points: `refresh` if they are the values at the refreshes of the dataset (if they change, and at least once per UTC day), otherwise that of the source. */
  step: "refresh" | "day" | "week" | "month" | "quarter" | "year";
  /** Dataset that the figure is from. */
  dataset: string;
  /** Operation that returns the current figure. Its access rules are those of the series. */
  operation: string;
  /** Version of the methodology that newer points are computed by. Empty if the source itself reports the figure. */
  methodologyVersion: string;
  /** Sources of the dataset. */
  sources: string[];
  /** Number of keys that have points. */
  keys: number;
  /** Time of the earliest point, Unix epoch milliseconds. Absent if there is none. */
  firstAt?: number;
  /** Time of the latest point, Unix epoch milliseconds. Absent if there is none. */
  lastAt?: number;
  /** Aggregation that suits the figure: `sum` for counts of what happened in each step, otherwise `last`. */
  aggregation: "last" | "sum";
}

/** A figure at a time. */
export interface SeriesPoint {
  /** Key of the point. */
  key: string;
  /** Time of the figure, or the start of its interval, Unix epoch milliseconds. */
  at: number;
  /** The figure: times `scale` of the response it is in `unit`. Absent if nothing was measured in the interval. */
  value?: number;
  /** True if this point was computed by another version of the methodology, or from other sources, than the one before it. */
  isBreak: boolean;
  /** True if the interval is not over at `to`: the value stands for the part up to then. Always false for `raw`. */
  isPartial: boolean;
}

export interface GetPaths {
  /** Lists all series of figures with their keys and times.
   *
   * A series is one figure over time, by key: a score by country, a premium by metal. Its points are those that the source reports, or the values at the refreshes of its dataset. */
  "/api/history/v1/list-series": {
    query: {
      /** Name of a dataset, as in ListDatasets. Default: series of all datasets. */
      dataset?: DatasetName | undefined;
    };
    answer: ListSeriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a figure over time for up to 50 keys.
   *
   * Access is that of the operation that returns the current figure. Each point is a measured value; of a time without one, `value` is absent, never 0. Points of the same figure that were computed by another version of the methodology or from other sources begin with `isBreak`: do not compare across. Values times `scale` are in `unit`. Each interval counts from its start, also the one that contains `from`; one that is not over at `to` is marked by `isPartial`. With `as_of`, points as they were known then. Points of the sample from before its first load are invented to lead up to it: more than a year of them where the sample itself does not reach back so far. */
  "/api/history/v1/get-series": {
    query: {
      /** Id of the series, as in ListSeries. */
      series: SeriesId;
      /** Keys, comma-separated, case-insensitive: 1 to 50. Of keys with several parts, the first parts stand for all keys that begin with them: `UA` for `UA/crude_oil` and the others. */
      keys: readonly string[];
      /** Earliest time, inclusive: a day or an RFC 3339 time. Of a `day`, `week` or `month` it stands for the start of the one that contains it. Default: 30 days before `to`. */
      from?: Date | string | undefined;
      /** Latest time, inclusive: a day (its end) or an RFC 3339 time. Default: now. */
      to?: Date | string | undefined;
      /** Time that a point stands for, in UTC: `raw` (as recorded), `day`, `week` (from Monday) or `month`. Default: `raw`. */
      interval?: "raw" | "day" | "week" | "month" | undefined;
      /** What the points of an interval become: `last`, `mean`, `min`, `max` or `sum`. The mean of a series with the step `refresh` is weighted by time; it has no sum. Default: `last`. Ignored for `raw`. */
      aggregation?: "last" | "mean" | "min" | "max" | "sum" | undefined;
    };
    answer: GetSeriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

