import type { DescField } from "@bufbuild/protobuf";
import type { JsonSchema } from "./rules/json-schema.ts";
import { fieldSchema, type KnownLists, knownList } from "./schema.ts";

/** Returns the allowed texts of a request field, including names of enum values; empty if they are not listed. */
export function allowedValues(field: DescField, known: KnownLists): readonly string[] {
  if (field.enum) return field.enum.values.filter(({ number }) => number !== 0).map(({ name }) => name);
  return knownList(field, known)?.values ?? listedValues(fieldSchema(field, { base: "", isRequest: true }));
}

/** Returns the allowed values of a parameter. Parameters of the transport have no field. */
export function choicesOf(field: DescField | undefined, schema: JsonSchema, known: KnownLists): readonly string[] {
  const values = field ? allowedValues(field, known) : listedValues(schema);
  return values.filter((value) => value !== "");
}

function listedValues(schema: JsonSchema): readonly string[] {
  const { enum: values } = schema.items ?? schema;
  return Array.isArray(values) ? values.map(String) : [];
}
