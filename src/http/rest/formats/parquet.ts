import type { JsonValue } from "@bufbuild/protobuf";
import type { SchemaElement } from "hyparquet-writer";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { type CellType, type Column, itemType, type Place } from "../../../contract/columns.ts";
import { described } from "../../../contract/schema.ts";
import { libraries } from "../../../reference/libraries.ts";
import { provenanceOf, unitOf } from "./file-facts.ts";
import type { RowStreamer } from "./row-stream.ts";

/** What readers skip by; while one is encoded nobody else is answered, for some 20 ms. */
const rowsInGroup = 1_000;

/** Columns typed by the contract; what they mean and where they come from stands in the file's metadata. */
export const parquetStream: RowStreamer = ({ columns, key }, facts) => {
  const stored = columns.map((column) => ({ column, name: column.name, ...storedColumn(column) }));
  const { ByteWriter, ParquetWriter } = libraries.parquet();
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: [{ name: "root", num_children: stored.length }, ...stored.flatMap(({ schema }) => schema)],
    kvMetadata: [
      { key: "title", value: facts.title },
      ...Object.entries(provenanceOf(facts)).map(([name, value]) => ({ key: name, value: String(value) })),
      { key: "key", value: key.join(",") },
      { key: "columns", value: JSON.stringify(columns.map(describedColumn)) },
    ],
    createdBy: "Intelligence Data Service",
  });
  let waiting: Place[] = [];
  const writeGroup = (places: readonly Place[]) => {
    if (places.length === 0) return;
    // The writer keeps everything in memory: nothing is waited for.
    void file.write({
      columnData: stored.map(({ column, name, value }) => ({
        name,
        data: places.map((place) => {
          const cell = column.read(place);
          return cell === null ? null : value(cell);
        }),
      })),
      rowGroupSize: places.length,
    });
  };
  /** Its offsets go on from what was taken. */
  const take = () => {
    const bytes = Buffer.copyBytesFrom(writer.getBytes());
    writer.index = 0;
    return bytes;
  };
  return {
    begin: take,
    rows(places) {
      waiting.push(...places);
      for (; waiting.length >= rowsInGroup; waiting = waiting.slice(rowsInGroup))
        writeGroup(waiting.slice(0, rowsInGroup));
      return take();
    },
    end() {
      writeGroup(waiting);
      void file.finish();
      return take();
    },
  };
};

/** However JSON spells a time, it is one here. */
const storedTimes: ReadonlyMap<TimeEncoding, "moment" | "day"> = new Map([
  [TimeEncoding.EPOCH_MS, "moment"],
  [TimeEncoding.RFC3339, "moment"],
  [TimeEncoding.DAY, "day"],
]);

interface Stored {
  readonly schema: readonly SchemaElement[];
  readonly value: (cell: Exclude<JsonValue, null>) => unknown;
}

/** A list is one to every reader, and not its JSON. */
function storedColumn(column: Column): Stored {
  const { name, type, time } = column;
  if (type !== "list") return storedAs(name, storedTimes.get(time) ?? type);
  const item = storedAs("element", itemType(column));
  return {
    schema: [
      { name, repetition_type: "OPTIONAL", converted_type: "LIST", logical_type: { type: "LIST" }, num_children: 1 },
      { name: "list", repetition_type: "REPEATED", num_children: 1 },
      ...item.schema,
    ],
    value: (cell) => (Array.isArray(cell) ? cell.map((each) => (each === null ? null : item.value(each))) : null),
  };
}

function storedAs(name: string, type: CellType | "moment" | "day"): Stored {
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
          // Without it DuckDB takes the moment for one of no zone.
          logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
        },
        dateOf,
      );
    case "day":
      return stored({ type: "INT32", converted_type: "DATE" }, dateOf);
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

/** Null where it is no time. */
function dateOf(cell: JsonValue): Date | null {
  const date = new Date(typeof cell === "string" && !/^-?\d+$/.test(cell) ? cell : Number(cell));
  return Number.isNaN(date.getTime()) ? null : date;
}

function describedColumn(column: Column) {
  const { description } = column.field ? described(`${column.field.parent.typeName}.${column.field.name}`) : {};
  const unit = unitOf(column);
  return { name: column.name, ...(description !== undefined && { description }), ...(unit !== undefined && { unit }) };
}
