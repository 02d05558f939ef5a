import { getOption } from "@bufbuild/protobuf";
import { field as rulesOf } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";

/** Of parameters one of which is needed, the one that is given. */
export const chosen: Readonly<Record<string, string>> = { GetCompanyEnrichment: "ticker" };

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
  const needed = Object.entries(neededParameters(operation)).filter(([name]) => !operation.inPath.includes(name));
  const query = Object.fromEntries(needed.map(([name, value]) => [name, String(value)]));
  const path = filledPath(operation);
  return needed.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Whether a read demands what no example can hold, such as a cursor that the caller was given, or a thing of his own. */
export function needsOwn({ method, read, inPath }: Operation): boolean {
  const needed = method.input.fields.filter((field) => getOption(field, rulesOf).required);
  return read && (inPath.length > 0 || needed.some((field) => exampleOf(field) === undefined));
}
