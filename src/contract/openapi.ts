import { type DescField, type DescMessage, getOption, hasOption } from "@bufbuild/protobuf";
import { field as ruleOption } from "@bufbuild/protovalidate/gen/buf/validate/validate_pb.js";
import { GatewayErrorSchema } from "../../gen/es/ids/common/v1/common_pb.ts";
import { services } from "../../gen/es/services.ts";
import { bodyFields, catalog, type Operation } from "./catalog.ts";
import { exampleOf, exampleOfFields } from "./example.ts";
import { idempotencyHeader, idempotencyKeyPattern } from "./idempotency-key.ts";
import { errorBodies, headerComponents, responsesOf } from "./openapi-responses.ts";
import {
  described,
  enumSchema,
  fieldSchema,
  firstSentence,
  type JsonSchema,
  messageSchema,
  reachable,
} from "./schema.ts";

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
        "Public world-event data behind one typed API.",
        "Parameters carry the contract's snake_case names; their lowerCamel twins are read as well. JSON is lowerCamelCase.",
        'Every implicit default is written (`0`, `""`, `false`, `[]`); absent members are left out. A zero alone is never proof of a measured value.',
        "A POST to a read with a JSON object of parameters is taken as its GET (at most 1 MiB, 200 values a list); what cannot be converted is a 400 `{error, parameter}`, and nothing of it is.",
        "Answers made from the sample data carry `X-Data-Origin: sample`. Data that are older than they should be come with `X-Data-Stale: true` and `X-Data-Age`; past a limit of their own they are told with the operation's flag, or as a 503 where it has none. The same holds where a main source was never read (`X-Data-Missing`). In RPC these are metadata of the same names.",
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
          description: "Read when `X-Service-Key` is absent or empty.",
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
  const { method, read, access } = operation;
  const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
  const isInPath = ({ name }: DescField) => operation.inPath.includes(name);
  const parameters = method.input.fields.filter((field) => read || isInPath(field));
  return {
    operationId: operation.name,
    tags: [method.parent.name],
    summary: firstSentence(description),
    description,
    ...(access.anonymous ? { security: [] } : {}),
    parameters: [
      ...parameters.map((field) => parameter(field, isInPath(field))),
      ...(read ? [projection] : [idempotencyKey]),
      prefer,
    ],
    ...(read ? {} : requestBody(operation)),
    responses: responsesOf(operation, body(method.output)),
  };
}

const idempotencyKey: JsonSchema = {
  name: idempotencyHeader,
  in: "header",
  required: false,
  description:
    "1 to 255 visible ASCII characters that name this call: a repetition within 24 hours gets the first answer instead of doing the work again.",
  schema: { type: "string", pattern: idempotencyKeyPattern },
};

const prefer: JsonSchema = {
  name: "Prefer",
  in: "header",
  required: false,
  description: "`handling=strict` refuses parameters that the operation does not know, instead of leaving them alone.",
  schema: { type: "string" },
};

const projection: JsonSchema = {
  name: "jmespath",
  in: "query",
  required: false,
  description: [
    "A [JMESPath](https://jmespath.org) expression that the answer is put through, such as `keys(@)`: at most 1024 bytes of",
    "UTF-8. The answer is then the JSON of what it makes, `null` where nothing matches; at most 262144 bytes.",
  ].join(" "),
  schema: { type: "string" },
};

function parameter(field: DescField, inPath: boolean): JsonSchema {
  const { description, ...schema } = fieldSchema(field, base);
  const required = inPath || (hasOption(field, ruleOption) && getOption(field, ruleOption).required);
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
  const roots = catalog.flatMap(({ method, read, inPath, successStatus }) => [
    ...(successStatus === 204 ? [] : [method.output]),
    ...(read ? [] : inPath.length === 0 ? [method.input] : method.input.fields.flatMap(({ message }) => message ?? [])),
  ]);
  const all = [...reachable([...roots, ...errorBodies, GatewayErrorSchema])].sort((a, b) =>
    a.typeName < b.typeName ? -1 : 1,
  );
  return Object.fromEntries(
    all.map((desc) => [desc.typeName, desc.kind === "message" ? messageSchema(desc, base) : enumSchema(desc)]),
  );
}
