import type { DescField, DescMessage, JsonValue } from "@bufbuild/protobuf";
import {
  field as fieldOption,
  operation as operationOption,
  Role,
  type Rows,
} from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "./catalog.ts";
import { type Column, columnsOf, columnsOfField, type Place, plainColumn } from "./columns.ts";
import { getOption } from "./option.ts";
import { isObject, type JsonObject } from "./request/body.ts";
import { memberOf } from "./rules/known-values.ts";

export interface Table {
  /** Value of the parameter `rows`: the JSON path of the list, or `response` if the response is the only row. */
  readonly name: string;
  readonly columns: readonly Column[];
  readonly key: readonly string[];
  /** Columns with the coordinates of a row. A table has both or neither. */
  readonly latitude?: Column;
  readonly longitude?: Column;
  readonly rowsIn: (response: JsonObject, request: JsonObject) => readonly Place[];
}

const known = new WeakMap<Operation["method"], readonly Table[]>();

/** Returns the tables of an operation; empty if its response has none. Pages call this often, so it is cached. */
export function tablesOf({ method }: Pick<Operation, "method">): readonly Table[] {
  const made = known.get(method);
  if (made) return made;
  const tables = getOption(method, operationOption).rows.map((rows) => tableOf(rows, method.input, method.output));
  known.set(method, tables);
  return tables;
}

/** Returns the tables whose rows are also in another message; empty if that message has other rows at the same path. */
export function tablesWithin({ method }: Pick<Operation, "method">, message: DescMessage): readonly Table[] {
  return getOption(method, operationOption).rows.flatMap((rows) => {
    const path = fieldsIfAny(method.output, rows.path);
    const own = fieldsIfAny(message, rows.path);
    const isSame = rows.path !== "" && own?.every(({ message: of }, index) => of === path?.[index]?.message);
    const isWhole = rows.fromRequest.length === 0 && rows.fromResponse.every((each) => fieldsIfAny(message, each));
    if (!isSame || !own?.at(-1)?.message || !isWhole) return [];
    // Excludes fields that occur once in the response but repeatedly in the message.
    const fromResponse = rows.fromResponse.filter((each) => fieldsIfAny(message, each)?.[0]?.fieldKind !== "list");
    return [tableOf({ ...rows, fromResponse }, method.input, message)];
  });
}

function fieldsIfAny(desc: DescMessage, path: string): DescField[] | undefined {
  let message: DescMessage | undefined = desc;
  const fields: DescField[] = [];
  for (const name of path === "" ? [] : path.split(".")) {
    const field: DescField | undefined = message?.fields.find((each) => each.name === name);
    if (!field) return undefined;
    fields.push(field);
    message = field.message;
  }
  return fields;
}

function tableOf(rows: Rows, input: DescMessage, output: DescMessage): Table {
  const path = fieldsAlong(output, rows.path);
  const last = path.at(-1);
  const columns = [
    ...rows.fromRequest.flatMap((name) => {
      const field = fieldOf(input, name);
      return columnsOfField(field, field.jsonName, ({ request }) => request);
    }),
    ...rows.fromResponse.flatMap((each) => columnsAlong(output, each)),
    ...parentColumns(path),
    ...(last ? rowColumns(last, rows) : columnsOf(output, "", ({ response }) => response, false)),
  ];
  rejectUnknownKeys(rows, columns, output);
  // The last columns with coordinates are used, because a row's own columns follow those of outer rows.
  const latitude = columns.findLast(({ role }) => role === Role.LATITUDE);
  const longitude = columns.findLast(({ role }) => role === Role.LONGITUDE);
  return {
    name: path.map(({ jsonName }) => jsonName).join(".") || "response",
    columns,
    key: rows.key,
    ...(latitude && longitude && { latitude, longitude }),
    rowsIn: (response, request) => placesAlong(path, { request, response, parents: [], row: response }),
  };
}

function rejectUnknownKeys({ key, path }: Rows, columns: readonly Column[], { typeName }: DescMessage): void {
  const names = columns.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) !== index);
  if (twice !== undefined) throw new Error(`Two columns of ${typeName} ${path} are named ${twice}`);
  const unknown = key.find((name) => !names.includes(name));
  if (unknown !== undefined) throw new Error(`The key of ${typeName} ${path} has no column ${unknown}`);
}

function fieldsAlong(desc: DescMessage, path: string): DescField[] {
  const fields: DescField[] = [];
  let message: DescMessage | undefined = desc;
  for (const name of path === "" ? [] : path.split(".")) {
    if (!message) throw new Error(`${path} leads through a field of ${desc.typeName} that is not a message`);
    const field = fieldOf(message, name);
    fields.push(field);
    message = field.message;
  }
  return fields;
}

function fieldOf(desc: DescMessage, name: string): DescField {
  const field = desc.fields.find((each) => each.name === name);
  if (!field) throw new Error(`${desc.typeName} has no field ${name}`);
  return field;
}

function columnsAlong(output: DescMessage, path: string): Column[] {
  const fields = fieldsAlong(output, path);
  const last = fields.at(-1);
  if (!last) throw new Error(`${output.typeName} inherits a field without a name`);
  const above = fields.slice(0, -1);
  const name = fields.map(({ jsonName }) => jsonName).join(".");
  return columnsOfField(last, name, ({ response }) =>
    above.reduce<JsonValue | undefined>((container, field) => memberOf(container, field), response),
  );
}

function parentColumns(path: readonly DescField[]): Column[] {
  let level = 0;
  return path.slice(0, -1).flatMap((field, index) => {
    if (field.fieldKind !== "list" || !field.message) return [];
    const own = level;
    level += 1;
    const prefix = path
      .slice(0, index + 1)
      .map(({ jsonName }) => jsonName)
      .join(".");
    const next = path[index + 1];
    // Sibling lists with messages of the same type have tables of their own: values of mines do not belong to the rows
    // of refineries.
    const others = field.message.fields.filter(
      (each) => each !== next && each.message && each.message === next?.message,
    );
    const foreign = others.map(({ jsonName }) => `${prefix}.${jsonName}.`);
    return columnsOf(field.message, `${prefix}.`, ({ parents }) => parents[own], true).filter(
      // Excludes the list that contains the rows, because it is not a column.
      ({ name }) => name !== `${prefix}.${next?.jsonName}` && !foreign.some((start) => name.startsWith(start)),
    );
  });
}

function rowColumns(last: DescField, { mapKey }: Rows): Column[] {
  const own = last.message
    ? columnsOf(last.message, "", ({ row }) => row, false)
    : [plainColumn("value", last, ({ row }) => row)];
  if (last.fieldKind !== "map") return own;
  const { role } = getOption(last, fieldOption);
  return [{ ...plainColumn(mapKey, undefined, ({ key }) => key ?? null), role }, ...own];
}

function placesAlong(path: readonly DescField[], from: Place): readonly Place[] {
  let places: readonly Place[] = [from];
  for (const [index, field] of path.entries()) {
    const isLast = index === path.length - 1;
    places = places.flatMap((place) => below(place, memberOf(place.row, field), field, isLast));
  }
  return places;
}

function below(place: Place, value: JsonValue | undefined, field: DescField, isLast: boolean): Place[] {
  if (value === undefined || value === null) return [];
  if (field.fieldKind === "map")
    return isObject(value) ? Object.entries(value).map(([key, row]) => ({ ...place, row, key })) : [];
  if (field.fieldKind !== "list") return [{ ...place, row: value }];
  if (!Array.isArray(value)) return [];
  if (isLast) return value.map((row) => ({ ...place, row }));
  return value.flatMap((row) => (isObject(row) ? [{ ...place, row, parents: [...place.parents, row] }] : []));
}
