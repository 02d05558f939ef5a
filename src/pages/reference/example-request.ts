import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { bodyFields, catalog, type Operation } from "../../contract/catalog.ts";
import { exampleOf } from "../../contract/example.ts";
import { alternatives, isRequired, isSetList } from "../../contract/rules/field-rules.ts";
import type { DescribedOperation } from "./described-operation.ts";

export interface ExampleValue {
  readonly field: DescField;
  readonly value: unknown;
}

/** An example of a valid request for an operation. Required fields have the example values of the contract. */
export interface ExampleRequest {
  readonly inPath: readonly ExampleValue[];
  readonly inQuery: readonly ExampleValue[];
  readonly inBody: readonly ExampleValue[];
  /** Parameters of all operations, such as `format`. The contract's examples lack them, but users can set them. */
  readonly common?: readonly (readonly [name: string, value: string])[];
}

/** The first GET operation in the contract that needs no key. */
export const openOperation = catalog.find(({ access, verb }) => access.anonymous && verb === "GET");

/** Returns a curl command that reads data without a key. */
export function openRequest(origin: string): string {
  const path = openOperation ? exampleAddress(openOperation, exampleRequest(openOperation)) : "/api/health";
  return `curl "${origin}${path}"`;
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

/**
 * Returns the example request with the values that the user has entered in the form. Values that are invalid for a
 * parameter are omitted, so that a link to the page cannot put other text into a code sample.
 */
export function requestOfForm(
  operation: Operation,
  { parameters }: DescribedOperation,
  form: URLSearchParams,
): ExampleRequest {
  const example = exampleRequest(operation);
  const { method, inPath } = operation;
  const given = method.input.fields.flatMap((field): ExampleValue[] => {
    const values = form.getAll(field.name).flatMap((text) => valueOfText(field, text) ?? []);
    if (values.length === 0) return [];
    return [{ field, value: field.fieldKind === "list" ? values : values[0] }];
  });
  const isInPath = ({ field }: ExampleValue) => inPath.includes(field.name);
  const isGiven = ({ field }: ExampleValue) => given.some((each) => each.field === field);
  return {
    inPath: [...example.inPath.filter((each) => !isGiven(each)), ...given.filter(isInPath)],
    inQuery: operation.queried ? given.filter((each) => !isInPath(each)) : [],
    inBody: example.inBody,
    common: parameters.flatMap(({ name, in: place }) => {
      const isCommon = place === "query" && !method.input.fields.some((field) => field.name === name);
      return isCommon ? form.getAll(name).map((value) => [name, value] as const) : [];
    }),
  };
}

function valueOfText(field: DescField, text: string): unknown {
  if (field.enum) return field.enum.values.find(({ name }) => name === text)?.name;
  if (field.scalar === ScalarType.STRING) return text;
  if (field.scalar === ScalarType.BOOL) return text === "true" ? true : text === "false" ? false : undefined;
  return /^-?\d{1,15}(\.\d{1,15})?$/.test(text) ? Number(text) : undefined;
}

export function exampleAddress({ path }: Operation, { inPath, inQuery, common = [] }: ExampleRequest): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const given = inPath.find(({ field }) => field.name === name);
    return encodeURIComponent(String(given?.value ?? name));
  });
  const query = new URLSearchParams([
    ...inQuery.flatMap(({ field, value }) =>
      [value].flat().map((each): [string, string] => [field.name, String(each)]),
    ),
    ...common.map(([name, value]): [string, string] => [name, value]),
  ]);
  return query.size === 0 ? filled : `${filled}?${query}`;
}

/** Returns whether an example contains a field. It has only one of several exclusive fields, if possible not an ID. */
function isChosen({ name, parent }: DescField): boolean {
  const names = alternatives(parent);
  const chosen = parent.fields.find((field) => names.includes(field.name) && field.message)?.name ?? names[0];
  return !names.includes(name) || name === chosen;
}

/** Returns the parameters of an example: required ones and those with a default. If it has none, a text filter. */
function shownOf(fields: readonly DescField[]): readonly DescField[] {
  const usable = fields.filter((field) => !field.deprecated && proposedValue(field) !== undefined);
  const needed = usable.filter(
    (field) => isRequired(field) || isListOfValues(field) || field.presence === FeatureSet_FieldPresence.EXPLICIT,
  );
  const [filter] = usable.filter(({ scalar, enum: values }) => scalar === ScalarType.STRING || values);
  return needed.length > 0 || !filter ? needed : [filter];
}

/**
 * Returns whether a field is a list whose values only the caller knows, other than values of an enum. The list
 * `countries` is not needed if the operation also has the parameter `country`.
 */
function isListOfValues({ name, parent, ...field }: DescField): boolean {
  const hasSingle = parent.fields.some((each) => each.name === "country") && name === "countries";
  return field.fieldKind === "list" && field.listKind !== "enum" && !hasSingle;
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
