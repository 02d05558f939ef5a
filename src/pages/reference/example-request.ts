import type { DescField } from "@bufbuild/protobuf";
import { ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { bodyFields, type Operation } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { alternatives, isRequired, isSetList } from "../../contract/rules/field-rules.ts";

/** A field of an example request and its value, as JSON. */
export interface ExampleValue {
  readonly field: DescField;
  readonly value: unknown;
}

/** A request that can be sent as it is: what an operation needs, with the values that the contract gives as examples. */
export interface ExampleRequest {
  readonly inPath: readonly ExampleValue[];
  readonly inQuery: readonly ExampleValue[];
  readonly inBody: readonly ExampleValue[];
}

export function exampleRequest(operation: Operation): ExampleRequest {
  const { method, inPath, queried } = operation;
  const path = method.input.fields.filter(({ name }) => inPath.includes(name));
  // Whose account is the key's affair; only the operator names another.
  const rest = bodyFields(operation).filter(
    (field) => (operation.access.operator || field.name !== "account") && isChosen(field),
  );
  return {
    inPath: valuesOf(path),
    inQuery: queried ? valuesOf(shownOf(rest)) : [],
    inBody: queried ? [] : valuesOf(rest),
  };
}

/** The path with its parameters filled in, and the query behind it. */
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

/** Of alternatives the one that says all by itself: an id would be of something of the caller's. */
function isChosen({ name, parent }: DescField): boolean {
  const names = alternatives(parent);
  const chosen = parent.fields.find((field) => names.includes(field.name) && field.message)?.name ?? names[0];
  return !names.includes(name) || name === chosen;
}

/** Parameters that are required or mean something by being absent, else the first filter by a text. */
function shownOf(fields: readonly DescField[]): readonly DescField[] {
  const usable = fields.filter((field) => !field.deprecated && proposedValue(field) !== undefined);
  const needed = usable.filter(
    (field) => isRequired(field) || isListOfValues(field) || field.presence === FeatureSet_FieldPresence.EXPLICIT,
  );
  const [filter] = usable.filter(({ scalar, enum: values }) => scalar === ScalarType.STRING || values);
  return needed.length > 0 || !filter ? needed : [filter];
}

/** Of values that only the caller knows; a list of an enum's is a filter among few. */
function isListOfValues(field: DescField): boolean {
  return field.fieldKind === "list" && field.listKind !== "enum";
}

function valuesOf(fields: readonly DescField[]): ExampleValue[] {
  return fields.flatMap((field) => {
    const value = field.deprecated ? undefined : proposedValue(field);
    return value === undefined ? [] : [{ field, value }];
  });
}

/** What no contract can know, such as the id of a job, is named in capitals. */
function proposedValue(field: DescField): unknown {
  if (isSetList(field)) return exampleOf(field) ?? [];
  return exampleOf(field) ?? (isRequired(field) ? `YOUR_${field.name.toUpperCase()}` : undefined);
}
