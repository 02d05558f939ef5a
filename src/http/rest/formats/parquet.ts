import type { JsonValue } from "@bufbuild/protobuf";
import { type BasicType, parquetWriteBuffer } from "hyparquet-writer";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import type { Column } from "../../../contract/columns.ts";
import { described } from "../../../contract/schema.ts";
import { provenanceOf, type TableWriter, unitOf } from "./file-facts.ts";

/** Columns typed by the contract; what they mean and where they come from stands in the file's metadata. */
export const parquetFile: TableWriter = ({ columns, key }, rows, facts) =>
  Buffer.from(
    parquetWriteBuffer({
      columnData: columns.map((column) => {
        const { type, value } = storedAs(column);
        return {
          name: column.name,
          type,
          data: rows.map((place) => {
            const cell = column.read(place);
            return cell === null ? null : value(cell);
          }),
          nullable: true,
        };
      }),
      kvMetadata: [
        { key: "title", value: facts.title },
        ...Object.entries(provenanceOf(facts)).map(([name, value]) => ({ key: name, value: String(value) })),
        { key: "key", value: key.join(",") },
        { key: "columns", value: JSON.stringify(columns.map(describedColumn)) },
      ],
      createdBy: "Intelligence Data Service",
    }),
  );

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
