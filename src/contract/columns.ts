import { type DescField, type DescMessage, hasOption, type JsonValue, ScalarType } from "@bufbuild/protobuf";
import { field as fieldOption, Role, type TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "./option.ts";
import type { JsonObject } from "./request/body.ts";
import { isOpaque, knownMember, memberOf } from "./rules/known-values.ts";

export type CellType = "text" | "boolean" | "integer" | "bigint" | "number" | "list" | "json";

/** A column of a table, with the same name in every format. */
export interface Column {
  readonly name: string;
  readonly type: CellType;
  /** Field of the message from which the column is read; undefined for the keys of a map. */
  readonly field?: DescField;
  readonly role: Role;
  readonly time: TimeEncoding;
  readonly unit: string;
  /** Name of the column that has the unit or the currency of each row; empty if the unit is fixed. */
  readonly unitFrom: string;
  readonly scale: number;
  /** Returns the cell of a row; null if it is unknown. */
  readonly read: (place: Place) => JsonValue;
}

/** A row as plain JSON, with the outer rows and the response that contain it. */
export interface Place {
  readonly request: JsonObject;
  readonly response: JsonObject;
  /** Rows of outer lists that contain this row, outermost first. */
  readonly parents: readonly JsonObject[];
  readonly row: JsonValue;
  readonly key?: string;
}

type Container = (place: Place) => JsonValue | undefined;

/** Returns the columns of a message. Repeated fields become JSON, or are left out if `inherited` from outer rows. */
export function columnsOf(desc: DescMessage, prefix: string, of: Container, inherited: boolean): Column[] {
  return flatten(desc, prefix, of, inherited, [desc]);
}

function flatten(
  desc: DescMessage,
  prefix: string,
  of: Container,
  inherited: boolean,
  within: readonly DescMessage[],
): Column[] {
  return desc.fields.flatMap((field) => {
    const name = `${prefix}${field.jsonName}`;
    if (inherited && (field.fieldKind === "map" || (field.fieldKind === "list" && field.message))) return [];
    if (field.fieldKind !== "message" || isOpaque(field.message) || within.includes(field.message))
      return [columnOf(field, name, of)];
    return flatten(field.message, `${name}.`, (place) => memberOf(of(place), field), inherited, [
      ...within,
      field.message,
    ]);
  });
}

export function columnsOfField(field: DescField, name: string, of: Container): Column[] {
  if (field.fieldKind !== "message" || isOpaque(field.message)) return [columnOf(field, name, of)];
  return columnsOf(field.message, `${name}.`, (place) => memberOf(of(place), field), true);
}

function columnOf(field: DescField, name: string, of: Container): Column {
  const facets = getOption(field, fieldOption);
  const read = knownMember(field);
  return {
    name,
    type: facets.decimal ? "number" : typeOf(field),
    field,
    role: facets.role,
    time: facets.time,
    unit: facets.unit,
    unitFrom: facets.unitFrom && siblingName(field, name, facets.unitFrom),
    scale: facets.scale || 1,
    read: (place) => read(of(place)),
  };
}

/** Returns the column name of another field of the same message. */
function siblingName(field: DescField, name: string, sibling: string): string {
  const other = field.parent.fields.find((each) => each.name === sibling);
  return `${name.slice(0, name.length - field.jsonName.length)}${other?.jsonName ?? sibling}`;
}

/** Returns a column of plain values: the keys of a map, or list items that are not messages. */
export function plainColumn(name: string, field: DescField | undefined, read: Column["read"]): Column {
  const facets = field && hasOption(field, fieldOption) ? getOption(field, fieldOption) : undefined;
  return {
    name,
    type: field ? scalarType(field) : "text",
    ...(field && { field }),
    role: facets?.role ?? Role.UNSPECIFIED,
    time: facets?.time ?? 0,
    unit: facets?.unit ?? "",
    unitFrom: "",
    scale: facets?.scale || 1,
    read,
  };
}

function typeOf(field: DescField): CellType {
  if (field.fieldKind === "map" || field.fieldKind === "message") return "json";
  if (field.fieldKind === "list") return field.message ? "json" : "list";
  return scalarType(field);
}

/** Returns whether a column has amounts, and not times, codes, or coordinates. */
export function isFigure({ type, time, role }: Column): boolean {
  return (type === "integer" || type === "bigint" || type === "number") && time === 0 && role === Role.UNSPECIFIED;
}

/** Returns whether the values of a column add up, as percentages and angles do not. */
export function isSummable(column: Column): boolean {
  return isFigure(column) && !/%|^deg$/.test(column.unit);
}

export function itemType({ field }: Column): CellType {
  return field ? scalarType(field) : "text";
}

function scalarType(field: DescField): CellType {
  switch (field.scalar) {
    case ScalarType.BOOL:
      return "boolean";
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return "number";
    case ScalarType.INT32:
    case ScalarType.SINT32:
    case ScalarType.SFIXED32:
      return "integer";
    // Unsigned integers can exceed the range of the column type for signed 32-bit integers.
    case ScalarType.UINT32:
    case ScalarType.FIXED32:
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return "bigint";
    default:
      return "text";
  }
}
