import { type DescEnum, type DescField, type DescMessage, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { field as fieldOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { getOption } from "./option.ts";
import { alternatives, fieldRules } from "./rules/field-rules.ts";
import { isAnyJson } from "./schema.ts";

/** Returns the contract's example of a message or field as JSON; `undefined` for a field without one. */
export function exampleOf(desc: DescMessage | DescField): unknown {
  return desc.kind === "field" ? fieldExample(desc) : exampleOfFields(desc.fields);
}

/** Returns an example of a message with only these fields. If fields exclude each other, the first is used. */
export function exampleOfFields(fields: readonly DescField[]): Readonly<Record<string, unknown>> {
  const members = fields
    .filter(isFirstAlternative)
    .map((field) => [field.jsonName, fieldExample(field) ?? emptyOf(field)]);
  return Object.fromEntries(members.filter(([, value]) => value !== undefined));
}

function isFirstAlternative({ name, parent }: DescField): boolean {
  const [first = name, ...others] = alternatives(parent);
  return name === first || !others.includes(name);
}

function fieldExample(field: DescField): unknown {
  const rules = fieldRules(field);
  if (field.fieldKind === "map") return mapExample(field, rules);
  if (field.fieldKind !== "list") return singleExample(field, rules);
  const item = singleExample(field, rules?.type.case === "repeated" ? rules.type.value.items : undefined);
  return item === undefined ? undefined : [item];
}

/** Returns a map with one member, if the contract has an example of the map's key. */
function mapExample(field: DescField, rules: FieldRules | undefined): unknown {
  const { keys, values } = rules?.type.case === "map" ? rules.type.value : {};
  const [name] = keys?.type.case === "string" ? keys.type.value.example : [];
  const member = name === undefined ? undefined : singleExample(field, values);
  return name === undefined || member === undefined ? undefined : { [name]: member };
}

function singleExample(field: DescField, rules: FieldRules | undefined): unknown {
  if (isAnyJson(field.message)) return {};
  if (field.message) return exampleOf(field.message);
  if (field.enum) return enumExample(field.enum, rules);
  const type = rules?.type;
  if (type?.case === undefined || !("example" in type.value)) return undefined;
  const [example] = type.value.example;
  if (typeof example !== "bigint") return example;
  return getOption(field, fieldOption).int64AsNumber ? Number(example) : String(example);
}

function enumExample(desc: DescEnum, rules: FieldRules | undefined): string | undefined {
  const [example] = rules?.type.case === "enum" ? rules.type.value.example : [];
  return desc.values.find(({ number }) => (example === undefined ? number !== 0 : number === example))?.name;
}

/** Returns the default value that the JSON contains for an unset field; undefined for optional fields. */
function emptyOf(field: DescField): unknown {
  if (field.fieldKind === "list") return [];
  if (field.fieldKind === "map") return {};
  if (field.fieldKind !== "scalar" || field.presence !== FeatureSet_FieldPresence.IMPLICIT) return undefined;
  if (field.scalar === ScalarType.STRING) return "";
  if (field.scalar === ScalarType.BOOL) return false;
  return 0;
}
