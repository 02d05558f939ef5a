import type { DescField, DescMessage } from "@bufbuild/protobuf";
import { GatewayErrorSchema } from "../../../gen/es/ids/common/v1/common_pb.ts";
import { services } from "../../../gen/es/services.ts";
import { bodyFields, catalog, type Operation } from "../catalog.ts";
import { countryParameter, describeCountry, twinOfCountry } from "../country-parameter.ts";
import { exampleOf, exampleOfFields } from "../example.ts";
import { isRequired } from "../field-rules.ts";
import { isPaged } from "../file-format.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "../idempotency-key.ts";
import {
  described,
  enumSchema,
  fieldSchema,
  firstSentence,
  type JsonSchema,
  messageSchema,
  reachable,
} from "../schema.ts";
import { tablesOf } from "../tables.ts";
import { fileContents, fileParameters } from "./files.ts";
import { errorBodies, headerComponents, responsesOf } from "./responses.ts";

/** Version of the interface, which the paths carry the major part of. */
export const interfaceVersion = "1.0.0";

const base = "#/components/schemas/";

/** The OpenAPI 3.1 document of the whole contract. */
export function openApiDocument(): JsonSchema {
  return {
    openapi: "3.1.0",
    info: {
      title: "Intelligence Data Service",
      version: interfaceVersion,
      description: [
        "Public world-event data from one typed API.",
        "Parameters have snake_case names; the lowerCamelCase forms are also accepted. JSON is lowerCamelCase.",
        'Default values are always included (`0`, `""`, `false`, `[]`); absent fields are left out. A zero alone never proves a measured value.',
        "A POST to a read with a JSON object of parameters is converted to a GET (at most 1 MiB and 200 values per list). A body that cannot be converted returns 400 `{error, parameter}`, without partial conversion.",
        "Responses from sample data have `X-Data-Origin: sample`. If data is older than it should be, the response has `X-Data-Stale: true` and `X-Data-Age`. Data past its maximum age is reported by the operation's availability flag, or by a 503 if the operation has none. The same applies if a main source was never read (`X-Data-Missing`). RPC responses have metadata of the same names.",
      ].join("\n\n"),
    },
    servers: [{ url: "/" }],
    tags: Object.values(services).map((service) => ({ name: service.name, ...described(service.typeName) })),
    security: [{ serviceKey: [] }, { apiKey: [] }],
    paths: pathItems(catalog.flatMap(pathsOf)),
    components: {
      securitySchemes: {
        serviceKey: { type: "apiKey", in: "header", name: "X-Service-Key" },
        apiKey: {
          type: "apiKey",
          in: "header",
          name: "X-Api-Key",
          description: "Used if `X-Service-Key` is absent or empty.",
        },
      },
      headers: headerComponents,
      schemas: schemas(),
    },
  };
}

/** Operations of one path are told together. */
function pathItems(paths: readonly (readonly [path: string, item: JsonSchema])[]): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const [path, item] of paths) items[path] = { ...items[path], ...item };
  return items;
}

function pathsOf(operation: Operation): [string, JsonSchema][] {
  const verb = operation.verb.toLowerCase();
  const described = operationObject(operation);
  return [
    [operation.path, { [verb]: described }],
    ...operation.aliases.map((alias): [string, JsonSchema] => [
      alias,
      { [verb]: { ...described, operationId: `${operation.name}Alias`, deprecated: true } },
    ]),
  ];
}

function operationObject(operation: Operation): JsonSchema {
  const { method, read, queried, access } = operation;
  const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
  const tables = read ? tablesOf(operation) : [];
  return {
    operationId: operation.name,
    tags: [method.parent.name],
    summary: firstSentence(description),
    description,
    ...(access.anonymous ? { security: [] } : {}),
    parameters: [...parametersOf(operation), ...(read ? [] : [idempotencyKey]), prefer],
    ...(queried ? {} : requestBody(operation)),
    responses: responsesOf(operation, { "application/json": body(method.output), ...fileContents(tables) }),
  };
}

/** Everything that the path and the query of an operation may say. */
export function parametersOf(operation: Operation): readonly JsonSchema[] {
  const { method, read, queried } = operation;
  const isInPath = ({ name }: DescField) => operation.inPath.includes(name);
  const fields = method.input.fields.filter((field) => queried || isInPath(field));
  const own = fields.map((field) => parameter(field, isInPath(field)));
  if (!queried) return own;
  const tables = read ? tablesOf(operation) : [];
  return [...own, ...countryTwin(operation), projection, ...fileParameters(tables, isPaged(operation))];
}

/** What stands for the parameter that names the country. */
function countryTwin({ method: { input } }: Operation): JsonSchema[] {
  const twin = twinOfCountry(input);
  if (!twin) return [];
  const description = describeCountry(twin.name);
  return [{ name: countryParameter, in: "query", required: false, description, schema: { type: "string" } }];
}

const idempotencyKey: JsonSchema = {
  name: idempotencyHeader,
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters that identify this call. A repeated call within 24 hours returns the first response without repeating the work.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

const prefer: JsonSchema = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "`handling=strict` rejects unknown parameters instead of ignoring them.",
  schema: { type: "string" },
};

const projection: JsonSchema = {
  name: "jmespath",
  in: "query",
  required: false,
  description: [
    "[JMESPath](https://jmespath.org) expression that is applied to the response, such as `keys(@)`. At most 1024 UTF-8 bytes.",
    "The response is then the output of the expression, at most 262144 bytes; `null` if nothing matches.",
  ].join(" "),
  schema: { type: "string" },
};

function parameter(field: DescField, inPath: boolean): JsonSchema {
  const { description, ...schema } = fieldSchema(field, base);
  const required = inPath || isRequired(field);
  const example = exampleOf(field);
  return {
    name: field.name,
    in: inPath ? "path" : "query",
    required,
    ...(field.deprecated ? { deprecated: true } : {}),
    description,
    schema,
    ...(example === undefined ? {} : { example }),
  };
}

/** The request message, without what the path says of it; absent where that is all. */
function requestBody(operation: Operation): JsonSchema {
  const { input } = operation.method;
  const fields = bodyFields(operation);
  if (fields.length === 0) return {};
  const content =
    operation.inPath.length === 0
      ? body(input)
      : { schema: messageSchema(input, base, fields), example: exampleOfFields(fields) };
  return { requestBody: { required: true, content: { "application/json": content } } };
}

function body(desc: DescMessage): JsonSchema {
  return { schema: { $ref: `${base}${desc.typeName}` }, example: exampleOf(desc) };
}

function schemas(): JsonSchema {
  const roots = catalog.flatMap(({ method, queried, inPath, successStatus }) => [
    ...(successStatus === 204 ? [] : [method.output]),
    ...(queried
      ? []
      : inPath.length === 0
        ? [method.input]
        : method.input.fields.flatMap(({ message }) => message ?? [])),
  ]);
  const all = [...reachable([...roots, ...errorBodies, GatewayErrorSchema])].sort((a, b) =>
    a.typeName < b.typeName ? -1 : 1,
  );
  return Object.fromEntries(
    all.map((desc) => [desc.typeName, desc.kind === "message" ? messageSchema(desc, base) : enumSchema(desc)]),
  );
}
