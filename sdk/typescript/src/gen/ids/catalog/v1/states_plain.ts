// Written by `make generate`.
import type { DatasetName } from "../../../known.ts";
/** States of the last 90 days. */
export interface ListStatesResponse {
  /** By dataset and source, oldest first. */
  spans: StateSpan[];
  /** First of the 90 days, YYYY-MM-DD. What has no span since then was not recorded. */
  since: string;
}

/** One day, or several in a row on which the state was the same throughout. */
export interface StateSpan {
  /** Name of the dataset. */
  dataset: string;
  /** Source of the dataset. Empty: the dataset itself. */
  source: string;
  /** First day, in UTC, YYYY-MM-DD. */
  from: string;
  /** Last day, YYYY-MM-DD. */
  to: string;
  /** The worst state of that time, as in ListDatasets. */
  state: string;
  /** Time in each state, best first. A day on which the service did not run all the time has less than 1,440 minutes. */
  minutes: StateMinutes[];
}

/** Time in a state. */
export interface StateMinutes {
  /** The state. */
  state: string;
  /** Minutes. */
  minutes: number;
}

export interface GetPaths {
  /** Lists daily states of datasets and sources.
   *
   * Of the last 90 days. Days on which nothing changed are one row. Times when the service did not run are absent. No API key is required. */
  "/api/catalog/v1/list-states": {
    query: {
      /** Name of a dataset. Default: all datasets. */
      dataset?: DatasetName | undefined;
    };
    answer: ListStatesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

