import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column } from "../../../contract/columns.ts";

/** Adds an ISO 8601 column next to each column in epoch milliseconds, for formats without a type for times. */
export function textColumns(columns: readonly Column[]): Column[] {
  return columns.flatMap((column) => (column.time === TimeEncoding.EPOCH_MS ? [column, isoColumn(column)] : [column]));
}

function isoColumn(column: Column): Column {
  return {
    ...column,
    ...{ name: `${column.name}.iso`, type: "text", time: TimeEncoding.RFC3339, unit: "", unitFrom: "", scale: 1 },
    read: (place) => isoOf(column.read(place)),
  };
}

/** A time outside the calendar remains a number. */
function isoOf(value: JsonValue): string | null {
  const instant = value === null ? Number.NaN : Number(value);
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString() : null;
}
