import type { AnyOperation } from "../../contract/catalog.ts";
import { resolved } from "../../contract/openapi/components.ts";
import { openApiDocument } from "../../contract/openapi/openapi.ts";
import { type TimeMetadata, timeParameters } from "../../contract/openapi/parameters.ts";
import type { JsonSchema } from "../../contract/rules/json-schema.ts";

export interface DescribedOperation {
  readonly summary: string;
  readonly description: string;
  readonly parameters: readonly DescribedParameter[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly description: string; readonly content?: Content }>>;
}

export interface DescribedParameter {
  readonly name: string;
  readonly in: "path" | "query" | "header";
  readonly required?: boolean;
  readonly deprecated?: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

interface Content {
  readonly "application/json": { readonly example?: unknown };
}

interface Document {
  readonly info: { readonly version: string; readonly description: string };
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>;
}

let made: Document | undefined;

/** Returns the OpenAPI document, as served at `/openapi.json`. */
export function contractDocument(): Document {
  made ??= openApiDocument() as unknown as Document;
  return made;
}

/** Returns the OpenAPI description of an operation. `times` adds parameters for past states and changes of data. */
export function describedOperation({ name, path, verb }: AnyOperation, times?: TimeMetadata): DescribedOperation {
  const document = contractDocument();
  const found = document.paths[path]?.[verb.toLowerCase()];
  if (!found) throw new Error(`${name} is not described`);
  const whole = <T>(value: T): T => resolved(document, value);
  return {
    ...found,
    parameters: [...found.parameters.map(whole), ...(times ? timeParameters(times) : [])],
    responses: Object.fromEntries(
      Object.entries(found.responses).map(([status, response]) => [status, whole(response)]),
    ),
  };
}
