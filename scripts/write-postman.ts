// Writes the contract as a Postman collection (v2.1): a folder a service, every operation with its examples filled in.
import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import type { DescField } from "@bufbuild/protobuf";
import { services } from "../gen/es/services.ts";
import { bodyFields, type Operation, operationsOf } from "../src/contract/catalog.ts";
import { exampleOf, exampleOfFields } from "../src/contract/example.ts";
import { described } from "../src/contract/schema.ts";

const [, , target = "gen/postman/collection.json"] = process.argv;

const collection = {
  info: {
    name: "Intelligence Data Service",
    description: "Set `baseUrl` to where the service runs and `apiKey` to a key of yours.",
    schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
  },
  auth: {
    type: "apikey",
    apikey: [
      { key: "key", value: "X-Service-Key" },
      { key: "value", value: "{{apiKey}}" },
      { key: "in", value: "header" },
    ],
  },
  variable: [
    { key: "baseUrl", value: "http://127.0.0.1:8080" },
    { key: "apiKey", value: "" },
  ],
  item: Object.values(services).map((service) => ({
    name: service.name,
    ...described(service.typeName),
    item: operationsOf(service).map(itemOf),
  })),
};
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, `${JSON.stringify(collection, null, 2)}\n`);

function itemOf(operation: Operation) {
  const { name, method, verb, access, read, queried } = operation;
  const inBody = bodyFields(operation);
  return {
    name,
    request: {
      ...described(`${method.parent.typeName}.${method.name}`),
      ...(access.anonymous ? { auth: { type: "noauth" } } : {}),
      method: verb,
      header: read ? [] : [{ key: "Idempotency-Key", value: "{{$guid}}", description: "New for each call." }],
      url: urlOf(operation),
      ...(queried || inBody.length === 0
        ? {}
        : {
            body: {
              mode: "raw",
              raw: JSON.stringify(exampleOfFields(inBody), null, 2),
              options: { raw: { language: "json" } },
            },
          }),
    },
  };
}

function urlOf({ path, queried, method, ...operation }: Operation) {
  const inPath = method.input.fields.filter(({ name }) => operation.inPath.includes(name));
  const query = queried ? method.input.fields.filter((field) => !inPath.includes(field)).flatMap(parametersOf) : [];
  const projection = {
    key: "jmespath",
    value: "keys(@)",
    description: "A JMESPath expression that the answer is put through.",
    disabled: true,
  };
  const parts = path.slice(1).replaceAll(/\{(\w+)\}/g, ":$1");
  const sent = query
    .filter((parameter) => !parameter.disabled)
    .map(({ key, value }) => `${key}=${encodeURIComponent(value)}`);
  return {
    raw: `{{baseUrl}}/${parts}${sent.length > 0 ? `?${sent.join("&")}` : ""}`,
    host: ["{{baseUrl}}"],
    path: parts.split("/"),
    ...(queried ? { query: [...query, projection] } : {}),
    ...(inPath.length > 0
      ? { variable: inPath.map((field) => ({ key: field.name, value: String(exampleOf(field)), ...about(field) })) }
      : {}),
  };
}

/** Those without an example, or not to be used any more, are there to be switched on. */
function parametersOf(field: DescField) {
  const values = [exampleOf(field) ?? ""].flat().map(String);
  return values.map((value) => ({
    key: field.name,
    value,
    ...about(field),
    ...(value === "" || field.deprecated ? { disabled: true } : {}),
  }));
}

function about(field: DescField) {
  return described(`${field.parent.typeName}.${field.name}`);
}
