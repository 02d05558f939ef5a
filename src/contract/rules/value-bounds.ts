import type { FieldRules, RepeatedRules } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { JsonSchema } from "./json-schema.ts";

/** Converts the rules of a value to JSON Schema. Throws if JSON Schema has no equivalent. */
export function valueBounds(rules: FieldRules | undefined): JsonSchema {
  const type = rules?.type;
  if (type?.case === "string") {
    const { pattern, minLen, maxLen, len, maxBytes } = type.value;
    return given({
      pattern: pattern || celBounds(rules).pattern,
      minLength: len || minLen,
      // A maximum of bytes also limits the characters, because each has at least one byte.
      maxLength: len || maxLen || maxBytes,
      format: type.value.wellKnown.case === "uri" ? "uri" : undefined,
      enum: type.value.in.length > 0 ? type.value.in : undefined,
    });
  }
  if (type?.case === "double" || type?.case === "int32" || type?.case === "int64") {
    const { greaterThan, lessThan } = type.value;
    return given({
      minimum: greaterThan.case === "gte" ? Number(greaterThan.value) : undefined,
      exclusiveMinimum: greaterThan.case === "gt" ? Number(greaterThan.value) : undefined,
      maximum: lessThan.case === "lte" ? lessThan.value : undefined,
      exclusiveMaximum: lessThan.case === "lt" ? lessThan.value : undefined,
      enum: type.value.in.length > 0 ? type.value.in.map(Number) : undefined,
    });
  }
  return listRules(rules) ? {} : { ...celBounds(rules) };
}

export function listRules(rules: FieldRules | undefined): RepeatedRules | undefined {
  return rules?.type.case === "repeated" ? rules.type.value : undefined;
}

export function listBounds(rules: FieldRules | undefined): JsonSchema {
  const bounds = listRules(rules);
  return given({ minItems: bounds?.minItems, maxItems: bounds?.maxItems, uniqueItems: bounds?.unique || undefined });
}

/** Returns the JSON Schema of a list's items, if an expression over the list defines which items are allowed. */
export function itemChoices(rules: FieldRules | undefined): JsonSchema {
  return listRules(rules) ? celBounds(rules) : {};
}

/** Parses expressions such as `this.matches('^[A-Z]{2}$')` and `this.all(metal, metal in ['gold'])`. */
function celBounds(rules: FieldRules | undefined): { readonly pattern?: string; readonly enum?: readonly string[] } {
  const [expression] = rules?.cel.map((rule) => rule.expression) ?? [];
  if (expression === undefined) return {};
  const [, pattern] = /^this\.matches\('(.*)'\)$/.exec(expression) ?? [];
  if (pattern !== undefined) return { pattern };
  const [, , list] = /^this\.all\((\w+), \1 in \[(.*)\]\)$/.exec(expression) ?? [];
  if (list !== undefined) return { enum: [...list.matchAll(/'([^']*)'/g)].map(([, text = ""]) => text) };
  throw new Error(`JSON Schema cannot say ${expression}`);
}

/** Removes length limits that are 0 or undefined, and converts bigint to number. */
function given(members: JsonSchema): JsonSchema {
  return Object.fromEntries(
    Object.entries(members)
      .filter(([, value]) => value !== undefined && value !== 0n)
      .map(([key, value]) => [key, typeof value === "bigint" ? Number(value) : value]),
  );
}
