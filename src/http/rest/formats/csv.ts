import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import type { RowStreamer } from "./row-stream.ts";

/** A column of a CSV file. */
export interface CsvColumn {
  readonly name: string;
  readonly column: Column;
  readonly text: (place: Place) => string;
}

/** Between the items of a list in one cell. */
export const separator = "|";

/** The columns of a table, and beside each moment in milliseconds the same as ISO 8601. */
export function csvColumns({ columns }: Table): CsvColumn[] {
  return columns.flatMap((column): CsvColumn[] => [
    { name: column.name, column, text: (place) => textOf(column.read(place), column) },
    ...(column.time === TimeEncoding.EPOCH_MS
      ? [{ name: `${column.name}.iso`, column, text: (place: Place) => isoOf(column.read(place)) }]
      : []),
  ]);
}

/** RFC 4180 in UTF-8. Unless `raw`, text cells that a spreadsheet would run as a formula begin with an apostrophe. */
export const csvStream: RowStreamer = (table, _facts, raw) => {
  const columns = csvColumns(table).map((each) => ({ ...each, isText: !measured.has(each.column.type) }));
  return {
    begin: () => `${columns.map(({ name }) => quoted(name)).join(",")}\r\n`,
    rows(places) {
      let text = "";
      for (const place of places) {
        let line = "";
        for (const { text: read, isText } of columns) {
          const cell = read(place);
          line += `,${quoted(isText && !raw && formula.test(cell) ? `'${cell}` : cell)}`;
        }
        text += `${line.slice(1)}\r\n`;
      }
      return text;
    },
    end: () => "",
  };
};

/** Types whose cells are figures: a minus there is no formula. */
const measured: ReadonlySet<Column["type"]> = new Set(["boolean", "integer", "bigint", "number"]);
const formula = /^[=+\-@\t\r]/;

function textOf(value: JsonValue, { type }: Column): string {
  if (value === null) return "";
  if (type === "list" && Array.isArray(value)) return value.map(String).join(separator);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

/** Moments that no calendar has are left to their number. */
function isoOf(value: JsonValue): string {
  const moment = value === null ? Number.NaN : Number(value);
  return Math.abs(moment) <= 8.64e15 ? new Date(moment).toISOString() : "";
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
