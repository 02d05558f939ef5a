import type { DescField } from "@bufbuild/protobuf";
import type { AnyOperation, Operation } from "../catalog.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../country-parameter.ts";
import { exampleOf } from "../example.ts";
import { isRequired } from "../field-rules.ts";
import { isPaged } from "../file-format.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "../idempotency-key.ts";
import { fieldSchema, type JsonSchema, type SchemaPlace } from "../schema.ts";
import { tablesOf } from "../tables.ts";
import { type Components, component } from "./components.ts";
import { fileParameters } from "./files.ts";

/** Everything that the path and the query of an operation may say. */
export function parametersOf(operation: Operation): readonly JsonSchema[] {
  return [...ownParameters(operation, { base: "", isRequest: true }), ...transportParameters(operation)];
}

/** The fields of the request that the path and the query carry. */
export function ownParameters({ method, queried, inPath }: AnyOperation, place: SchemaPlace): readonly JsonSchema[] {
  const isInPath = ({ name }: DescField) => inPath.includes(name);
  return method.input.fields
    .filter((field) => queried || isInPath(field))
    .map((field) => ownParameter(field, isInPath(field), place));
}

function ownParameter(field: DescField, inPath: boolean, place: SchemaPlace): JsonSchema {
  const { description, ...schema } = fieldSchema(field, place);
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

/** What every read of its kind understands in its query beside its own fields. */
function transportParameters(operation: Operation): readonly JsonSchema[] {
  const { read, queried } = operation;
  if (!queried) return [];
  const tables = read ? tablesOf(operation) : [];
  return [...countryTwin(operation), projection, ...fileParameters(tables, isPaged(operation))];
}

/** The parameters that the transport adds to an operation; those that are alike for many are referred to. */
export function commonParameters(operation: Operation, components: Components): readonly JsonSchema[] {
  const headers = [...(operation.read ? [] : [idempotencyKey]), prefer];
  return [...transportParameters(operation), ...headers].map((parameter) => {
    // Which tables there are is the operation's own.
    if (parameter.name === "rows") return parameter;
    return component(components, "parameters", componentName(parameter, operation), parameter);
  });
}

/** Where there are two of a name, each says which it is. */
function componentName({ name, schema }: JsonSchema, { method }: Operation): string {
  if (name === countryParameter) return `${name}-for-${twinOfCountry(method.input)?.name.replaceAll("_", "-")}`;
  return JSON.stringify(schema).includes('"geojson"') ? "format-of-places" : String(name);
}

/** What stands for the parameter that names the country. */
function countryTwin({ method: { input } }: Operation): JsonSchema[] {
  const twin = twinOfCountry(input);
  if (!twin) return [];
  const description = describeCountry(twin.name);
  return [{ name: countryParameter, in: "query", description, schema: { type: "string" } }];
}

const idempotencyKey: JsonSchema = {
  name: idempotencyHeader,
  in: "header",
  description:
    "1 to 255 visible ASCII characters that identify this call. A repeated call within 24 hours returns the first response without repeating the work.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

/** Of every read. */
export const prefer: JsonSchema = {
  name: "Prefer",
  in: "header",
  description: "`handling=strict` rejects unknown parameters instead of ignoring them.",
  schema: { type: "string" },
};

const projection: JsonSchema = {
  name: "jmespath",
  in: "query",
  description: [
    "[JMESPath](https://jmespath.org) expression that is applied to the response, such as `keys(@)`. At most 1024 UTF-8 bytes.",
    "The response is then the output of the expression, at most 262144 bytes; `null` if nothing matches.",
  ].join(" "),
  schema: { type: "string" },
};
