import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { type Column, itemType, type Place } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { describedColumn, type FileMetadata, provenanceOf } from "./file-metadata.ts";
import { coordinatesOf } from "./geojson.ts";
import { type Cells, type ParquetPlan, parquetFile, type StoredType } from "./parquet-file.ts";
import { encodeInThread } from "./parquet-thread.ts";
import { type FileWriter, type RowStreamer, type WalkStreamer, wholeFile, wholeWalk } from "./row-stream.ts";

export const parquetStream: RowStreamer = (table, metadata) => {
  const { begin, rows, end } = parquetFile(planOf(table, metadata));
  return {
    begin: () => Buffer.from(begin().buffer),
    rows: (places) => Buffer.from(rows(cellsOf(table, places)).buffer),
    end: () => Buffer.from(end().buffer),
  };
};

export const parquetWalk: WalkStreamer = (table, metadata) => {
  const { rows, ...file } = encodeInThread(planOf(table, metadata));
  return { ...file, rows: (places) => rows(cellsOf(table, places)) };
};

/** Up to this number of rows, writing a file is faster than starting a thread. */
const rowsAtOnce = 100;

/** Writes one page or list as Parquet. A large one is encoded in another thread. */
export const parquetWhole: FileWriter = (table, metadata, raw, places) =>
  places.length <= rowsAtOnce
    ? wholeFile(parquetStream(table, metadata, raw), places)
    : wholeWalk(parquetWalk(table, metadata, raw), places, rowsAtOnce);

function cellsOf(table: Table, places: readonly Place[]): Cells {
  const cells = table.columns.map(({ read }) => places.map(read));
  return table.latitude ? [...cells, places.map((place) => coordinatesOf(table, place))] : cells;
}

const geometry = "geometry";
/** Metadata of GeoParquet 1.1. The default reference system is WGS 84 (OGC:CRS84). */
const geo = {
  version: "1.1.0",
  primary_column: geometry,
  columns: { [geometry]: { encoding: "WKB", geometry_types: ["Point"] } },
};

function planOf({ columns, key, latitude }: Table, metadata: FileMetadata): ParquetPlan {
  const stored = columns.map((column) => ({ name: column.name, type: storedType(column), item: itemType(column) }));
  return {
    columns: latitude ? [...stored, { name: geometry, type: "point", item: "text" }] : stored,
    metadata: [
      { key: "title", value: metadata.title },
      ...Object.entries(provenanceOf(metadata)).map(([name, value]) => ({ key: name, value: String(value) })),
      { key: "key", value: key.join(",") },
      ...(latitude ? [{ key: "geo", value: JSON.stringify(geo) }] : []),
      { key: "columns", value: JSON.stringify(columns.map(describedColumn)) },
    ],
  };
}

/** How each JSON encoding of a time is stored: as a Parquet timestamp or as a date. */
const storedTimes: ReadonlyMap<TimeEncoding, "moment" | "day"> = new Map([
  [TimeEncoding.EPOCH_MS, "moment"],
  [TimeEncoding.RFC3339, "moment"],
  [TimeEncoding.DAY, "day"],
]);

export function storedType({ type, time }: Column): StoredType {
  return type === "list" ? type : (storedTimes.get(time) ?? type);
}
