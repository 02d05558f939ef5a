import type { JsonValue } from "@bufbuild/protobuf";
import type { Column } from "../../../contract/columns.ts";
import type { RowStreamer } from "./row-stream.ts";

export const separator = "|";

/** Writes CSV. Unless `raw`, puts an apostrophe before text that a spreadsheet would run as a formula. */
export const csvStream: RowStreamer = (table, _metadata, raw) => {
  const columns = table.columns.map((column) => ({ column, isText: !measured.has(column.type) }));
  return {
    begin: () => `${columns.map(({ column }) => quoted(column.name)).join(",")}\r\n`,
    rows(places) {
      let text = "";
      for (const place of places) {
        let line = "";
        for (const { column, isText } of columns) {
          const cell = textOf(column.read(place), column);
          line += `,${quoted(isText && !raw && mayStartFormula.test(cell) ? cell.replace(formula, "'") : cell)}`;
        }
        // An empty row is written as an empty string in quotes, because most readers skip an empty line.
        text += `${line.slice(1) || '""'}\r\n`;
      }
      return text;
    },
    end: () => "",
  };
};

/** Types of columns with numbers or booleans, in which a leading minus does not start a formula. */
const measured: ReadonlySet<Column["type"]> = new Set(["boolean", "integer", "bigint", "number"]);
/**
 * Matches the start of a formula, including full-width characters of East Asian programs. A formula starts at the start
 * of the cell, or, unless it is a number, after a semicolon, tab, or line break and quotes, where programs may split
 * the cell.
 */
export const formula =
  /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n]"*)(?![+-]?\d[\d.,]*(?:[;\t\r\n]|$))/g;

/** Matches every cell that `formula` matches, and is faster. */
const mayStartFormula = /[=+\-@\t\r\n＝＋－＠]/;

/** Returns the text of a cell; empty if the value is unknown. */
export function textOf(value: JsonValue, { type }: Pick<Column, "type">): string {
  if (value === null) return "";
  if (type === "list" && Array.isArray(value)) return value.map(String).join(separator);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

function quoted(cell: string): string {
  return /[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
}
