import type { JsonValue } from "@bufbuild/protobuf";
import type { Column } from "../../../contract/columns.ts";
import type { RowStreamer } from "./row-stream.ts";
import { textColumns } from "./text-columns.ts";

/** Between the items of a list in one cell. */
export const separator = "|";

/** RFC 4180 in UTF-8. Unless `raw`, an apostrophe precedes text that a spreadsheet would run as a formula. */
export const csvStream: RowStreamer = (table, _facts, raw) => {
  const columns = textColumns(table.columns).map((column) => ({ column, isText: !measured.has(column.type) }));
  return {
    begin: () => `${columns.map(({ column }) => quoted(column.name)).join(",")}\r\n`,
    rows(places) {
      let text = "";
      for (const place of places) {
        let line = "";
        for (const { column, isText } of columns) {
          const cell = textOf(column.read(place), column);
          line += `,${quoted(isText && !raw ? cell.replace(formula, "'") : cell)}`;
        }
        // A line without anything is none to most readers.
        text += `${line.slice(1) || '""'}\r\n`;
      }
      return text;
    },
    end: () => "",
  };
};

/** Types whose cells are figures: a minus there is no formula. */
const measured: ReadonlySet<Column["type"]> = new Set(["boolean", "integer", "bigint", "number"]);
/**
 * Where a formula begins, in full width for East Asian programs: in the cell, or after what separates cells in other locales
 * and formats, unless a number follows it.
 */
const formula = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])(?![+-]?\d[\d.,]*(?:[;\t\r\n]|$))/g;

function textOf(value: JsonValue, { type }: Column): string {
  if (value === null) return "";
  if (type === "list" && Array.isArray(value)) return value.map(String).join(separator);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
