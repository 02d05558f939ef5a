import { getOption } from "@bufbuild/protobuf";
import { FeatureSet_FieldPresence } from "@bufbuild/protobuf/wkt";
import { field as rulesOf } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";

/** Of parameters one of which is needed, the one that is given. */
export const chosen: Readonly<Record<string, string>> = { GetCompanyEnrichment: "ticker", ResolvePlace: "place" };

/** A path with the examples of the fields that it carries. */
export function filledPath({ path, method }: Operation): string {
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const field = method.input.fields.find((known) => known.name === name);
    return encodeURIComponent(String(field && exampleOf(field)));
  });
}

/** The parameters without which a read answers nothing, as its contract gives them for examples. */
export function neededParameters({ name, method }: Operation): Readonly<Record<string, unknown>> {
  const needed = method.input.fields.filter(
    (field) => getOption(field, rulesOf).required || field.name === chosen[name],
  );
  return Object.fromEntries(needed.map((field) => [field.name, exampleOf(field)]));
}

/** A read's path with the parameters without which it answers nothing, as its contract gives them for examples. */
export function neededQuery(operation: Operation): string {
  return queried(operation, neededParameters(operation));
}

/** As `neededQuery`, with every parameter that is something else when it is absent than when it is 0, such as the corners of a map. */
export function placedQuery(operation: Operation): string {
  const placed = operation.method.input.fields.filter(
    (field) => field.presence === FeatureSet_FieldPresence.EXPLICIT && exampleOf(field) !== undefined,
  );
  const examples = Object.fromEntries(placed.map((field) => [field.name, exampleOf(field)]));
  return queried(operation, { ...neededParameters(operation), ...examples });
}

function queried(operation: Operation, parameters: Readonly<Record<string, unknown>>): string {
  const inQuery = Object.entries(parameters).filter(([name]) => !operation.inPath.includes(name));
  const query = new URLSearchParams(inQuery.map(([name, value]): [string, string] => [name, String(value)]));
  return inQuery.length === 0 ? filledPath(operation) : `${filledPath(operation)}?${query}`;
}

/** Whether a read demands what no example can hold, such as a cursor that the caller was given, or a thing of his own. */
export function needsOwn({ method, read, inPath }: Operation): boolean {
  const needed = method.input.fields.filter((field) => getOption(field, rulesOf).required);
  return read && (inPath.length > 0 || needed.some((field) => exampleOf(field) === undefined));
}

/** A path with its fields filled in, and the other parameters as its query. */
export function filled(template: string, parameters: URLSearchParams): string {
  const query = new URLSearchParams(parameters);
  const path = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = query.get(name) ?? "";
    query.delete(name);
    return encodeURIComponent(value);
  });
  return `${path}?${query}`;
}
