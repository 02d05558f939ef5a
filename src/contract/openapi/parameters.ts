import type { DescField } from "@bufbuild/protobuf";
import { asOfParameter } from "../as-of.ts";
import { type AnyOperation, catalog, type Operation } from "../catalog.ts";
import { citationForms, citeParameter } from "../citation.ts";
import { exampleOf } from "../example.ts";
import { hasAllPages } from "../file-format.ts";
import { countryParameter, describeCountry, groupOf, twinOfCountry } from "../request/country-parameter.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "../request/idempotency-key.ts";
import { maxExpressionBytes, maxSearchCharacters } from "../request/request-size.ts";
import { requestTimeForm } from "../request/request-time.ts";
import { isRequired } from "../rules/field-rules.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import { fieldSchema, type SchemaPlace } from "../schema.ts";
import { tablesOf } from "../tables.ts";
import { updatedAfterParameter } from "../updated-after.ts";
import { type Components, component } from "./components.ts";
import { fileParameters } from "./files.ts";

export interface TimeMetadata {
  readonly hasPast: boolean;
  readonly hasUpdates: boolean;
}

export function parametersOf(operation: Operation, times: TimeMetadata): readonly JsonSchema[] {
  return [...ownParameters(operation, { base: "", isRequest: true }), ...transportParameters(operation, times)];
}

export function ownParameters({ method, queried, inPath }: AnyOperation, place: SchemaPlace): readonly JsonSchema[] {
  const isInPath = ({ name }: DescField) => inPath.includes(name);
  return method.input.fields
    .filter((field) => queried || isInPath(field))
    .map((field) => ownParameter(field, isInPath(field), place));
}

/** Replaces parameters that several paths share by references. */
export function sharedParameters(
  operation: Operation,
  place: SchemaPlace,
  components: Components,
): readonly JsonSchema[] {
  return ownParameters(operation, place).map((parameter) => {
    const { times, first } = occurrences(place).get(JSON.stringify(parameter)) ?? { times: 1, first: "" };
    return times > 1 ? component(components, "parameters", `${parameter.name}-of-${first}`, parameter) : parameter;
  });
}

interface Occurrence {
  readonly times: number;
  readonly first: string;
}

const counted = new WeakMap<SchemaPlace, ReadonlyMap<string, Occurrence>>();

function occurrences(place: SchemaPlace): ReadonlyMap<string, Occurrence> {
  const known = counted.get(place);
  if (known) return known;
  const found = new Map<string, Occurrence>();
  for (const operation of catalog)
    for (const parameter of ownParameters(operation, place)) {
      const json = JSON.stringify(parameter);
      const { times, first } = found.get(json) ?? { times: 0, first: operation.name };
      found.set(json, { times: times + 1 + operation.aliases.length, first });
    }
  counted.set(place, found);
  return found;
}

function ownParameter(field: DescField, inPath: boolean, place: SchemaPlace): JsonSchema {
  const { description, ...bounded } = fieldSchema(field, place);
  const schema = inPath || isRequired(field) ? bounded : orEmpty(bounded);
  const example = exampleOf(field);
  return {
    name: field.name,
    in: inPath ? "path" : "query",
    ...(inPath || isRequired(field) ? { required: true } : {}),
    ...(field.deprecated ? { deprecated: true } : {}),
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/** Allows an empty value, because it counts as absent. */
function orEmpty(schema: JsonSchema): JsonSchema {
  const { pattern } = schema;
  return typeof pattern === "string" && !new RegExp(pattern, "u").test("")
    ? { ...schema, pattern: `^$|${pattern}` }
    : schema;
}

/** Returns the query parameters that every read has in addition to its fields. */
function transportParameters(operation: Operation, times: TimeMetadata): readonly JsonSchema[] {
  const { read, queried } = operation;
  if (!queried) return [];
  const tables = read ? tablesOf(operation) : [];
  return [
    ...countryTwin(operation),
    projection,
    ...timeParameters(times),
    ...(read ? [cite] : []),
    ...fileParameters(tables, hasAllPages(operation)),
  ];
}

/** Returns the common parameters of an operation. Those of several operations are references. */
export function commonParameters(
  operation: Operation,
  components: Components,
  times: TimeMetadata,
): readonly JsonSchema[] {
  const headers = [...(operation.read ? [] : [idempotencyKey]), prefer];
  return [...transportParameters(operation, times), ...headers].map((parameter) => {
    // The allowed values of `rows` differ between operations, so the parameter is not shared.
    if (parameter.name === "rows") return parameter;
    return component(components, "parameters", componentName(parameter, operation), parameter);
  });
}

/** Formats that only some reads offer, and what the rows of these reads contain. */
const rareFormats = [
  ["geojson", "places"],
  ["ics", "days"],
] as const;

/** Returns a component name that distinguishes parameters with the same name. */
function componentName({ name, schema }: JsonSchema, { method }: Operation): string {
  const twin = name === countryParameter ? twinOfCountry(method.input) : undefined;
  if (twin) {
    const group = groupOf(twin);
    return `${name}-for-${twin.name.replaceAll("_", "-")}${group ? `-of-${group.slug}` : ""}`;
  }
  const special = rareFormats.filter(([format]) => JSON.stringify(schema).includes(`"${format}"`));
  return special.length === 0 ? String(name) : `${name}-of-${special.map(([, rows]) => rows).join("-and-")}`;
}

function countryTwin({ method: { input } }: Operation): JsonSchema[] {
  const twin = twinOfCountry(input);
  if (!twin) return [];
  const description = describeCountry(twin);
  return [{ name: countryParameter, in: "query", description, schema: { type: "string" } }];
}

const idempotencyKey: JsonSchema = {
  name: idempotencyHeader,
  in: "header",
  description:
    "1 to 255 visible ASCII characters that identify this call. A repeated call within 24 hours returns the first response without repeating the work.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

export const prefer: JsonSchema = {
  name: "Prefer",
  in: "header",
  description:
    "`handling=strict` rejects unknown parameters, and several values of a single-value parameter, instead of ignoring them.",
  schema: { type: "string" },
};

/** Returns `as_of` and `updated_after`, for reads with stored versions or stored changes. */
export function timeParameters({ hasPast, hasUpdates }: TimeMetadata) {
  return [...(hasPast ? [asOf] : []), ...(hasUpdates ? [updatedAfter] : [])];
}

function timeParameter(name: string, description: string) {
  return { name, in: "query" as const, description, schema: { type: "string", pattern: requestTimeForm.source } };
}

const asOf = timeParameter(
  asOfParameter,
  "Day (its end) or RFC 3339 time of the requested data, as it was visible then. For times more than 7 days ago, the end of the previous UTC day is used. `X-As-Of` contains the time that was used. The maximum age depends on the plan. In RPC, metadata `X-As-Of`.",
);

const updatedAfter = timeParameter(
  updatedAfterParameter,
  "Only rows that appeared or changed after this time: a day, from 00:00 UTC, or an RFC 3339 time, at most 7 days ago. Send the `X-Updated-At` of an earlier response to miss nothing; ListChanges lists rows that vanished. Counts and other members describe the whole response. In RPC, metadata `X-Updated-After`.",
);

const cite: JsonSchema = {
  name: citeParameter,
  in: "query",
  description:
    "Returns a citation of the response instead: sources and terms, its address with `as_of`, the SHA-256 of its bytes, and the date until which the address returns them. `ids verify` of this program compares the digest. Reads without `as_of` have no such date. Excludes `all`.",
  schema: { type: "string", enum: [...citationForms] },
};

const projection: JsonSchema = {
  name: "jmespath",
  in: "query",
  description: [
    `[JMESPath](https://jmespath.org) expression that is applied to the response, such as \`keys(@)\`. At most ${maxExpressionBytes} UTF-8 bytes; a text that it searches for has at most ${maxSearchCharacters} characters.`,
    "The response is then the output of the expression: JSON of any type, at most 262144 bytes; `null` if nothing matches.",
  ].join(" "),
  schema: { type: "string", maxLength: maxExpressionBytes },
};
