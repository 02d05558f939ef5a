// Written by `make generate`.
import type { Dataset } from "../../../ids/catalog/v1/dataset_plain.ts";
import type { DatasetCoverage } from "../../../ids/catalog/v1/coverage_plain.ts";
import type { Source } from "../../../ids/catalog/v1/source_plain.ts";
import type { DatasetName } from "../../../known.ts";
/** All datasets. */
export interface ListDatasetsResponse {
  /** In a fixed order, by domain. */
  datasets: Dataset[];
}

/** A dataset and its rows. */
export interface GetDatasetResponse {
  /** The dataset, as in ListDatasets. */
  dataset: Dataset;
  /** Rows by country and by source. Absent if the dataset was never loaded. */
  coverage?: DatasetCoverage;
}

/** All sources. */
export interface ListSourcesResponse {
  /** In the order of the datasets. Sources that are asked only while a caller waits are last. */
  sources: Source[];
}

export interface GetPaths {
  /** Lists all datasets with their state, sources and operations.
   *
   * A dataset is what this service reads on a schedule; operations answer from it. The state is that of the moment of the request, at most one second old. What is unknown is absent: a dataset that was never loaded has no `rows`. No API key is required. */
  "/api/catalog/v1/list-datasets": {
    query: Record<never, never>;
    answer: ListDatasetsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "datasets" | "datasets.sources" | undefined; raw?: boolean | undefined };
  };
  /** Returns one dataset with its rows by country and source.
   *
   * `coverage` counts the rows of each country and of each source, with the first and the last date of each. It is absent for datasets that were never loaded. No API key is required. */
  "/api/catalog/v1/get-dataset": {
    query: {
      /** Name of the dataset. ListDatasets returns all names. */
      name: DatasetName;
    };
    answer: GetDatasetResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "coverage.countries" | "coverage.sources" | "dataset.sources" | undefined; raw?: boolean | undefined };
  };
  /** Lists all sources with their terms, access and state.
   *
   * Includes the sources of datasets and those that operations ask while a caller waits. Of settings only the names are listed, never a value. No API key is required. */
  "/api/catalog/v1/list-sources": {
    query: Record<never, never>;
    answer: ListSourcesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "sources" | "sources.variables" | undefined; raw?: boolean | undefined };
  };
}

