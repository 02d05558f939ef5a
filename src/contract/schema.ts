import { type DescEnum, type DescField, type DescMessage, getOption, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import type { FieldRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { comments } from "../../gen/es/comments.ts";
import { field as fieldOption, LetterCase } from "../../gen/es/ids/options/v1/options_pb.ts";
import { fieldRules, isRequired } from "./field-rules.ts";

/** A JSON Schema (2020-12) object. */
export type JsonSchema = { [key: string]: unknown };

/** Schema of a message as this API writes it, or of some of its fields; nested messages and enums are referred to below `base`. */
export function messageSchema(desc: DescMessage, base: string, fields: readonly DescField[] = desc.fields): JsonSchema {
  const properties = Object.fromEntries(fields.map((field) => [field.jsonName, fieldSchema(field, base)]));
  const required = fields.filter(alwaysWritten).map(({ jsonName }) => jsonName);
  return {
    type: "object",
    ...described(desc.typeName),
    properties,
    ...(required.length > 0 ? { required } : {}),
  };
}

/** Schema of one field's value, with its description and the bounds that are really enforced. */
export function fieldSchema(field: DescField, base: string): JsonSchema {
  return { ...valueSchema(field, base), ...described(`${field.parent.typeName}.${field.name}`) };
}

/** Schema of an enum: the full names of its values. */
export function enumSchema(desc: DescEnum): JsonSchema {
  return { type: "string", ...described(desc.typeName), enum: desc.values.map(({ name }) => name) };
}

/** Every message and enum a message refers to, itself first. */
export function reachable(roots: readonly DescMessage[]): ReadonlySet<DescMessage | DescEnum> {
  const found = new Set<DescMessage | DescEnum>(roots);
  for (const desc of found) {
    if (desc.kind !== "message") continue;
    for (const field of desc.fields) {
      if (field.message && !isAnyJson(field.message)) found.add(field.message);
      if (field.enum) found.add(field.enum);
    }
  }
  return found;
}

/** Whether a message stands for any value of JSON, which it is written as. */
export function isAnyJson(desc: DescMessage | undefined): boolean {
  return desc?.typeName === "google.protobuf.Value";
}

/** The comment of a contract element as `description`. */
export function described(name: string): { description?: string } {
  const text = comments[name];
  return text === undefined ? {} : { description: text };
}

/** A text up to its first full stop. */
export function firstSentence(text: string): string {
  return /^.*?\.(?=\s|$)/s.exec(text)?.[0] ?? text;
}

function alwaysWritten(field: DescField): boolean {
  if (field.oneof) return false;
  if (field.fieldKind === "list" || field.fieldKind === "map") return true;
  return field.presence === FeatureSet_FieldPresence.IMPLICIT || isRequired(field);
}

function valueSchema(field: DescField, base: string): JsonSchema {
  const rules = fieldRules(field);
  if (field.fieldKind === "list") {
    const bounds = rules?.type.case === "repeated" ? rules.type.value : undefined;
    return {
      type: "array",
      items: singleSchema(field, base, bounds?.items),
      ...given({ minItems: bounds?.minItems, maxItems: bounds?.maxItems }),
    };
  }
  if (field.fieldKind === "map") return { type: "object", additionalProperties: singleSchema(field, base, undefined) };
  return singleSchema(field, base, rules);
}

function singleSchema(field: DescField, base: string, rules: FieldRules | undefined): JsonSchema {
  if (isAnyJson(field.message)) return {};
  if (field.message) return { $ref: `${base}${field.message.typeName}` };
  if (field.enum) return { $ref: `${base}${field.enum.typeName}` };
  const { clamp, ignored, int64AsNumber, letterCase } = getOption(field, fieldOption);
  const fallback = clamp?.default === undefined ? {} : { default: clamp.default };
  const bounds = ignored ? {} : boundsOf(rules);
  // Letters are folded before the rule is checked, so both cases pass.
  if (letterCase !== LetterCase.UNSPECIFIED && typeof bounds.pattern === "string")
    bounds.pattern = bounds.pattern.replace(/[a-z]-[a-z]/gi, (range) => range.toUpperCase() + range.toLowerCase());
  switch (field.scalar) {
    case ScalarType.STRING:
      return { type: "string", ...bounds };
    case ScalarType.BOOL:
      return { type: "boolean" };
    case ScalarType.BYTES:
      return { type: "string", contentEncoding: "base64" };
    case ScalarType.DOUBLE:
    case ScalarType.FLOAT:
      return { type: "number", format: "double", ...bounds, ...fallback };
    case ScalarType.INT64:
    case ScalarType.SINT64:
    case ScalarType.SFIXED64:
    case ScalarType.UINT64:
    case ScalarType.FIXED64:
      return int64AsNumber
        ? { type: "integer", format: "int64", ...bounds, ...fallback }
        : { type: "string", format: "int64", pattern: "^-?[0-9]+$" };
    default:
      return { type: "integer", format: "int32", ...bounds, ...fallback };
  }
}

function boundsOf(rules: FieldRules | undefined): JsonSchema {
  const type = rules?.type;
  if (type?.case === "string") {
    const { pattern, minLen, maxLen, len } = type.value;
    return given({
      pattern: pattern || undefined,
      minLength: len || minLen,
      maxLength: len || maxLen,
      enum: type.value.in.length > 0 ? type.value.in : undefined,
    });
  }
  if (type?.case === "double" || type?.case === "int32" || type?.case === "int64") {
    const { greaterThan, lessThan } = type.value;
    return given({
      minimum: greaterThan.case === "gte" ? greaterThan.value : undefined,
      exclusiveMinimum: greaterThan.case === "gt" ? greaterThan.value : undefined,
      maximum: lessThan.case === "lte" ? lessThan.value : undefined,
      exclusiveMaximum: lessThan.case === "lt" ? lessThan.value : undefined,
    });
  }
  return {};
}

/** Without the members that are absent or 0 by default; bigint becomes a number. */
function given(members: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined && value !== 0n)
      .map(([key, value]) => [key, typeof value === "bigint" ? Number(value) : value]),
  );
}
