import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { comments } from "../../gen/es/comments.ts";
import { field as fieldOption, TimeEncoding } from "../../gen/es/ids/options/v1/options_pb.ts";
import { allowedValues } from "../../src/contract/allowed-values.ts";
import type { Operation } from "../../src/contract/catalog.ts";
import { columnNames, downloadFormats, hasAllPages } from "../../src/contract/file-format.ts";
import { isEnumChoice, isRequired } from "../../src/contract/rules/field-rules.ts";
import { isAnyJson, isAnyObject, knownList } from "../../src/contract/schema.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import { knownLists } from "../../src/runtime/known-lists.ts";
import { operationParameters, timeParameters } from "./operation-parameters.ts";

type Desc = DescMessage | DescEnum;

/** Types of plain JSON, and the named types that they refer to. */
export interface Sheet {
  /** Messages that requests carry. */
  readonly bodies: ReadonlySet<Desc>;
  readonly uses: Set<Desc>;
  /** Names of the types of `knownTypes`. */
  readonly knownUses: Set<string>;
}

const wide = new Set([ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64, ScalarType.UINT64, ScalarType.FIXED64]);

/** Returns the types of the request and the response of a path. */
export function pathEntry(operation: Operation, sheet: Sheet): string[] {
  const { method, path, queried } = operation;
  const response = typeName(method.output, sheet);
  if (!queried)
    return [
      ...docs(`${method.parent.typeName}.${method.name}`, "  "),
      `  ${JSON.stringify(path)}: { body: ${typeName(method.input, sheet)}; answer: ${response} };`,
    ];
  const query = method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
  const members = query.flatMap((field) => [
    ...docs(`${field.parent.typeName}.${field.name}`, "      "),
    `      ${field.name}${isRequired(field) ? "" : "?"}: ${queryType(field, sheet)}${isRequired(field) ? "" : " | undefined"};`,
  ]);
  const times = timesOf(operation, sheet);
  return [
    ...docs(`${method.parent.typeName}.${method.name}`, "  "),
    `  ${JSON.stringify(path)}: {`,
    ...(members.length > 0
      ? ["    query: {", ...members, `    }${times};`]
      : [`    query: Record<never, never>${times};`]),
    `    answer: ${response};`,
    ...fileEntry(operation),
    "  };",
  ];
}

/** Returns the types of the parameters that are times without a field. */
function timesOf(operation: Operation, { knownUses }: Sheet): string {
  const names = operationParameters(operation).flatMap(({ name, isTime }) => (isTime ? [timeType(name)] : []));
  for (const name of names) knownUses.add(name);
  return names.map((name) => ` & ${name}`).join("");
}

function timeType(name: string): string {
  return name.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

/** Returns the file formats of a read, or nothing if it is not a table. */
function fileEntry(operation: Operation): string[] {
  const tables = tablesOf(operation);
  const formats = downloadFormats(tables);
  if (formats.length === 0) return [];
  const members = [
    `format: ${oneOf(formats)}`,
    ...(tables.length > 1 ? [`rows?: ${oneOf(tables.map((table) => table.name))} | undefined`] : []),
    ...(hasAllPages(operation) ? ["all?: boolean | undefined"] : []),
    "raw?: boolean | undefined",
    `columns?: ${oneOf(columnNames)} | undefined`,
  ];
  return [`    file: { ${members.join("; ")} };`];
}

/** Returns a message as an interface, and an enum as the names of its values. */
export function declaration(desc: Desc, sheet: Sheet): string[] {
  if (desc.kind === "enum")
    return [...docs(desc.typeName), `export type ${nameOf(desc)} = ${oneOf(desc.values.map(({ name }) => name))};`, ""];
  const isSent = sheet.bodies.has(desc);
  const members = desc.fields.flatMap((field) => {
    const isSure = isSent ? isRequired(field) : isAlwaysWritten(field);
    const type = `${jsonType(field, isSent, sheet)}${isSent && !isSure ? " | undefined" : ""}`;
    return [
      ...docs(`${desc.typeName}.${field.name}`, "  "),
      `  ${member(field.jsonName)}${isSure ? "" : "?"}: ${type};`,
    ];
  });
  return [...docs(desc.typeName), `export interface ${nameOf(desc)} {`, ...members, "}", ""];
}

/** Returns the name of a type. The name of a nested type begins with that of its parent. */
export function nameOf(desc: Desc): string {
  return desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll(".", "");
}

function typeName(desc: Desc, { uses }: Sheet): string {
  uses.add(desc);
  return nameOf(desc);
}

function jsonType(field: DescField, isSent: boolean, sheet: Sheet): string {
  const single = singleType(field, isSent, sheet);
  if (field.fieldKind === "list") return listOf(single);
  return field.fieldKind === "map" ? `Record<string, ${single}>` : single;
}

/** The client writes query parameters as text, so it accepts every type of an int64 and of a time. */
function queryType(field: DescField, sheet: Sheet): string {
  const plain = isWide(field) ? "bigint | number | string" : singleType(field, true, sheet);
  const isTime = getOption(field, fieldOption).time !== TimeEncoding.UNSPECIFIED;
  const single = isTime ? `Date | ${plain}` : plain;
  return field.fieldKind === "list" ? `readonly ${listOf(single)}` : single;
}

function listOf(single: string): string {
  return single.includes("|") ? `(${single})[]` : `${single}[]`;
}

function singleType(field: DescField, isSent: boolean, sheet: Sheet): string {
  if (isAnyObject(field.message)) return "{ [name: string]: unknown }";
  if (isAnyJson(field.message)) return "unknown";
  if (field.message) return typeName(field.message, sheet);
  if (field.enum) {
    const [unsaid] = field.enum.values;
    const name = typeName(field.enum, sheet);
    return isSent && unsaid && isEnumChoice(field) ? `Exclude<${name}, ${JSON.stringify(unsaid.name)}>` : name;
  }
  switch (field.scalar) {
    case ScalarType.STRING:
      return textType(field, sheet);
    case ScalarType.BYTES:
      return "string";
    case ScalarType.BOOL:
      return "boolean";
    default:
      return isWide(field) && !getOption(field, fieldOption).int64AsNumber ? "string" : "number";
  }
}

/** Returns the texts that the contract allows. Lists that only the service defines are open, because they may grow. */
function textType(field: DescField, { knownUses }: Sheet): string {
  const known = knownList(field, knownLists);
  const values = oneOf(allowedValues(field, knownLists));
  if (values === "") return "string";
  if (known === undefined) return values;
  if (known.name === undefined) return open(values);
  knownUses.add(known.name);
  return known.name;
}

/** Returns the types of values and parameters that several operations share. */
export function knownTypes(): string[] {
  const lists = [...knownLists.values()].flatMap(({ name, values }) =>
    name !== undefined
      ? [
          "/** Those that the service has; a later one may have more. */",
          `export type ${name} = ${open(oneOf(values))};`,
        ]
      : [],
  );
  const times = timeParameters.flatMap(({ name, text }) => [
    `export interface ${timeType(name)} {`,
    `  /** ${text} */`,
    `  ${name}?: Date | string | undefined;`,
    "}",
  ]);
  return [...lists, ...times];
}

/** Returns a type for which editors propose the values and which accepts other values too. */
function open(values: string): string {
  return `${values} | (string & {})`;
}

function oneOf(texts: readonly string[]): string {
  return texts.map((text) => JSON.stringify(text)).join(" | ");
}

function isWide({ scalar }: DescField): boolean {
  return scalar !== undefined && wide.has(scalar);
}

function isAlwaysWritten(field: DescField): boolean {
  if (field.oneof) return false;
  if (field.fieldKind === "list" || field.fieldKind === "map" || isRequired(field)) return true;
  return field.fieldKind !== "message" && field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** Returns the whole comment, one line per paragraph. */
function docs(name: string, indent = ""): string[] {
  const text = comments[name];
  if (text === undefined) return [];
  const lines = text.replaceAll("*/", "*\\/").split("\n");
  return [`${indent}/** ${lines.join(`\n${indent} * `).replace(/ +$/gm, "")} */`];
}
