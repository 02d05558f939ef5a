import type { DescField } from "@bufbuild/protobuf";
import type { Operation } from "../catalog.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../country-parameter.ts";
import { exampleOf } from "../example.ts";
import { isRequired } from "../field-rules.ts";
import { isPaged } from "../file-format.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "../idempotency-key.ts";
import { fieldSchema, type JsonSchema, type SchemaPlace } from "../schema.ts";
import type { Table } from "../tables.ts";
import { type Components, component } from "./components.ts";
import { fileParameters } from "./files.ts";

/** A parameter that is a field of the request. */
export function ownParameter(field: DescField, inPath: boolean, place: SchemaPlace): JsonSchema {
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

/** The parameters that the transport adds to an operation; those that are alike for many are referred to. */
export function commonParameters(
  operation: Operation,
  tables: readonly Table[],
  components: Components,
): readonly JsonSchema[] {
  const { read, queried } = operation;
  const shared = (parameter: JsonSchema, name = String(parameter.name)) =>
    component(components, "parameters", name, parameter);
  const files = queried ? fileParameters(tables, isPaged(operation)) : [];
  return [
    ...(queried
      ? [...countryTwin(operation).map((twin) => shared(twin, countryName(operation))), shared(projection)]
      : []),
    ...files.map((parameter) => {
      // Which tables there are is the operation's own.
      if (parameter.name === "rows") return parameter;
      const hasPlaces = JSON.stringify(parameter.schema).includes('"geojson"');
      return shared(parameter, hasPlaces ? "formatOfPlaces" : undefined);
    }),
    ...(read ? [] : [shared(idempotencyKey)]),
    shared(prefer),
  ];
}

/** What stands for the parameter that names the country. */
function countryTwin({ method: { input } }: Operation): JsonSchema[] {
  const twin = twinOfCountry(input);
  if (!twin) return [];
  const description = describeCountry(twin.name);
  return [{ name: countryParameter, in: "query", description, schema: { type: "string" } }];
}

/** It says what it stands for. */
function countryName({ method: { input } }: Operation): string {
  return `${countryParameter}-for-${twinOfCountry(input)?.name.replaceAll("_", "-")}`;
}

const idempotencyKey: JsonSchema = {
  name: idempotencyHeader,
  in: "header",
  description:
    "1 to 255 visible ASCII characters that identify this call. A repeated call within 24 hours returns the first response without repeating the work.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

const prefer: JsonSchema = {
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
