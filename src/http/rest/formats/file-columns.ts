import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { instantOf } from "../../../contract/cell-text.ts";
import type { Column } from "../../../contract/columns.ts";
import type { FileFormat } from "../../../contract/file-format.ts";
import type { Table } from "../../../contract/tables.ts";
import type { FileRequest } from "./file-request.ts";

/** Formats without a type for times. */
const textFormats: ReadonlySet<FileFormat> = new Set(["ndjson", "csv", "csvw", "geojson"]);

/** Returns the table with the columns of a file: with added text for times if the format has none, and renamed. */
export function fileTable(table: Table, { format, columns }: Pick<FileRequest, "format" | "columns">): Table {
  const written = textFormats.has(format) ? { ...table, columns: table.columns.flatMap(withText) } : table;
  return columns === "snake" ? renamed(written) : written;
}

/** Adds a column with ISO 8601 text after a column with times in epoch milliseconds. */
function withText(column: Column): Column[] {
  if (column.time !== TimeEncoding.EPOCH_MS) return [column];
  return [
    column,
    {
      ...column,
      ...{ name: `${column.name}.iso`, type: "text", time: TimeEncoding.RFC3339, unit: "", unitFrom: "", scale: 1 },
      read(place) {
        const at = instantOf(column, column.read(place));
        return at === undefined ? null : new Date(at).toISOString();
      },
    },
  ];
}

/** Returns the table with column names in snake_case. */
function renamed({ columns, key, latitude, longitude, ...table }: Table): Table {
  const own = new Map(
    columns.map((column) => [
      column,
      { ...column, name: snakeCase(column.name), unitFrom: snakeCase(column.unitFrom) },
    ]),
  );
  const [y, x] = [latitude && own.get(latitude), longitude && own.get(longitude)];
  return {
    ...table,
    columns: [...own.values()],
    key: key.map(snakeCase),
    ...(x && y && { latitude: y, longitude: x }),
  };
}

/** Returns `location_latitude` for `location.latitude`. A test makes sure that the names of a table remain unique. */
function snakeCase(name: string): string {
  return name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])|[^A-Za-z0-9]/g, "_").toLowerCase();
}
