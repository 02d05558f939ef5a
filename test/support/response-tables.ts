import { type DescField, type DescMessage, getOption } from "@bufbuild/protobuf";
import { operation as operationOption, type Rows } from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../src/contract/catalog.ts";

/** A table that the contract says a response has. */
export interface ResponseTable {
  /** Names it in a failure. */
  readonly at: string;
  readonly rows: Rows;
  readonly input: DescMessage;
  readonly output: DescMessage;
  readonly columns: readonly Column[];
}

export interface Column {
  readonly name: string;
  /** Absent for the keys of a map. */
  readonly field?: DescField;
  /** True for columns of the lists above the row. */
  readonly isInherited: boolean;
}

/** Every table of every read. */
export const responseTables: readonly ResponseTable[] = catalog.flatMap(({ name, method: { input, output }, method }) =>
  getOption(method, operationOption).rows.map((rows) => ({
    at: `${name} ${rows.path}`,
    rows,
    input,
    output,
    columns: [
      ...given(input, rows.fromRequest),
      ...given(output, rows.fromResponse),
      ...inherited(output, rows.path),
      ...(rows.mapKey === "" ? [] : [{ name: rows.mapKey, isInherited: false }]),
      ...own(rows.path === "" ? output : fieldsAlong(output, rows.path)?.at(-1)),
    ],
  })),
);

/** The fields along a path of proto names, or undefined if it leads nowhere. An empty path is invalid. */
export function fieldsAlong(desc: DescMessage, path: string): readonly DescField[] | undefined {
  const fields: DescField[] = [];
  let at: DescMessage | undefined = desc;
  for (const name of path.split(".")) {
    const field: DescField | undefined = at?.fields.find((each) => each.name === name);
    if (!field) return undefined;
    fields.push(field);
    at = field.message;
  }
  return fields;
}

export function isRepeated({ fieldKind }: DescField): boolean {
  return fieldKind === "list" || fieldKind === "map";
}

function given(desc: DescMessage, paths: readonly string[]): Column[] {
  return paths.flatMap((path) => {
    const fields = fieldsAlong(desc, path);
    const field = fields?.at(-1);
    return fields && field
      ? [{ name: fields.map(({ jsonName }) => jsonName).join("."), field, isInherited: false }]
      : [];
  });
}

function inherited(desc: DescMessage, path: string): Column[] {
  const above = path === "" ? [] : (fieldsAlong(desc, path)?.slice(0, -1) ?? []);
  return above.flatMap((field, place) => {
    if (!isRepeated(field) || !field.message) return [];
    const prefix = above.slice(0, place + 1).map(({ jsonName }) => `${jsonName}.`);
    return flattened(field.message, prefix.join("")).map((column) => ({ ...column, isInherited: true }));
  });
}

function own(row: DescMessage | DescField | undefined): Column[] {
  const desc = row?.kind === "field" ? row.message : row;
  if (desc) return flattened(desc, "");
  return row?.kind === "field" ? [{ name: "value", field: row, isInherited: false }] : [];
}

function flattened(desc: DescMessage, prefix: string): Column[] {
  return desc.fields.flatMap((field) => {
    const name = `${prefix}${field.jsonName}`;
    if (field.fieldKind === "message") return flattened(field.message, `${name}.`);
    return [{ name, field, isInherited: false }];
  });
}
