import type { Operation } from "../../../src/contract/catalog.ts";
import { exampleOf } from "../../../src/contract/example.ts";
import type { TestApp } from "../app.ts";
import { filledPath } from "../needed-query.ts";

/** The gateway's response to one call of an operation. */
export interface Decision {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** Calls an operation over plain JSON, by its path or by another name of it. */
export async function requestRest(
  app: TestApp,
  operation: Operation,
  key: string | null,
  place = filledPath(operation),
): Promise<Decision> {
  const response = await app.get(place, { key, method: operation.verb });
  const text = await response.text();
  return { status: response.status, body: text === "" ? {} : JSON.parse(text), headers: response.headers };
}

/** Calls it over Connect with JSON. */
export async function requestConnect(
  app: TestApp,
  { method, inPath }: Operation,
  key: string | null,
): Promise<Decision> {
  const said = method.input.fields.filter(({ name }) => inPath.includes(name));
  const response = await fetch(`${app.url}/${method.parent.typeName}/${method.name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === null ? {} : { "X-Service-Key": key }) },
    body: JSON.stringify(Object.fromEntries(said.map((field) => [field.jsonName, exampleOf(field)]))),
  });
  return { status: response.status, body: (await response.json()) as Decision["body"], headers: response.headers };
}
