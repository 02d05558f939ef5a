import { create } from "@bufbuild/protobuf";
import { kebab, type Operation } from "../../contract/catalog.ts";
import { type Column, itemType } from "../../contract/columns.ts";
import { hasAllPages } from "../../contract/file-format.ts";
import { described, firstSentence } from "../../contract/schema.ts";
import { type Table, tablesOf } from "../../contract/tables.ts";
import { wholeWorld } from "../../contract/widest-request.ts";
import { InvalidRequest } from "../../errors.ts";
import { NotRedistributable } from "../../http/errors.ts";
import { fileTable } from "../../http/rest/formats/file-columns.ts";
import { unitOf } from "../../http/rest/formats/file-metadata.ts";
import { storedType } from "../../http/rest/formats/parquet.ts";
import type { StoredType } from "../../http/rest/formats/parquet-file.ts";
import { redistributableTable, type Withheld } from "../../http/rest/formats/withheld-rows.ts";
import { validate } from "../../interceptors/validate.ts";

/** A view over the current rows of one table of a read. */
export interface LakeView {
  readonly name: string;
  readonly description: string;
  /** Path and query of the Parquet file. */
  readonly file: string;
  readonly columns: readonly LakeColumn[];
}

interface LakeColumn {
  readonly name: string;
  readonly type: string;
  readonly unit: string | undefined;
}

/** Returns which rows of an operation must not be redistributed. */
type WithheldOf = (operation: Operation) => Withheld;

/** Returns a view for each table of the reads that need no parameter. Throws if two views have the same name. */
export function lakeViews(operations: readonly Operation[], withheldOf: WithheldOf): readonly LakeView[] {
  const views = operations
    .filter(isWithoutParameters)
    .flatMap((operation) => tablesOf(operation).flatMap(viewOf(operation, withheldOf(operation))));
  const names = views.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two views are named ${twice}`);
  return views;
}

function isWithoutParameters(operation: Operation): boolean {
  const { read, inPath, access } = operation;
  if (!read || inPath.length > 0 || access.scope !== "" || access.operator) return false;
  try {
    validate(operation, create(operation.method.input));
    return true;
  } catch (error) {
    if (error instanceof InvalidRequest) return false;
    throw error;
  }
}

/**
 * Returns the view of a table; none if no file may contain its rows. It has the name of the read without `list` or
 * `get`. Views of other tables than the first also have the name of the table.
 */
function viewOf(operation: Operation, withheld: Withheld) {
  const { method, path } = operation;
  const read = snakeOf(operation.name).replace(/^(?:list|get)_/, "");
  return (whole: Table, index: number): LakeView[] => {
    const allowed = redistributable(whole, withheld);
    if (!allowed) return [];
    const { name, columns } = fileTable(allowed, { format: "parquet", columns: "snake" });
    const isPaged = index === 0 && hasAllPages(operation);
    const query = new URLSearchParams({
      ...{ format: "parquet", columns: "snake", rows: name },
      ...Object.fromEntries(Object.entries(wholeWorld(operation)).map(([key, value]) => [key, String(value)])),
      ...(isPaged && { all: "true" }),
    });
    const view = {
      name: index === 0 ? read : `${read}_${snakeOf(name)}`,
      description: firstSentence(described(`${method.parent.typeName}.${method.name}`).description ?? ""),
      file: `${path}?${query}`,
      columns: columns.map((column) => ({ name: column.name, type: typeOf(column), unit: unitOf(column) })),
    };
    return [view];
  };
}

function redistributable(table: Table, withheld: Withheld): Table | undefined {
  try {
    return redistributableTable(table, withheld).table;
  } catch (error) {
    if (error instanceof NotRedistributable) return undefined;
    throw error;
  }
}

function snakeOf(name: string): string {
  return kebab(name).replaceAll(/[-.]/g, "_");
}

function typeOf(column: Column): string {
  return column.type === "list" ? `${types[itemType(column)]}[]` : types[storedType(column)];
}

/** Types that DuckDB gives to the columns of the Parquet files, by the type of the field. */
const types: Readonly<Record<StoredType, string>> = {
  moment: "TIMESTAMP WITH TIME ZONE",
  day: "DATE",
  boolean: "BOOLEAN",
  integer: "INTEGER",
  bigint: "BIGINT",
  number: "DOUBLE",
  json: "JSON",
  text: "VARCHAR",
  list: "VARCHAR[]",
  point: "BLOB",
};
