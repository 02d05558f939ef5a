import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { comments } from "../../gen/es/comments.ts";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { fieldRules, isEnumChoice, isNeeded, isRequired } from "../../src/contract/rules/field-rules.ts";
import { itemChoices, listRules, valueBounds } from "../../src/contract/rules/value-bounds.ts";
import { isAnyJson, isAnyObject } from "../../src/contract/schema.ts";

const wide = new Set([ScalarType.INT64, ScalarType.SINT64, ScalarType.SFIXED64, ScalarType.UINT64, ScalarType.FIXED64]);

/** A message or an enum, in a response or in a request. */
interface Named {
  readonly desc: DescMessage | DescEnum;
  readonly isSent: boolean;
}

/** Types by their Python names. Writing them adds the types that they refer to. */
export type Types = Map<string, Named>;

/** Returns the type of a field in Python. */
export function typeOf(types: Types, field: DescField, isSent: boolean): string {
  if (field.fieldKind === "map") return `dict[str, ${singleType(types, field, isSent, undefined)}]`;
  if (field.fieldKind !== "list") return singleType(types, field, isSent, fieldRules(field));
  const { enum: choices } = itemChoices(fieldRules(field));
  const item = Array.isArray(choices)
    ? literal(choices)
    : singleType(types, field, isSent, listRules(fieldRules(field))?.items);
  return `${isSent ? "Sequence" : "list"}[${item}]`;
}

function singleType(types: Types, field: DescField, isSent: boolean, rules: FieldRules | undefined): string {
  if (isAnyObject(field.message)) return "dict[str, Any]";
  if (isAnyJson(field.message)) return "Any";
  if (field.message) return `"${nameOf(types, field.message, isSent)}"`;
  if (field.enum) return `"${nameOf(types, field.enum, isSent && isEnumChoice(field))}"`;
  const { ignored } = getOption(field, fieldOption);
  switch (field.scalar) {
    case ScalarType.BOOL:
      return "bool";
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return "float";
    case ScalarType.STRING: {
      const { enum: choices } = ignored ? {} : valueBounds(rules);
      return Array.isArray(choices) ? literal(choices) : "str";
    }
    case ScalarType.BYTES:
      return "str";
    default:
      return "int";
  }
}

/** Returns whether a member of a message may be absent. */
function mayLack(field: DescField, isSent: boolean): boolean {
  if (isSent) return !isNeeded(field);
  if (field.oneof) return true;
  if (field.fieldKind === "list" || field.fieldKind === "map") return false;
  return field.presence !== FeatureSet_FieldPresence.IMPLICIT && !isRequired(field);
}

/** Returns the name of a type in Python, and adds it to the types to write. */
export function nameOf(types: Types, desc: DescMessage | DescEnum, isSent: boolean): string {
  const plain = desc.typeName.slice(desc.file.proto.package.length + 1).replaceAll(".", "");
  const name = isSent ? `${plain}Input` : plain;
  const known = types.get(name);
  if (known && known.desc !== desc)
    throw new Error(`${known.desc.typeName} and ${desc.typeName} would both be ${name}`);
  types.set(name, { desc, isSent });
  return name;
}

/** Returns the lines of all types and of the types that they refer to, enums first. */
export function writtenTypes(types: Types): string[] {
  const messages: string[] = [];
  const enums: string[] = [];
  // The iteration of a map includes the entries that are added during it.
  for (const [name, { desc, isSent }] of types)
    if (desc.kind === "enum") enums.push(...enumLines(name, desc, isSent));
    else messages.push(...messageLines(types, name, desc, isSent));
  return [...enums, ...messages];
}

function enumLines(name: string, desc: DescEnum, isSent: boolean): string[] {
  const values = desc.values.filter(({ number }) => !isSent || number !== 0).map((value) => value.name);
  return [`${name} = ${literal(values)}`, ...docstring(comments[desc.typeName] ?? "", ""), ""];
}

function messageLines(types: Types, name: string, desc: DescMessage, isSent: boolean): string[] {
  const docs = docstring(comments[desc.typeName] ?? name, "    ");
  const members = desc.fields.map((field) => {
    const type = typeOf(types, field, isSent);
    return {
      name: field.jsonName,
      type: mayLack(field, isSent) ? `NotRequired[${type}]` : type,
      docs: docstring(comments[`${desc.typeName}.${field.name}`] ?? "", "    "),
    };
  });
  if (members.every(({ name: member }) => /^[A-Za-z_]\w*$/.test(member) && !keywords.has(member)))
    return [
      ...["", `class ${name}(TypedDict):`, ...docs, ""],
      ...members.flatMap((member) => [`    ${member.name}: ${member.type}`, ...member.docs]),
      "",
    ];
  return [
    ...["", `${name} = TypedDict(`, `    "${name}",`, "    {"],
    ...members.map((member) => `        ${JSON.stringify(member.name)}: ${member.type},`),
    ...["    },", ")", ...docstring(comments[desc.typeName] ?? name, ""), ""],
  ];
}

function literal(values: readonly unknown[]): string {
  return `Literal[${values.map((value) => JSON.stringify(value)).join(", ")}]`;
}

/** Returns a text as a docstring, or nothing if it is empty. */
export function docstring(text: string, indent: string): string[] {
  if (text === "") return [];
  const lines = text.replaceAll("\\", "\\\\").replaceAll('"""', '\\"\\"\\"').replace(/"$/, '" ').split("\n");
  const [first = "", ...rest] = lines;
  if (rest.length === 0) return [`${indent}"""${first}"""`];
  return [`${indent}"""${first}`, ...rest.map((line) => (line === "" ? "" : indent + line)), `${indent}"""`];
}

/** Returns the paths of the int64 members of a response that are text in JSON. */
export function widePaths(
  desc: DescMessage,
  above: readonly string[] = [],
  seen: readonly DescMessage[] = [],
): string[][] {
  if (seen.includes(desc)) return [];
  return desc.fields.flatMap((field) => {
    const path = [...above, field.jsonName];
    if (field.message && field.fieldKind !== "map" && !isAnyJson(field.message))
      return widePaths(field.message, path, [...seen, desc]);
    const isWide = field.scalar !== undefined && wide.has(field.scalar) && !getOption(field, fieldOption).int64AsNumber;
    if (isWide && field.fieldKind !== "scalar") throw new Error(`${desc.typeName}.${field.name} is several int64`);
    return isWide ? [path] : [];
  });
}

export const keywords = new Set(
  "False None True and as assert async await break class continue def del elif else except finally for from global if import in is lambda nonlocal not or pass raise return try while with yield self".split(
    " ",
  ),
);
