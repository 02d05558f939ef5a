import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { type CellType, type Column, itemType } from "../../../contract/columns.ts";
import type { Table } from "../../../contract/tables.ts";
import { separator } from "./csv.ts";
import { describedColumn, type FileMetadata, provenanceOf } from "./file-metadata.ts";

/**
 * Writes the W3C "CSV on the Web" metadata for the CSV file of the same query: types, units, descriptions, sources,
 * terms.
 */
export function csvwFile(table: Table, metadata: FileMetadata): Buffer {
  const { attribution, documentation, ...provenance } = provenanceOf(metadata);
  return Buffer.from(
    JSON.stringify({
      "@context": ["http://www.w3.org/ns/csvw", { "@language": "en" }],
      url: metadata.csvUrl,
      "dc:title": metadata.title,
      "dc:rights": attribution,
      "dc:source": documentation,
      ...(metadata.readAt !== undefined && { "dc:modified": { "@value": metadata.readAt, "@type": "xsd:dateTime" } }),
      notes: [provenance],
      dialect: { encoding: "utf-8", header: true, lineTerminators: ["\r\n"] },
      tableSchema: {
        columns: table.columns.map(schemaColumn),
        ...(table.key.length > 0 && { primaryKey: table.key.map(columnName) }),
      },
    }),
  );
}

/** Returns the name of a column as a variable of a URI template (RFC 6570), which allows only some characters. */
function columnName(name: string): string {
  const encode = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
  return encodeURIComponent(name).replace(/[-!~*'()]/g, encode);
}

function schemaColumn(column: Column) {
  const { unit, description } = describedColumn(column);
  return {
    name: columnName(column.name),
    titles: column.name,
    ...(description !== undefined && { "dc:description": description }),
    ...(unit !== undefined && { "schema:unitText": unit }),
    ...(column.type === "list" && { separator }),
    datatype: datatypeOf(column.type === "list" ? itemType(column) : column.type, column.time),
  };
}

const textDatatypes: ReadonlyMap<TimeEncoding, string> = new Map([
  [TimeEncoding.RFC3339, "dateTime"],
  [TimeEncoding.DAY, "date"],
]);

function datatypeOf(type: CellType, time: TimeEncoding): string {
  switch (type) {
    case "boolean":
      return "boolean";
    case "integer":
      return "integer";
    case "bigint":
      return "long";
    case "number":
      return "double";
    case "json":
      return "json";
    default:
      return textDatatypes.get(time) ?? "string";
  }
}
