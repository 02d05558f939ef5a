import { getOption } from "@bufbuild/protobuf";
import { field as rulesOf } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import type { Operation } from "../../src/contract/catalog.ts";
import { exampleOf } from "../../src/contract/example.ts";

/** Of parameters one of which is needed, the one that is given. */
export const chosen: Readonly<Record<string, string>> = { GetCompanyEnrichment: "ticker" };

/** A read's path with the parameters without which it answers nothing, as its contract gives them for examples. */
export function neededQuery({ name, path, method }: Operation): string {
  const needed = method.input.fields.filter(
    (field) => getOption(field, rulesOf).required || field.name === chosen[name],
  );
  const query = Object.fromEntries(needed.map((field) => [field.name, String(exampleOf(field))]));
  return needed.length === 0 ? path : `${path}?${new URLSearchParams(query)}`;
}

/** Whether a read demands what no example can hold, such as a cursor that the caller was given. */
export function needsOwn({ method, read }: Operation): boolean {
  const needed = method.input.fields.filter((field) => getOption(field, rulesOf).required);
  return read && needed.some((field) => exampleOf(field) === undefined);
}
