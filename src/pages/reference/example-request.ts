import type { DescField } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { bodyFields, type Operation } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { alternatives, isRequired, isSetList } from "../../contract/rules/field-rules.ts";

export interface ExampleValue {
  readonly field: DescField;
  readonly value: unknown;
}

/** A valid request for an operation, with example values of the contract for the required fields. */
export interface ExampleRequest {
  readonly inPath: readonly ExampleValue[];
  readonly inQuery: readonly ExampleValue[];
  readonly inBody: readonly ExampleValue[];
}

export function exampleRequest(operation: Operation): ExampleRequest {
  const { method, inPath, queried } = operation;
  const path = method.input.fields.filter(({ name }) => inPath.includes(name));
  // Only the operator may name an account. For other callers, the key determines it.
  const rest = bodyFields(operation).filter(
    (field) => (operation.access.operator || field.name !== "account") && isChosen(field),
  );
  return {
    inPath: valuesOf(path),
    inQuery: queried ? valuesOf(shownOf(rest)) : [],
    inBody: queried ? [] : valuesOf(rest),
  };
}

export function exampleAddress({ path }: Operation, { inPath, inQuery }: ExampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = inPath.find(({ field }) => field.name === name);
    return encodeURIComponent(String(given?.value ?? name));
  });
  const query = new URLSearchParams(
    inQuery.flatMap(({ field, value }) => [value].flat().map((each): [string, string] => [field.name, String(each)])),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Selects one of several exclusive fields. IDs are avoided, because each caller has other ones. */
function isChosen({ name, parent }: DescField): boolean {
  const names = alternatives(parent);
  const chosen = parent.fields.find((field) => names.includes(field.name) && field.message)?.name ?? names[0];
  return !names.includes(name) || name === chosen;
}

/** Returns the parameters to show: required ones and those with a default, or else the first text filter. */
function shownOf(fields: readonly DescField[]): readonly DescField[] {
  const usable = fields.filter((field) => !field.deprecated && proposedValue(field) !== undefined);
  const needed = usable.filter(
    (field) => isRequired(field) || isListOfValues(field) || field.presence === FeatureSet_FieldPresence.EXPLICIT,
  );
  const [filter] = usable.filter(({ scalar, enum: values }) => scalar === ScalarType.STRING || values);
  return needed.length > 0 || !filter ? needed : [filter];
}

/** Returns whether a field is a list of values that only the caller knows, and not a list of enum values. */
function isListOfValues(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind !== "enum";
}

function valuesOf(fields: readonly DescField[]): ExampleValue[] {
  return fields.flatMap((field) => {
    const value = field.deprecated ? undefined : proposedValue(field);
    return value === undefined ? [] : [{ field, value }];
  });
}

/** Returns a placeholder in capitals for a value that differs by caller, such as the ID of a job. */
function proposedValue(field: DescField): unknown {
  if (isSetList(field)) return exampleOf(field) ?? [];
  return exampleOf(field) ?? (isRequired(field) ? `YOUR_${field.name.toUpperCase()}` : undefined);
}
