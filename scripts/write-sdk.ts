// Writes what the TypeScript SDK has beside its messages: the services by domain, and as types alone what plain JSON says.
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type DescEnum, type DescField, type DescMessage, getOption, hasOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { field as ruleOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { comments } from "../gen/es/comments.ts";
import { field as fieldOption } from "../gen/es/ids/options/v1/options_pb.ts";
import { services } from "../gen/es/services.ts";
import { catalog, type Operation } from "../src/contract/catalog.ts";
import { isPaged, offeredFormats } from "../src/contract/file-format.ts";
import { firstSentence, isAnyJson, reachable } from "../src/contract/schema.ts";
import { tablesOf } from "../src/contract/tables.ts";

const [out = "sdk/typescript/src/gen"] = process.argv.slice(2);
const wide = new Set([ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64, ScalarType.UINT64, ScalarType.FIXED64]);
const written = new Map<string, DescMessage | DescEnum>();
const bodies = reachable(catalog.filter(({ queried }) => !queried).map(({ method }) => method.input));

const maps = [
  ...pathMap("GetPaths", "Every path that is read, with its query and its answer.", "GET"),
  ...pathMap("PostPaths", "Every path that takes a body, with its body and its answer.", "POST"),
  ...pathMap(
    "DeletePaths",
    "Every path that something is taken away by, with what the path says and its answer.",
    "DELETE",
  ),
];
// Messages are found while they are written: a map's iteration goes on to what was added meanwhile.
const types: string[] = [];
for (const desc of written.values()) types.push(...(desc.kind === "enum" ? enumType(desc) : messageType(desc)));
await write("plain.ts", [...maps, ...types]);
await write("services.ts", [
  ...Object.values(services).map(({ name, file }) => `import { ${name} } from "./${file.name}_pb.ts";`),
  "",
  "/** Every service by its domain. */",
  "export const services: {",
  ...Object.entries(services).map(([domain, { name }]) => `  readonly ${domain}: typeof ${name};`),
  "} = {",
  ...Object.entries(services).map(([domain, { name }]) => `  ${domain}: ${name},`),
  "};",
]);
await write("messages.ts", [
  "// Every message and enum of the operations; of enums the values as well.",
  ...Object.entries(Object.groupBy(written.values(), ({ file }) => file.name)).map(
    ([file, descs = []]) => `export { ${descs.map(exported).sort().join(", ")} } from "./${file}_pb.ts";`,
  ),
]);

function exported(desc: DescMessage | DescEnum): string {
  const name = desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll(".", "_");
  return desc.kind === "enum" ? name : `type ${name}`;
}

async function write(name: string, lines: readonly string[]): Promise<void> {
  await writeFile(join(out, name), `${["// Written by `make generate`.", ...lines].join("\n")}\n`);
}

function pathMap(name: string, comment: string, verb: Operation["verb"]): string[] {
  const operations = catalog.filter((operation) => operation.verb === verb);
  return [`/** ${comment} */`, `export interface ${name} {`, ...operations.flatMap(pathEntry), "}", ""];
}

function pathEntry(operation: Operation): string[] {
  const { method, name, path, queried } = operation;
  checkPaging(name, method.output);
  const answer = typeName(method.output);
  if (!queried)
    return [
      ...docs(`${method.parent.typeName}.${method.name}`, "  "),
      `  ${JSON.stringify(path)}: { body: ${typeName(method.input)}; answer: ${answer} };`,
    ];
  const query = method.input.fields.filter((field) => !getOption(field, fieldOption).ignored);
  const members = query.flatMap((field) => [
    ...docs(`${field.parent.typeName}.${field.name}`, "      "),
    `      ${field.name}${isDemanded(field) ? "" : "?"}: ${queryType(field)}${isDemanded(field) ? "" : " | undefined"};`,
  ]);
  return [
    ...docs(`${method.parent.typeName}.${method.name}`, "  "),
    `  ${JSON.stringify(path)}: {`,
    ...(members.length > 0 ? ["    query: {", ...members, "    };"] : ["    query: Record<never, never>;"]),
    `    answer: ${answer};`,
    ...fileEntry(operation),
    "  };",
  ];
}

/** As which files a read is offered; nothing where it is no table. */
function fileEntry(operation: Operation): string[] {
  const tables = tablesOf(operation);
  const formats = offeredFormats(tables);
  if (formats.length === 0) return [];
  const oneOf = (names: readonly string[]) => names.map((each) => JSON.stringify(each)).join(" | ");
  const members = [
    `format: ${oneOf(formats)}`,
    ...(tables.length > 1 ? [`rows?: ${oneOf(tables.map((table) => table.name))} | undefined`] : []),
    ...(isPaged(operation) ? ["all?: boolean | undefined"] : []),
    "raw?: boolean | undefined",
  ];
  return [`    file: { ${members.join("; ")} };`];
}

/** A client finds the items of a page as the first list of its answer. */
function checkPaging(name: string, output: DescMessage): void {
  if (!output.fields.some(({ message }) => message?.typeName === "ids.common.v1.Pagination")) return;
  if (output.fields.find(({ fieldKind }) => fieldKind === "list")?.message) return;
  throw new Error(`${name}: the first list of a paged answer must be its items`);
}

function messageType(desc: DescMessage): string[] {
  const isSent = bodies.has(desc);
  const members = desc.fields.flatMap((field) => {
    const isSure = isSent ? isDemanded(field) : isAlwaysWritten(field);
    const type = `${jsonType(field)}${isSent && !isSure ? " | undefined" : ""}`;
    return [
      ...docs(`${desc.typeName}.${field.name}`, "  "),
      `  ${member(field.jsonName)}${isSure ? "" : "?"}: ${type};`,
    ];
  });
  return [...docs(desc.typeName), `export interface ${typeName(desc)} {`, ...members, "}", ""];
}

function enumType(desc: DescEnum): string[] {
  const names = desc.values.map(({ name }) => JSON.stringify(name)).join(" | ");
  return [...docs(desc.typeName), `export type ${typeName(desc)} = ${names};`, ""];
}

function jsonType(field: DescField): string {
  if (field.fieldKind === "list") return `${singleType(field)}[]`.replace(/^(.* \| .*)\[\]$/, "($1)[]");
  if (field.fieldKind === "map") return `Record<string, ${singleType(field)}>`;
  return singleType(field);
}

/** Query parameters are texts in the end, so an int64 may come in whichever form it is at hand. */
function queryType(field: DescField): string {
  const isWide = field.scalar !== undefined && wide.has(field.scalar);
  const single = isWide ? "bigint | number | string" : singleType(field);
  return field.fieldKind === "list" ? `readonly (${single})[]` : single;
}

function singleType(field: DescField): string {
  if (isAnyJson(field.message)) return "unknown";
  if (field.message) return typeName(field.message);
  if (field.enum) return typeName(field.enum);
  switch (field.scalar) {
    case ScalarType.STRING:
    case ScalarType.BYTES:
      return "string";
    case ScalarType.BOOL:
      return "boolean";
    default:
      return field.scalar !== undefined && wide.has(field.scalar) && !getOption(field, fieldOption).int64AsNumber
        ? "string"
        : "number";
  }
}

function isDemanded(field: DescField): boolean {
  return hasOption(field, ruleOption) && getOption(field, ruleOption).required;
}

function isAlwaysWritten(field: DescField): boolean {
  if (field.oneof) return false;
  if (field.fieldKind === "list" || field.fieldKind === "map") return true;
  return field.fieldKind !== "message" && field.presence === FeatureSet_FieldPresence.IMPLICIT;
}

/** The name of a message, remembered so that it is written; nested ones carry their parent's. */
function typeName(desc: DescMessage | DescEnum): string {
  const name = desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll(".", "");
  const known = written.get(name);
  if (known && known.typeName !== desc.typeName) throw new Error(`${known.typeName} and ${desc.typeName} share a name`);
  written.set(name, desc);
  return name;
}

function member(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
}

/** The first sentence: the rest is in the documentation, and this package is to stay small. */
function docs(name: string, indent = ""): string[] {
  const text = comments[name];
  return text === undefined ? [] : [`${indent}/** ${firstSentence(text).replaceAll("*/", "*\\/")} */`];
}
