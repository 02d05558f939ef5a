import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";
import { getOption } from "./option.ts";
import type { Table } from "./tables.ts";

/** File formats of a table. `csvw` describes the CSV file of the same query. */
export const fileFormats = ["ndjson", "csv", "geojson", "parquet", "csvw"] as const;

export type FileFormat = (typeof fileFormats)[number];

export const mediaTypes: Readonly<Record<FileFormat, string>> = {
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  geojson: "application/geo+json",
  parquet: "application/vnd.apache.parquet",
  csvw: "application/csvm+json",
};

/** Returns the file formats of a read; empty if its response is not a table. */
export function offeredFormats(tables: readonly Table[]): readonly FileFormat[] {
  if (tables.length === 0) return [];
  const hasPlaces = tables.some(({ latitude }) => latitude !== undefined);
  return fileFormats.filter((format) => format !== "geojson" || hasPlaces);
}

/** Returns whether all pages of a read can be requested as one file. */
export function hasAllPages({ method }: Pick<AnyOperation, "method">): boolean {
  const { page, rows } = getOption(method, operationOption);
  return page?.more === "" && rows.length > 0;
}
