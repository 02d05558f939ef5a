import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { described } from "../support/described.ts";
import { openLoaded } from "../support/loaded.ts";
import { needsOwn } from "../support/needed-query.ts";

interface Pair {
  readonly key: string;
  readonly value: string;
  readonly disabled?: boolean;
}

interface Item {
  readonly name: string;
  readonly request: {
    readonly method: string;
    readonly auth?: { readonly type: string };
    readonly header: readonly Pair[];
    readonly url: {
      readonly raw: string;
      readonly host: readonly string[];
      readonly path: readonly string[];
      readonly query?: readonly Pair[];
      readonly variable?: readonly Pair[];
    };
    readonly body?: { readonly raw: string };
  };
}

const file = new URL("../../gen/postman/collection.json", import.meta.url);
const collection: {
  readonly auth: { readonly apikey: readonly Pair[] };
  readonly variable: readonly Pair[];
  readonly item: readonly { readonly name: string; readonly item: readonly Item[] }[];
} = JSON.parse(readFileSync(file, "utf8"));
const items = collection.item.flatMap((folder) => folder.item);
const operations = new Map(catalog.map((operation) => [operation.name, operation]));

let database: Database;
let app: TestApp;
let apiKey: string;
/** The first key of an account, which may handle the others. */
let ownKey: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  apiKey = await app.key("operator");
  // The account that the examples are about.
  await app.get("/api/account/v1/create-account", { method: "POST", body: '{"id":"acme","plan":"pro_monthly"}' });
  const made = await app.get("/api/account/v1/create-api-key", {
    method: "POST",
    body: '{"name":"own","account":"acme"}',
  });
  ownKey = ((await made.json()) as { secret: string }).secret;
}, 60_000);
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** The request as the program that reads collections sends it. */
function requestOf({ name, request: { method, auth, header, url, body } }: Item) {
  const isOwn = url.raw.includes("/api/account/") && !operations.get(name)?.access.operator;
  const variables = new Map<string, string>([
    ...collection.variable.map(({ key, value }) => [key, value] as const),
    ["baseUrl", app.url],
    ["apiKey", isOwn ? ownKey : apiKey],
    ["$guid", crypto.randomUUID()],
  ]);
  const filled = (text: string) => text.replaceAll(/\{\{([^}]+)\}\}/g, (_whole, name) => variables.get(name) ?? "");
  const member = (name: string) => collection.auth.apikey.find(({ key }) => key === name)?.value ?? "";
  const path = url.path.map((part) => url.variable?.find(({ key }) => part === `:${key}`)?.value ?? part).join("/");
  const query = (url.query ?? [])
    .filter(({ disabled }) => !disabled)
    .map(({ key, value }): [string, string] => [key, value]);
  const search = query.length > 0 ? `?${new URLSearchParams(query)}` : "";
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, filled(value)]));
  if (auth?.type !== "noauth") headers[member("key")] = filled(member("value"));
  return {
    address: `${filled(url.host.join("."))}/${path}${search}`,
    raw: filled(url.raw),
    options: { method, headers, ...(body ? { body: filled(body.raw) } : {}) },
  };
}

test("the collection has every operation once, and asks for an address and a key", () => {
  expect(new Set(items.map(({ name }) => name))).toEqual(new Set(operations.keys()));
  expect(items.length).toBe(operations.size);
  expect(collection.variable.map(({ key }) => key)).toEqual(["baseUrl", "apiKey"]);
});

describe.each(items.map((item) => [item.name, item] as const))("%s", (name, item) => {
  test("its request, sent as it is, gets a documented answer that finds nothing wrong with it", async () => {
    const { address, raw, options } = requestOf(item);
    expect(new URL(raw).search).toBe(new URL(address).search.replaceAll("+", "%20"));
    const response = await app.get(address.slice(app.url.length), { key: null, ...options });
    const operation = operations.get(name);
    const documented = described(operation?.path ?? "", item.request.method).responses;
    expect(Object.keys(documented)).toContain(String(response.status));
    // What an example names may not be there, or be there already; and a caller's own cursor is no example.
    const read = operation && needsOwn(operation) ? [400, 404] : [200];
    expect(operation?.read ? read : [operation?.successStatus, 404, 409]).toContain(response.status);
  });
});
