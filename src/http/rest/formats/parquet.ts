import type { JsonValue } from "@bufbuild/protobuf";
import { type BasicType, ByteWriter, ParquetWriter, schemaFromColumnData } from "hyparquet-writer";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column, Place } from "../../../contract/columns.ts";
import { described } from "../../../contract/schema.ts";
import { provenanceOf, unitOf } from "./file-facts.ts";
import type { RowStreamer } from "./row-stream.ts";

/** What readers skip by; as many as are encoded in 20 ms, in which nobody else is answered. */
const rowsInGroup = 2_000;

/** Columns typed by the contract; what they mean and where they come from stands in the file's metadata. */
export const parquetStream: RowStreamer = ({ columns, key }, facts) => {
  const stored = columns.map((column) => ({ column, name: column.name, ...storedAs(column) }));
  const writer = new ByteWriter();
  const file = new ParquetWriter({
    writer,
    schema: schemaFromColumnData({
      columnData: stored.map(({ name, type }) => ({ name, type, data: [], nullable: true })),
    }),
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

interface StoredType {
  readonly type: BasicType;
  readonly value: (cell: Exclude<JsonValue, null>) => unknown;
}

function storedAs({ type, time }: Column): StoredType {
  if (time === TimeEncoding.EPOCH_MS) return { type: "TIMESTAMP", value: (cell) => new Date(Number(cell)) };
  switch (type) {
    case "boolean":
      return { type: "BOOLEAN", value: (cell) => cell };
    case "integer":
      return { type: "INT32", value: Number };
    case "bigint":
      return { type: "INT64", value: (cell) => BigInt(String(cell)) };
    case "number":
      return { type: "DOUBLE", value: Number };
    case "list":
    case "json":
      return { type: "JSON", value: (cell) => cell };
    default:
      return { type: "STRING", value: String };
  }
}

function describedColumn(column: Column) {
  const { description } = column.field ? described(`${column.field.parent.typeName}.${column.field.name}`) : {};
  const unit = unitOf(column);
  return { name: column.name, ...(description !== undefined && { description }), ...(unit !== undefined && { unit }) };
}
