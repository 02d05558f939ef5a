import type { JsonValue } from "@bufbuild/protobuf";
import type { KeyValue, SchemaElement } from "hyparquet-writer";
import type { CellType } from "../../../contract/columns.ts";
import { libraries } from "../../../reference/libraries.ts";

/** Columns and metadata of a Parquet file. All values can be sent to another thread. */
export interface ParquetPlan {
  readonly columns: readonly StoredColumn[];
  readonly metadata: readonly KeyValue[];
}

export interface StoredColumn {
  readonly name: string;
  readonly type: StoredType;
  readonly item: StoredType;
}

export type StoredType = CellType | "moment" | "day" | "point";

/** Cells by column, each in the order of the rows. */
export type Cells = readonly (readonly JsonValue[])[];

export interface ParquetFile {
  readonly begin: () => Uint8Array<ArrayBuffer>;
  readonly rows: (cells: Cells) => Uint8Array<ArrayBuffer>;
  readonly end: () => Uint8Array<ArrayBuffer>;
}

/** Rows per row group. Readers can skip whole groups. Encoding a group takes about 20 ms. */
const rowsInGroup = 1_000;

export function parquetFile({ columns, metadata }: ParquetPlan): ParquetFile {
  const stored = columns.map((column) => ({ name: column.name, ...storedColumn(column) }));
  const { ByteWriter, ParquetWriter } = libraries.parquet();
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: "root", num_children: stored.length }, ...stored.flatMap(({ schema }) => schema)],
    kvMetadata: [...metadata],
    createdBy: "Intelligence Data Service",
  });
  const waiting: unknown[][] = stored.map(() => []);
  const writeGroup = () => {
    const data = waiting.map((cells) => cells.splice(0, rowsInGroup));
    const rowGroupSize = data[0]?.length ?? 0;
    if (rowGroupSize === 0) return;
    // The writer is synchronous, because it writes to memory.
    void file.write({
      columnData: stored.map(({ name }, index) => ({ name, data: data[index] ?? [] })),
      rowGroupSize,
    });
  };
  /** Returns the new bytes. The writer keeps counting offsets after earlier bytes. */
  const take = () => {
    const bytes = writer.getBytes().slice();
    writer.index = 0;
    return bytes;
  };
  return {
    begin: take,
    rows(cells) {
      for (const [index, { value }] of stored.entries())
        for (const cell of cells[index] ?? []) waiting[index]?.push(cell === null ? null : value(cell));
      while ((waiting[0]?.length ?? 0) >= rowsInGroup) writeGroup();
      return take();
    },
    end() {
      writeGroup();
      void file.finish();
      return take();
    },
  };
}

interface Stored {
  readonly schema: readonly SchemaElement[];
  readonly value: (cell: Exclude<JsonValue, null>) => unknown;
}

/** A list is stored as a Parquet list, not as JSON. */
function storedColumn({ name, type, item }: StoredColumn): Stored {
  if (type !== "list") return storedAs(name, type);
  const stored = storedAs("element", item);
  return {
    schema: [
      { name, repetition_type: "OPTIONAL", converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...stored.schema,
    ],
    value: (cell) => (Array.isArray(cell) ? cell.map((each) => (each === null ? null : stored.value(each))) : null),
  };
}

function storedAs(name: string, type: StoredType): Stored {
  const stored = (element: Omit<SchemaElement, "name">, value: Stored["value"]): Stored => ({
    schema: [{ name, repetition_type: "OPTIONAL", ...element }],
    value,
  });
  switch (type) {
    case "moment":
      return stored(
        {
          type: "INT64",
          converted_type: "TIMESTAMP_MILLIS",
          // Without `isAdjustedToUTC`, DuckDB reads a timestamp without a time zone.
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
        },
        dateOf,
      );
    case "day":
      return stored({ type: "INT32", converted_type: "DATE" }, dateOf);
    case "point":
      return stored({ type: "BYTE_ARRAY" }, pointOf);
    case "boolean":
      return stored({ type: "BOOLEAN" }, (cell) => cell);
    case "integer":
      return stored({ type: "INT32" }, Number);
    case "bigint":
      return stored({ type: "INT64" }, (cell) => BigInt(String(cell)));
    case "number":
      return stored({ type: "DOUBLE" }, Number);
    case "json":
      return stored({ type: "BYTE_ARRAY", converted_type: "JSON" }, (cell) => cell);
    default:
      return stored({ type: "BYTE_ARRAY", converted_type: "UTF8" }, String);
  }
}

/** Converts a cell to a date; null if the cell is not a time. */
function dateOf(cell: JsonValue): Date | null {
  const date = new Date(typeof cell === "string" && !/^-?\d+$/.test(cell) ? cell : Number(cell));
  return Number.isNaN(date.getTime()) ? null : date;
}

/** Converts longitude and latitude to a point in little-endian well-known binary (WKB). */
function pointOf(cell: JsonValue): Uint8Array | null {
  if (!Array.isArray(cell)) return null;
  const bytes = new DataView(new ArrayBuffer(21));
  bytes.setUint8(0, 1);
  bytes.setUint32(1, 1, true);
  for (const [index, value] of cell.entries()) bytes.setFloat64(5 + 8 * index, Number(value), true);
  return new Uint8Array(bytes.buffer);
}
