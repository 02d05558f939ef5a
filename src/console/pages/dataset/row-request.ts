import type { JsonObject } from "@bufbuild/protobuf";
import type { Operation } from "../../../contract/catalog.ts";
import { limitNames, widestRows } from "../../../contract/row-limit.ts";
import { isNeeded } from "../../../contract/rules/field-rules.ts";
import { wholeWorld } from "../../../contract/widest-request.ts";
import { otherParameters } from "../../../http/rest/request-decoder.ts";
import { type ExampleValue, exampleRequest } from "../../../pages/reference/example-request.ts";
import type { PageContext } from "../../page-context.ts";

/**
 * Reads the rows of a page. Without parameters in the URL, as many rows as possible are read, or those of an example if
 * the operation requires a parameter.
 */
export async function readRows(operation: Operation, { query, read }: PageContext) {
  const given = parametersIn(operation, query);
  const requested = withAllRows(operation, given.size > 0 ? inWorld(operation, given) : widest(operation));
  const response = await read(operation, requested);
  const lacksParameters = given.size === 0 && response.kind === "refused" && response.status === 400;
  if (!lacksParameters) return { requested, response };
  const example = withAllRows(
    operation,
    exampleParameters(operation, ({ field }) => !limitNames.has(field.name)),
  );
  return { requested: example, response: await read(operation, example) };
}

/** Parameters of the API that a page does not use or uses differently. */
const notOfPages = new Set(["format", "all", "raw", "rows", "columns", "jmespath"]);

export function parametersOf(operation: Operation): readonly string[] {
  const names = [...operation.method.input.fields.map(({ name }) => name), ...otherParameters(operation)];
  return names.filter((name) => !notOfPages.has(name));
}

export function parametersIn(operation: Operation, query: URLSearchParams): URLSearchParams {
  const names = new Set(parametersOf(operation));
  return new URLSearchParams([...query].filter(([name, value]) => names.has(name) && value !== ""));
}

/** Requests the maximum number of rows, unless the URL contains a number. */
function withAllRows(operation: Operation, requested: URLSearchParams): URLSearchParams {
  const limits = Object.entries(widestRows(operation)).filter(([name]) => !requested.has(name));
  return new URLSearchParams([...requested, ...limits]);
}

function widest(operation: Operation): URLSearchParams {
  return inWorld(
    operation,
    exampleParameters(operation, ({ field }) => isNeeded(field)),
  );
}

/** Requests a box around the whole world, unless the URL contains a box. */
function inWorld(operation: Operation, requested: URLSearchParams): URLSearchParams {
  const world = Object.entries(wholeWorld(operation));
  if (world.some(([name]) => requested.has(name) && name !== "zoom")) return requested;
  const added = world
    .filter(([name]) => !requested.has(name))
    .map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams([...added, ...requested]);
}

function exampleParameters(operation: Operation, suits: (value: ExampleValue) => boolean): URLSearchParams {
  const values = exampleRequest(operation).inQuery.filter(suits);
  return new URLSearchParams(
    values.flatMap(({ field, value }) => [value].flat().map((each): [string, string] => [field.name, String(each)])),
  );
}

export function requestOf({ method }: Operation, requested: URLSearchParams): JsonObject {
  return Object.fromEntries(
    method.input.fields.flatMap(({ name, jsonName }) => {
      const value = requested.get(name);
      return value === null ? [] : [[jsonName, value]];
    }),
  );
}
