import type { DescField } from "@bufbuild/protobuf";
import type { JsonSchema } from "./rules/json-schema.ts";
import { fieldSchema, type KnownLists, knownList } from "./schema.ts";

/** Returns the allowed texts of a request field, including enum names; empty if the contract lists none. */
export function allowedValues(field: DescField, known: KnownLists): readonly string[] {
  if (field.enum) return field.enum.values.filter(({ number }) => number !== 0).map(({ name }) => name);
  return knownList(field, known)?.values ?? listedValues(fieldSchema(field, { base: "", isRequest: true }));
}

/** Returns the allowed values of a parameter. `field` is undefined for parameters that every read has. */
export function choicesOf(field: DescField | undefined, schema: JsonSchema, known: KnownLists): readonly string[] {
  const values = field ? allowedValues(field, known) : listedValues(schema);
  return values.filter((value) => value !== "");
}

function listedValues(schema: JsonSchema): readonly string[] {
  const { enum: values } = schema.items ?? schema;
  return Array.isArray(values) ? values.map(String) : [];
}
