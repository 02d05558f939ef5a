import type { JsonValue } from "@bufbuild/protobuf";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column } from "../../../contract/columns.ts";

/** Adds an ISO 8601 column for each column in epoch milliseconds, because text formats have no time type. */
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

/** Returns null for a number that is outside the range of dates. */
function isoOf(value: JsonValue): string | null {
  const instant = value === null ? Number.NaN : Number(value);
  return Math.abs(instant) <= 8.64e15 ? new Date(instant).toISOString() : null;
}
