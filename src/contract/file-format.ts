import { operation as operationOption, Role, TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { AnyOperation } from "./catalog.ts";
import type { Column } from "./columns.ts";
import { getOption } from "./option.ts";
import type { Table } from "./tables.ts";

/** Feed formats, for programs that follow a list. A feed has an entry per row of one page. */
export const feedFormats = ["atom", "jsonfeed", "ics"] as const;

export type FeedFormat = (typeof feedFormats)[number];

/** File formats of a table. `csvw` describes the CSV file of the same query. */
export const fileFormats = ["ndjson", "csv", "xlsx", "geojson", "parquet", "csvw", ...feedFormats] as const;

export type FileFormat = (typeof fileFormats)[number];

export const mediaTypes: Readonly<Record<FileFormat, string>> = {
  ndjson: "application/x-ndjson",
  csv: "text/csv",
  xlsx: "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  geojson: "application/geo+json",
  parquet: "application/vnd.apache.parquet",
  csvw: "application/csvm+json",
  atom: "application/atom+xml",
  jsonfeed: "application/feed+json",
  ics: "text/calendar",
};

/** Formats that are not text, and that are compressed internally. */
export const binaryFormats: ReadonlySet<FileFormat> = new Set(["parquet", "xlsx"]);

/** Names of columns in files: dotted JSON paths, or snake_case. */
export const columnNames = ["path", "snake"] as const;

export type ColumnNames = (typeof columnNames)[number];

export function isFeed(format: FileFormat): format is FeedFormat {
  return feedFormats.some((each) => each === format);
}

/** Returns the file formats of a read; empty if its response is not a table. */
export function offeredFormats(tables: readonly Table[]): readonly FileFormat[] {
  return fileFormats.filter((format) => tables.some((table) => lackFor(format, table) === undefined));
}

/** Returns the formats that contain whole tables, without feeds. */
export function downloadFormats(tables: readonly Table[]): readonly Exclude<FileFormat, FeedFormat>[] {
  return offeredFormats(tables).filter((format) => !isFeed(format));
}

/** Returns what the rows of a table lack for a file format; undefined if the format is available for the table. */
export function lackFor(format: FileFormat, table: Table): string | undefined {
  if (format === "geojson") return table.latitude ? undefined : "places";
  if (!isFeed(format)) return undefined;
  if (identityOf(table).length === 0) return "IDs";
  return format === "ics" && !spanOf(table) ? "days or spans of time" : undefined;
}

/** Returns the columns that identify a row: its key, or else those with the role of an ID. */
export function identityOf({ columns, key }: Table): readonly Column[] {
  return columns.filter(({ name, role }) => (key.length > 0 ? key.includes(name) : role === Role.ID));
}

export interface Span {
  readonly start: Column;
  readonly end?: Column;
}

/** Returns the columns with the time of a row: a deadline, a start and an end, or a day. */
export function spanOf({ columns }: Pick<Table, "columns">): Span | undefined {
  const [deadline, start, end] = [Role.DEADLINE, Role.TIME, Role.END].map((role) =>
    columns.findLast((column) => column.role === role),
  );
  if (deadline) return { start: deadline };
  if (start && end) return { start, end };
  return start?.time === TimeEncoding.DAY ? { start } : undefined;
}

/** Returns whether all pages of a read can be requested as one file. */
export function hasAllPages({ method }: Pick<AnyOperation, "method">): boolean {
  const { page, rows } = getOption(method, operationOption);
  return page?.more === "" && rows.length > 0;
}
