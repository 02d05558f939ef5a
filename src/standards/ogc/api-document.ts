import { type DescField, ScalarType } from "@bufbuild/protobuf";
import { asOfParameter } from "../../contract/as-of.ts";
import { interfaceVersion } from "../../contract/openapi/openapi.ts";
import { described } from "../../contract/schema.ts";
import type { Collection } from "./collections.ts";
import { systems } from "./crs.ts";
import { apiType, geojsonType, htmlType, jsonType, type LinkedDocument, type Requested } from "./documents.ts";
import { limits } from "./features-query.ts";

type Schema = Readonly<Record<string, unknown>>;

type Parameter = ReturnType<typeof parameter>;

/** Returns the OpenAPI 3.0 document of all resources, with a path per collection. Its HTML page has a short form. */
export function apiDocument({ origin, format }: Requested, collections: readonly Collection[]): LinkedDocument {
  const title = "Intelligence Data Service: OGC API - Features";
  const description = "Access and limits are those of the reads that the features come from.";
  const paths: [string, PathItem][] = [
    ["/", operation("getLandingPage", "Landing page", schemaOf("landingPage"))],
    ["/conformance", operation("getConformance", "Conformance classes", schemaOf("confClasses"))],
    ["/api", operation("getApi", "This document", { type: "object" }, { type: apiType })],
    ["/collections", operation("listCollections", "Collections of features", schemaOf("collections"))],
    ...collections.flatMap(pathsOf),
  ];
  if (format === "html") return { title, description, ...summaryOf(paths) };
  return {
    openapi: "3.0.3",
    info: { title, description, version: interfaceVersion },
    servers: [{ url: `${origin}/ogc` }],
    paths: Object.fromEntries(paths),
    components: { schemas, securitySchemes: { key: { type: "apiKey", in: "header", name: "X-Service-Key" } } },
  };
}

function summaryOf(paths: readonly [string, PathItem][]) {
  const parameters = paths.flatMap(([, { get }]) => get.parameters.map((own) => [own.name, own] as const));
  const operations = paths.map(([path, { get }]) => {
    const names = get.parameters.map(({ name }) => name).join(", ");
    return { path, summary: get.summary, parameters: names, statuses: Object.keys(get.responses).join(", ") };
  });
  return { operations, parameters: [...new Map(parameters).values()] };
}

function pathsOf({ id, title, operation: { access, name }, ...collection }: Collection): [string, PathItem][] {
  const asOf = collection.hasPast ? [parameter(asOfParameter, text, "Day or time whose data are returned.")] : [];
  const filters = collection.parameters.filters.map(filterParameter);
  const featureId = { ...parameter("featureId", text, "ID."), in: "path", required: true, style: "simple" };
  const common = {
    ...{ type: geojsonType, failures: [401, 403, 404, 410, 503] },
    security: access.anonymous ? [] : [{ key: [] }],
  };
  const page = { ...common, parameters: [limit, bbox, boxCrs, crs, datetime, cursor, ...asOf, ...filters] };
  const one = { ...common, parameters: [featureId, crs, ...asOf] };
  const path = `/collections/${id}`;
  return [
    [path, operation(`get${name}Collection`, title, schemaOf("collection"))],
    [`${path}/items`, operation(`get${name}Features`, `${title}: page`, schemaOf("features"), page)],
    [`${path}/items/{featureId}`, operation(`get${name}Feature`, `${title}: one`, schemaOf("feature"), one)],
  ];
}

type PathItem = ReturnType<typeof operation>;

interface OperationOptions {
  readonly type?: string;
  readonly parameters?: readonly Parameter[];
  readonly security?: readonly Schema[];
  readonly failures?: readonly number[];
}

function operation(operationId: string, summary: string, schema: Schema, options: OperationOptions = {}) {
  const { type = jsonType, parameters = [], failures = [], security = [] } = options;
  const success = { description: summary, content: { [type]: { schema }, [htmlType]: { schema: text } } };
  const failure = { description: "Exception", content: { [jsonType]: { schema: schemaOf("exception") } } };
  const failed = [400, 406, 429, 500, ...failures].map((status) => [status, failure]);
  const responses = { 200: success, ...Object.fromEntries(failed) };
  return { get: { operationId, summary, security, parameters: [...parameters, formats], responses } };
}

const text = { type: "string" };
const schemaOf = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` });
const listOf = (items: Schema): Schema => ({ type: "array", items });
const object = (required: readonly string[], properties: Schema): Schema => ({ type: "object", required, properties });
const links = listOf(schemaOf("link"));
const about = { title: text, description: text, links };
const extent = { type: "object" };
const count = { type: "integer", minimum: 0 };
const counts = { numberMatched: count, numberReturned: count, timeStamp: { type: "string", format: "date-time" } };

/** The schemas of the OGC standard, with the members that the responses of this service have. */
const schemas = {
  link: object(["href", "rel"], { href: text, rel: text, type: text, title: text }),
  exception: object(["code"], { code: text, description: text }),
  landingPage: object(["links"], about),
  confClasses: object(["conformsTo"], { conformsTo: listOf(text) }),
  collections: object(["links", "collections"], { links, collections: listOf(schemaOf("collection")) }),
  collection: object(["id", "links"], {
    id: text,
    ...about,
    extent,
    itemType: text,
    crs: listOf(text),
    storageCrs: text,
  }),
  feature: object(["type", "geometry", "properties"], {
    ...{ type: text, id: {}, geometry: { type: "object", nullable: true }, properties: { type: "object" }, links },
  }),
  features: object(["type", "features"], { type: text, features: listOf(schemaOf("feature")), links, ...counts }),
};

function parameter(name: string, schema: Schema, description: string) {
  return { name, in: "query", required: false, description, schema, style: "form", explode: false };
}

const formats = parameter("f", { type: "string", enum: ["json", "html"] }, "Format. Default: by the `Accept` header.");
const pageSize = { type: "integer", minimum: limits.min, maximum: limits.max, default: limits.default };
const limit = parameter(
  "limit",
  pageSize,
  `Maximum number of features. More than the maximum means the maximum, which is ${limits.maxInHtml} in HTML.`,
);
const lengths = [4, 6].map((items) => ({ minItems: items, maxItems: items }));
const bbox = parameter(
  "bbox",
  { type: "array", oneOf: lengths, items: { type: "number" } },
  "West, south, east, north in degrees, or in the order of `bbox-crs`. If west is greater than east, the box crosses the antimeridian.",
);
const anyCrs = { type: "string", enum: systems, default: systems[0] };
const boxCrs = parameter("bbox-crs", anyCrs, "Coordinate reference system of `bbox`.");
const crs = parameter("crs", anyCrs, "Coordinate reference system of the response.");
const datetime = parameter("datetime", text, "Time or day, or an interval such as `2026-03-01/..`.");
const cursor = parameter("cursor", text, "From a `next` link. After a change of the data, the response is 410.");

function filterParameter(field: DescField) {
  const { description = "" } = described(`${field.parent.typeName}.${field.name}`);
  const schema = field.fieldKind === "list" ? listOf(text) : text;
  return parameter(field.name, field.scalar === ScalarType.BOOL ? { type: "boolean" } : schema, description);
}
