import type { DescMessage } from "@bufbuild/protobuf";
import { bodyFields, catalog, type Operation, type StreamOperation, streams } from "../catalog.ts";
import { eventBodies } from "../event-types.ts";
import { exampleOf, exampleOfFields } from "../example.ts";
import { problemSchema, problemType } from "../problem.ts";
import type { JsonSchema } from "../rules/json-schema.ts";
import {
  described,
  firstSentence,
  type KnownLists,
  messageSchema,
  reachable,
  type SchemaPlace,
  schemaName,
  schemasOf,
} from "../schema.ts";
import { tablesOf } from "../tables.ts";
import { type Components, component, noComponents } from "./components.ts";
import { eventStreamPath } from "./event-streams.ts";
import { errorBodies } from "./failures.ts";
import { citationContents, fileContents } from "./files.ts";
import { commonHeaders, headerComponents } from "./headers.ts";
import { noteMembers, noteSentences, type OperationNotes } from "./operation-notes.ts";
import { commonParameters, sharedParameters, type TimeMetadata } from "./parameters.ts";
import { responsesOf } from "./responses.ts";
import { callbacks, deliveryTag, webhooks } from "./webhooks.ts";

/** Version of the API. Paths contain its first part. */
export const interfaceVersion = "1.0.0";

const base = "#/components/schemas/";

/** Messages of responses. If a message is also in requests, only its schema for responses has the plain name. */
const responded = reachable(catalog.map(({ method }) => method.output));
const responses: SchemaPlace = { base, isRequest: false };
const sent = reachable(catalog.filter(({ queried }) => !queried).map(({ method }) => method.input));

/** A group of related operations, in the order of the documentation. */
export interface Section {
  readonly title: string;
  readonly operations: readonly Operation[];
}

const services = [...Map.groupBy(catalog, ({ method }) => method.parent)].map(
  ([{ name }, operations]): Section => ({ title: name, operations }),
);

export function openApiDocument(
  sections: readonly Section[] = services,
  notesOf?: (operation: Operation) => OperationNotes,
  known: KnownLists = new Map(),
): JsonSchema {
  const components = noComponents();
  const requests: SchemaPlace = { base, isRequest: true, responded, known, closed: sent };
  const paths = sections.flatMap(({ title, operations }) => [
    ...operations.flatMap((operation) =>
      pathsOf(operation, { title, components, requests, notes: notesOf?.(operation) }),
    ),
    ...streamsOf(operations).map((stream) => eventStreamPath(stream, { title, components, requests })),
  ]);
  return {
    openapi: "3.1.0",
    info: {
      title: "Intelligence Data Service",
      version: interfaceVersion,
      description: [
        "Public world-event data from one typed API.",
        "Parameters have snake_case names; the lowerCamelCase forms are also accepted. JSON is lowerCamelCase.",
        'Default values are always included (`0`, `""`, `false`, `[]`); absent fields are left out. A zero does not prove a measured value.',
        "A POST to a read with a JSON object of parameters is converted to a GET (at most 1 MiB and 200 values per list). A body that cannot be converted returns 400 `{error, parameter}`, without partial conversion.",
        "Each response lists its headers, except those that `x-response-headers` names for all. `x-licenses` has the terms of the sources that `x-sources` of an operation names.",
        "If `Accept` names `application/problem+json`, failures are problem details (RFC 9457), described by the response `Problem`.",
        "Responses from sample data have `X-Data-Origin: sample`. If data is older than it should be, the response has `X-Data-Stale: true` and `X-Data-Age`. Data past its maximum age is reported by the operation's availability flag, or by a 503 if the operation has none. The same applies if a main source was never read (`X-Data-Missing`). RPC responses have metadata of the same names.",
      ].join("\n\n"),
      contact: { name: "Operator of this service" },
    },
    servers: [{ url: "/" }],
    tags: [...sections.map(tagOf), deliveryTag],
    "x-response-headers": commonHeaders,
    security: [{ serviceKey: [] }, { apiKey: [] }],
    paths: pathItems(paths),
    webhooks: webhooks(components),
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
      parameters: sorted(components.parameters),
      // Problem details are described as one extra component. As a second JSON type in each response, they would change
      // the code that generators write for every failure.
      responses: {
        ...sorted(components.responses),
        Problem: { description: "Any failure.", content: { [problemType]: { schema: problemSchema } } },
      },
      schemas: inOrderOfUse(
        new Map([...components.schemas, ...Object.entries(schemas(requests)), ...valueSchemas(known)]),
        pathItems(paths),
      ),
    },
  };
}

function streamsOf(operations: readonly Operation[]): readonly StreamOperation[] {
  return streams.filter((stream) => operations.some(({ method }) => method.parent === stream.method.parent));
}

/** Merges operations with the same path into one path item. */
function pathItems(paths: readonly (readonly [path: string, item: JsonSchema])[]): JsonSchema {
  const items: Record<string, JsonSchema> = {};
  for (const [path, item] of paths) items[path] = { ...items[path], ...item };
  return items;
}

/** Sorts schemas by first use, because the document compresses better if similar schemas are adjacent. */
function inOrderOfUse(members: ReadonlyMap<string, JsonSchema>, from: JsonSchema): Record<string, JsonSchema> {
  const inOrder: Record<string, JsonSchema> = {};
  const visit = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [name, inner] of Object.entries(value)) {
      const schema = name === "$ref" && typeof inner === "string" && inner.startsWith(base) && inner.slice(base.length);
      const found = schema ? members.get(schema) : undefined;
      if (schema && found && !(schema in inOrder)) {
        inOrder[schema] = found;
        visit(found);
      } else visit(inner);
    }
  };
  visit(from);
  // Schemas that were not visited are used only by webhooks and shared responses.
  return { ...inOrder, ...sorted(members) };
}

function sorted(members: ReadonlyMap<string, JsonSchema>): Record<string, JsonSchema> {
  return Object.fromEntries([...members].sort(([a], [b]) => (a < b ? -1 : 1)));
}

function tagOf({ title, operations }: Section): JsonSchema {
  if (operations.every(({ access }) => access.operator))
    return { name: title, description: "Operations that only the operator's key may call." };
  return { name: title, ...described(operations[0]?.method.parent.typeName ?? "") };
}

interface Telling {
  readonly title: string;
  readonly components: Components;
  readonly requests: SchemaPlace;
  readonly notes: OperationNotes | undefined;
}

function pathsOf(operation: Operation, telling: Telling): [string, JsonSchema][] {
  const verb = operation.verb.toLowerCase();
  const described = operationObject(operation, telling);
  return [
    [operation.path, { [verb]: described }],
    ...operation.aliases.map((alias): [string, JsonSchema] => [
      alias,
      {
        [verb]: {
          ...described,
          description: `The same as \`${operation.path}\`.`,
          operationId: `${operation.name}Alias`,
          deprecated: true,
        },
      },
    ]),
  ];
}

/** Used if the document is written without notes on operations: no read is described as having past data or updates. */
const onlyNow: TimeMetadata = { hasPast: false, hasUpdates: false };

function operationObject(operation: Operation, { title, components, requests, notes }: Telling): JsonSchema {
  const { method, read, queried, access } = operation;
  const { description = "" } = described(`${method.parent.typeName}.${method.name}`);
  const summary = firstSentence(description);
  const rest = description.slice(summary.length).trim();
  const tables = read ? tablesOf(operation) : [];
  return {
    operationId: operation.name,
    tags: [title],
    summary,
    description: [rest, notes ? noteSentences(operation, notes) : ""].filter((text) => text !== "").join("\n\n"),
    ...(notes ? noteMembers(operation, notes) : {}),
    ...(access.anonymous ? { security: [] } : {}),
    parameters: [
      ...sharedParameters(operation, requests, components),
      ...commonParameters(operation, components, notes ?? onlyNow),
    ],
    ...(queried ? {} : requestBody(operation, components, requests)),
    ...callbacks(operation, components),
    responses: responsesOf(
      operation,
      {
        "application/json": { ...body(method.output), example: notes?.example ?? exampleOf(method.output) },
        ...fileContents(tables),
        ...(read && queried && citationContents),
      },
      notes ?? onlyNow,
      components,
    ),
  };
}

/** Describes the request body, which excludes path parameters; undefined if it has no members. */
function requestBody(operation: Operation, components: Components, requests: SchemaPlace): JsonSchema {
  const { input } = operation.method;
  const fields = bodyFields(operation);
  if (fields.length === 0) return {};
  const content =
    operation.inPath.length === 0
      ? body(input)
      : {
          schema: component(components, "schemas", `${schemaName(input)}Body`, {
            ...messageSchema(input, requests, fields),
            examples: [exampleOfFields(fields)],
          }),
        };
  return { requestBody: { required: true, content: { "application/json": content } } };
}

function body(desc: DescMessage): JsonSchema {
  return { schema: { $ref: `${base}${schemaName(desc)}` } };
}

/** Adds an example to a schema. Next to the schema, openapi-generator would warn about it. */
function withExample(schemas: Record<string, JsonSchema>, desc: DescMessage): Record<string, JsonSchema> {
  const name = schemaName(desc);
  return { ...schemas, [name]: { ...schemas[name], examples: [exampleOf(desc)] } };
}

function valueSchemas(known: KnownLists): [name: string, JsonSchema][] {
  return [...known.values()].flatMap(({ name, values }) => (name ? [[name, { type: "string", enum: values }]] : []));
}

function schemas(requests: SchemaPlace): Record<string, JsonSchema> {
  const writes = catalog.filter(({ queried }) => !queried);
  const bodies = writes.filter(({ inPath }) => inPath.length === 0).map(({ method }) => method.input);
  const inBodies = writes
    .filter(({ inPath }) => inPath.length > 0)
    .flatMap(({ method }) => method.input.fields.flatMap(({ message }) => message ?? []));
  const respondedBodies = catalog.flatMap(({ method, successStatus }) =>
    successStatus === 204 ? [] : [method.output],
  );
  // The fields of a query become parameters. Schemas to which they refer are included, but not that of the query
  // itself.
  const queries = catalog.filter(({ queried }) => queried).map(({ method }) => method.input);
  const { ...chosen } = schemasOf(queries, requests);
  for (const query of queries) delete chosen[schemaName(query)];
  const found = {
    ...schemasOf([...respondedBodies, ...errorBodies, ...eventBodies], responses),
    ...schemasOf([...bodies, ...inBodies], requests),
    ...chosen,
  };
  return [...bodies, ...eventBodies].reduce(withExample, found);
}
