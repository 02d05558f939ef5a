import { readFileSync } from "node:fs";
import type { Operation } from "../contract/catalog.ts";
import { exampleOf } from "../contract/example.ts";
import { openApiDocument } from "../contract/openapi/openapi.ts";
import type { OperationNotes } from "../contract/openapi/operation-notes.ts";
import type { JsonSchema } from "../contract/rules/json-schema.ts";
import { operationOrigins, originsOf } from "../domains/index.ts";
import { cachePolicy } from "../http/rest/cache-policy.ts";
import { sourcesBehind } from "../ingest/graph.ts";
import { contents } from "../pages/reference/contents.ts";
import { exampleInDocument } from "../pages/reference/example-response.ts";
import { knownLists } from "./known-lists.ts";
import { timesOf } from "./past-reads.ts";

const examplesFile = new URL("../../gen/examples.json", import.meta.url);

export function wholeOpenApiDocument(): JsonSchema {
  const sections = contents((known) => operationOrigins.some(({ method }) => method === known));
  return { ...openApiDocument(sections, operationNotes(), knownLists), "x-licenses": licenses() };
}

function operationNotes(): (operation: Operation) => OperationNotes {
  const examples: Readonly<Record<string, unknown>> = JSON.parse(readFileSync(examplesFile, "utf8"));
  return (operation) => {
    const { name, method } = operation;
    return notesOf(operation, examples[name] ?? exampleInDocument(exampleOf(method.output), method.output));
  };
}

function notesOf(operation: Operation, example: unknown): OperationNotes {
  const origins = originsOf(operation.method);
  const fresh = origins?.datasets.map(({ freshForMinutes }) => freshForMinutes) ?? [];
  const [, maxAge = 0] = /max-age=(\d+)/.exec(cachePolicy(operation).join()) ?? [];
  return {
    maxAgeSeconds: Number(maxAge),
    ...(fresh.length > 0 ? { staleAfterMinutes: Math.min(...fresh) } : {}),
    ...timesOf(operation),
    sources: [...new Set(origins ? sourcesBehind(origins).map(({ name }) => name) : [])],
    example,
  };
}

function licenses(): Readonly<Record<string, string>> {
  return Object.fromEntries(operationOrigins.flatMap(sourcesBehind).map(({ name, license }) => [name, license.terms]));
}
