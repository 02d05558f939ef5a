import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import { rounded } from "../reference/rounding.ts";
import type { Column } from "./columns.ts";
import { isObject } from "./request/body.ts";

/** Formats a value for people. An unknown value becomes empty text. */
export function cellText(column: Column, value: JsonValue): string {
  if (value === null) return "";
  if (Array.isArray(value)) return value.map((item) => cellText(column, item)).join(", ");
  if (isObject(value)) return JSON.stringify(value);
  if (column.time === TimeEncoding.EPOCH_MS) return timeText(Number(value));
  const { field } = column;
  const named = field?.fieldKind === "enum" || field?.fieldKind === "list" ? field.enum : undefined;
  if (named) return named.values.find(({ name }) => name === value)?.localName.toLowerCase() ?? String(value);
  if (typeof value !== "number") return String(value);
  return String(Math.abs(value) < 1 ? Number(value.toPrecision(4)) : rounded(value, 4));
}

/** Returns a time or the start of a day in Unix epoch milliseconds; undefined for another value. */
export function instantOf({ time }: Pick<Column, "time">, value: JsonValue): number | undefined {
  const isText = time === TimeEncoding.RFC3339 || time === TimeEncoding.DAY;
  if (value === null || !(isText || time === TimeEncoding.EPOCH_MS)) return undefined;
  const at = isText ? Date.parse(String(value)) : Number(value);
  return Math.abs(at) <= 8.64e15 ? at : undefined;
}

/** Formats a time to the minute. A number outside the range of dates is not changed. */
function timeText(at: number): string {
  return Math.abs(at) <= 8.64e15 ? `${new Date(at).toISOString().slice(0, 16)}Z` : String(at);
}
