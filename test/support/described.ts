import { readFileSync } from "node:fs";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";
import formats from "ajv-formats";
import { resolved } from "../../src/contract/openapi/components.ts";
import { problemSchema, problemType } from "../../src/contract/problem.ts";

/** A JSON Schema of the document. */
export interface Schema {
  readonly [keyword: string]: unknown;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly pattern?: string;
  /** The items of an array. */
  readonly items?: Schema;
}

export interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly schema: Schema;
  readonly example?: unknown;
}

interface Content {
  readonly "application/json": { readonly schema: Schema; readonly example?: unknown };
}

/** One operation in the OpenAPI document. */
export interface Described {
  readonly operationId: string;
  readonly description: string;
  readonly deprecated?: boolean;
  readonly security?: readonly unknown[];
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly headers?: object; readonly content?: Content }>>;
}

interface Document {
  readonly openapi: string;
  readonly info: { readonly version: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  /** Headers that any answer may have. */
  readonly "x-response-headers": readonly string[];
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A generated file of the contract's documentation. */
export const documentFile = (name: string): string =>
  readFileSync(new URL(`../../gen/openapi/${name}`, import.meta.url), "utf8");

export const document: Document = withComponents(JSON.parse(documentFile("openapi.json")));

/** The same document with what operations share in each of them. */
function withComponents(whole: Document & Record<string, unknown>): Document {
  const inPlace = <T>(value: T): T => resolved(whole, value);
  const operation = ({ parameters, responses, ...rest }: Described): Described => ({
    ...rest,
    parameters: parameters.map((each) => {
      const { schema, ...parameter } = inPlace(each);
      const { items, ...own } = inPlace(schema);
      return { ...parameter, schema: items ? { ...own, items: inPlace(items) } : own };
    }),
    responses: Object.fromEntries(Object.entries(responses).map(([status, response]) => [status, inPlace(response)])),
  });
  const item = (verbs: Document["paths"][string]) =>
    Object.fromEntries(Object.entries(verbs).map(([verb, each]) => [verb, operation(each)]));
  return {
    ...whole,
    paths: Object.fromEntries(Object.entries(whole.paths).map(([path, verbs]) => [path, item(verbs)])),
  };
}

/** A validator of the document's schemas, with everything they do not name forbidden. */
const ajv = new Ajv2020({ strict: false, allErrors: true });
formats.default(ajv);
ajv.addSchema({ components: { schemas: closed(document.components.schemas) } }, "document");
const compiled = new Map<string, ValidateFunction>();

/** The same schemas without room for members they do not name. */
function closed(schemas: Document["components"]["schemas"]): unknown {
  return JSON.parse(JSON.stringify(schemas), (_key, value) =>
    value?.type === "object" && value.properties ? { ...value, additionalProperties: false } : value,
  );
}

/** What of the value is not as the schema says; empty when all of it is. */
export function faults(schema: Schema, value: unknown): string {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
  compiled.set(absolute, validate);
  return validate(value) ? "" : ajv.errorsText(validate.errors);
}

/** The places of a request's body that are not as the schema says: `companies[].name`. */
export function faultsInBody(schema: Schema, body: unknown): string[] {
  const absolute = JSON.stringify(schema).replaceAll('"#/', '"document#/');
  const validate = compiled.get(absolute) ?? ajv.compile(JSON.parse(absolute));
  compiled.set(absolute, validate);
  if (validate(body)) return [];
  return (validate.errors ?? []).map(({ instancePath, params }) => {
    const place = [...instancePath.split("/").slice(1), ...(params.missingProperty ? [params.missingProperty] : [])];
    return place.join(".").replaceAll(/\.\d+/g, "[]");
  });
}

/** The schema of a request's body, and its example. */
export function bodyOf(path: string, verb: string): { schema: Schema; example: Record<string, unknown> } {
  const { schema } = described(path, verb).requestBody?.content["application/json"] ?? {};
  if (!schema) throw new Error(`${verb} ${path} has no body`);
  const { examples } = resolved<{ examples: Record<string, unknown>[] }>({ ...document }, schema as never);
  return { schema, example: examples[0] ?? {} };
}

/** How the document describes an operation. */
export function described(path: string, verb = "GET"): Described {
  const found = document.paths[path]?.[verb.toLowerCase()];
  if (!found) throw new Error(`${verb} ${path} is not described`);
  return found;
}

/** The content of a status, or of any other. */
export function contentOf({ responses }: Described, status: number): Content["application/json"] {
  const { content } = responses[status] ?? responses.default ?? {};
  if (!content) throw new Error(`${status} is not described`);
  return content["application/json"];
}

/** Headers of the answer that its description does not name, but for those that every HTTP answer has. */
export function undocumented(response: Response, { responses }: Described): string[] {
  const named = Object.keys((responses[response.status] ?? responses.default)?.headers ?? {});
  const known = new Set([...named, ...document["x-response-headers"]].map((name) => name.toLowerCase()));
  const common = /^(access-control-|connection$|keep-alive$|date$|transfer-encoding$|content-(type|length|encoding)$)/;
  return [...response.headers.keys()].filter((name) => !known.has(name) && !common.test(name));
}

/** Fails unless the answer of a described path is as the document says: status, headers and body. */
export async function check(url: string, verb: string, response: Response): Promise<void> {
  const path = new URL(url).pathname.replace(/(?<=.)\/$/, "");
  const verbs = document.paths[path];
  if (!verbs || verb === "OPTIONS") return;
  const operation = verbs[verb === "HEAD" ? "get" : verb.toLowerCase()] ?? Object.values(verbs)[0];
  if (!operation) return;
  const found = undocumented(response, operation);
  if (found.length > 0) throw new Error(`${verb} ${path} ${response.status} has undocumented headers: ${found}`);
  const { content } = operation.responses[response.status] ?? operation.responses.default ?? {};
  // That a POST to a read cannot be taken as its GET is said in words only: the document lists no such POST.
  const isUnconverted = verb === "POST" && !verbs.post && response.status === 400;
  if (!content || verb === "HEAD" || isUnconverted) return;
  const mediaType = response.headers.get("content-type")?.split(";")[0] ?? "";
  if (response.ok && mediaType !== "application/json") {
    if (!(mediaType in content)) throw new Error(`${verb} ${path} answers ${mediaType}, which is not documented`);
    return;
  }
  const isProjected = response.ok && new URL(url).searchParams.get("jmespath");
  const { schema } = mediaType === problemType ? { schema: problemSchema } : content["application/json"];
  const fault = isProjected ? "" : faults(schema, await response.clone().json());
  if (fault !== "") throw new Error(`${verb} ${path} ${response.status} is not as documented: ${fault}`);
}
