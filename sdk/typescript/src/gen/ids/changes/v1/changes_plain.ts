// Written by `make generate`.
import type { DatasetName } from "../../../known.ts";
/** Changes, oldest first. */
export interface ListChangesResponse {
  /** Matching changes, oldest first. */
  changes: Change[];
  /** Position to send as `after` in the next call. */
  nextPosition: number;
  /** True if there are entries after `nextPosition`. */
  more: boolean;
}

/** One change. */
export interface Change {
  /** Position in the log: later changes have higher ones. */
  position: number;
  /** Time of the refresh or of the finding, Unix epoch milliseconds. */
  at: number;
  /** Name of the dataset. */
  dataset: string;
  /** What happened. `appeared`, `changed`, `vanished`: a row; one vanishes too when it leaves the period or the list that the dataset covers. `replaced`: the rows of the dataset were loaded first, or too many moved to list them: read them again. `stale`: the dataset is older than `freshForSeconds`. `degraded`: computed rows lost the inputs in `after.missingInputs`. `recovered`: a stale dataset was read again, or the inputs in `after.returnedInputs` are back. `corrected`: the operator has put an earlier generation of the dataset back, `after.generation`: read its rows again. `moved`: reserved for series. A row is compared only with its last state that was computed from the same inputs: a lost input changes no row. */
  kind: "appeared" | "changed" | "vanished" | "replaced" | "moved" | "corrected" | "stale" | "degraded" | "recovered";
  /** Which rows of the dataset, as the parameter `rows` of its files names them. Empty for a change of the dataset as a whole. */
  rows: string;
  /** Identifies the row within them: its key, several fields joined by `|`. Empty for a change of the dataset as a whole. */
  subject: string;
  /** ISO 3166-1 alpha-2 code of the country that the row is about. Empty if it names none. */
  country: string;
  /** Values before, in the shape of the row's JSON. `changed`: the fields that moved. `vanished`: those that identify and name the row. Otherwise absent. */
  before?: { [name: string]: unknown };
  /** Values after. `appeared`: the row. `changed`: the fields that moved; null: no longer known. `degraded` and `recovered` of computed rows: names of the inputs (none if only the coverage of some rows differs), and in `rows` the number of rows. Otherwise absent. */
  after?: { [name: string]: unknown };
}

export interface GetPaths {
  /** Lists changes of the data.
   *
   * They are in the order in which they became visible. A change is a row of a dataset that appeared, moved or vanished with a refresh, or a dataset that became stale or recovered. `changes` of ListDatasets names the rows of each dataset that are followed; rows that are computed for each request are not. Times at which a row was read or computed make no change. The first load of a dataset is one entry, `replaced`, and so is a refresh that moves more than 10,000 rows. Rows of sources that may not be passed on are left out, and invented rows are listed by a service in sample mode only. Entries are kept for 7 days.
   *
   * Continue with `after` = `nextPosition`. A call looks at up to 10,000 entries, so it may return fewer than `limit`, even none, while `more` is true. 410 if entries after `after` are no longer kept, or if it is above the newest position: the message names the position to begin at.
   *
   * As a file (`format`), `before` and `after` are JSON, because each is of a row of another dataset; continue with `after` = `X-Next-Cursor`. */
  "/api/changes/v1/list-changes": {
    query: {
      /** Position after which the list begins. Default: before the oldest entry that is kept. */
      after?: bigint | number | string | undefined;
      /** Names of datasets, as in ListDatasets, comma-separated. Up to 50. Default: all. */
      datasets?: readonly DatasetName[] | undefined;
      /** Countries in any form, comma-separated. Up to 250. Entries without a country then do not match. Default: all. */
      countries?: readonly string[] | undefined;
      /** Kinds of changes, comma-separated. Default: all. */
      kinds?: readonly ("appeared" | "changed" | "vanished" | "replaced" | "moved" | "corrected" | "stale" | "degraded" | "recovered")[] | undefined;
      /** Maximum number of changes, 1 to 1,000. Values above 1,000 mean 1,000. Default 100, also for values below 1. */
      limit?: number | undefined;
    };
    answer: ListChangesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

