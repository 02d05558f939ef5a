import type { Operation } from "../../src/contract/catalog.ts";
import type { TestApp } from "./app.ts";

/** What the gateway answers to one call of an operation. */
export interface Decision {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

/** Calls an operation over plain JSON, by its path or by another name of it. */
export async function askRest(
  app: TestApp,
  { path, verb }: Operation,
  key: string | null,
  place = path,
): Promise<Decision> {
  const response = await app.get(place, { key, method: verb });
  return { status: response.status, body: (await response.json()) as Decision["body"], headers: response.headers };
}

/** Calls it over Connect with JSON. */
export async function askConnect(app: TestApp, { method }: Operation, key: string | null): Promise<Decision> {
  const response = await fetch(`${app.url}/${method.parent.typeName}/${method.name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json", ...(key === null ? {} : { "X-Service-Key": key }) },
    body: "{}",
  });
  return { status: response.status, body: (await response.json()) as Decision["body"], headers: response.headers };
}
