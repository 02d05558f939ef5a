import { getOption } from "@bufbuild/protobuf";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { operation as operationOption } from "../../gen/es/ids/options/v1/options_pb.ts";
import { catalog, type Operation, streams } from "../../src/contract/catalog.ts";
import { hasAllPages } from "../../src/contract/file-format.ts";
import { twinOfCountry } from "../../src/contract/request/country-parameter.ts";
import { alternatives } from "../../src/contract/rules/field-rules.ts";
import { reachable, schemaName } from "../../src/contract/schema.ts";
import { tablesOf } from "../../src/contract/tables.ts";
import { datasets, operationOrigins } from "../../src/domains/index.ts";
import { recordStates } from "../../src/ingest/states.ts";
import { exampleAddress, exampleRequest } from "../../src/pages/reference/example-request.ts";
import { exampleInDocument } from "../../src/pages/reference/example-response.ts";
import { hasPast } from "../../src/runtime/past-reads.ts";
import { hasUpdates } from "../../src/runtime/updates/followed-reads.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import {
  contentOf,
  described,
  document,
  documentFile,
  faults,
  type Parameter,
  undocumented,
} from "../support/described.ts";
import { openLoaded } from "../support/loaded.ts";
import { chosen, filled } from "../support/needed-query.ts";
import { someOf } from "../support/thoroughness.ts";
import { bounds } from "./parameter-bounds.ts";

const reads = catalog.filter(({ queried }) => queried);
/** Parameters that one part of the program reads for all operations, and the reads whose bounds of these are checked. */
const ofEachRead = new Set("jmespath as_of updated_after cite format rows raw all columns".split(" "));
const someReads = new Set(someOf(reads, 8).map(({ name }) => name));
let database: Database;
let app: TestApp;
let limited: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  limited = await startApp(database, { environment: { IDS_PLAN_LIMITS: "free=1" } });
  await app.get("/api/account/v1/create-account", { method: "POST", body: '{"id":"acme","plan":"pro_monthly"}' });
  const make = async (operation: string, body: object, key?: string) => {
    const options = { method: "POST", body: JSON.stringify(body), ...(key && { key }) };
    return (await app.get(`/api/account/v1/${operation}`, options)).json() as Promise<{ secret: string }>;
  };
  // The first key of an account may handle the others.
  const { secret } = await make("create-api-key", { name: "zero", account: "acme" });
  for (const name of ["one", "two", "three", "four"]) {
    await make("create-api-key", { name, account: "acme" });
    await make("create-feed-url", { name, path: "/api/conflict/v1/list-conflict-events" }, secret);
  }
}, 60_000);
afterAll(async () => {
  for (const each of [app, limited]) await each[Symbol.asyncDispose]();
  await database.close();
});

test("the document is valid OpenAPI 3.1 of version 1.0.0", async () => {
  const { valid, errors } = await new Validator().validate(JSON.parse(documentFile("openapi.json")));
  expect(errors).toBeUndefined();
  expect(valid).toBe(true);
  expect([document.openapi, document.info.version]).toEqual([expect.stringMatching(/^3\.1\./), "1.0.0"]);
});

test("JSON and YAML say the same, with the service that was asked as their server", async () => {
  const expected = { ...JSON.parse(documentFile("openapi.json")), servers: [{ url: app.url }] };
  expected.info.contact.url = `${app.url}/about`;
  expect(await (await app.get("/openapi.json", { key: null })).json()).toEqual(expected);
  expect(parse(await (await app.get("/openapi.yaml", { key: null })).text())).toEqual(expected);
});

test("every operation is in it under its path, with every parameter by its documented name", () => {
  const ids = Object.values(document.paths).flatMap((verbs) =>
    Object.values(verbs).map(({ operationId }) => operationId),
  );
  expect(new Set(ids).size).toBe(ids.length);
  for (const known of catalog) {
    const { name, path, aliases, verb, method, access, read, queried } = known;
    const operation = described(path, verb);
    expect(operation.operationId).toBe(name);
    expect(operation.security, name).toEqual(access.anonymous ? [] : undefined);
    for (const alias of aliases) expect(described(alias, verb).deprecated, alias).toBe(true);
    const wanted = method.input.fields.filter((field) => verb === "GET" || path.includes(`{${field.name}}`));
    expect(operation.parameters.map((parameter) => parameter.name)).toEqual([
      ...wanted.map((field) => field.name),
      ...(queried && twinOfCountry(method.input) ? ["country"] : []),
      ...(queried
        ? [
            "jmespath",
            ...(hasPast(known) ? ["as_of"] : []),
            ...(hasUpdates(known) ? ["updated_after"] : []),
            ...(read ? ["cite"] : []),
            ...fileParametersOf(known),
          ]
        : []),
      ...(read ? [] : ["Idempotency-Key"]),
      "Prefer",
    ]);
  }
});

test("a read that only returns JSON says why", () => {
  for (const { path, verb, method } of catalog) {
    const { jsonOnly } = getOption(method, operationOption);
    if (jsonOnly !== "")
      expect(described(path, verb)).toMatchObject({ description: expect.stringContaining(jsonOnly) });
  }
});

test("generators write the deliveries in addition to the operations, and every example is one that they include", () => {
  const { paths, webhooks } = JSON.parse(documentFile("openapi.json"));
  type Reported = { tags: string[]; requestBody?: { content: object } };
  const reportedIn = (items: object): Reported[] =>
    Object.values(items).flatMap((verbs: object) => Object.values(verbs));
  const tags = new Set(reportedIn(paths).flatMap((operation) => operation.tags));
  // A class is written for each tag: of the paths first, then of the webhooks.
  expect(reportedIn(webhooks).flatMap((delivery) => delivery.tags.filter((tag) => tags.has(tag)))).toEqual([]);
  const bodies = [...reportedIn(paths), ...reportedIn(webhooks)].flatMap(
    ({ requestBody }) => requestBody?.content ?? [],
  );
  expect(bodies.length).toBeGreaterThan(15);
  for (const content of bodies) expect(Object.keys(Object.values(content)[0])).toEqual(["schema"]);
});

test("every schema is reachable from the paths, because generators leave out unreferenced ones", () => {
  const { paths, components } = JSON.parse(documentFile("openapi.json"));
  const reached = new Set<string>();
  const page = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    const reference = (value as { $ref?: unknown }).$ref;
    if (typeof reference !== "string") {
      for (const inner of Object.values(value)) page(inner);
      return;
    }
    if (reached.has(reference)) return;
    reached.add(reference);
    const [, , kind = "", name = ""] = reference.split("/");
    page(components[kind][name]);
  };
  page(paths);
  const schemas = Object.keys(components.schemas).map((name) => `#/components/schemas/${name}`);
  expect(schemas.length).toBeGreaterThan(300);
  expect(schemas.filter((schema) => !reached.has(schema))).toEqual([]);
});

test("it is served in at most 6.9 kB an operation, 121 kB compressed", async () => {
  const sizeAs = async (encoding: string) => {
    const response = await app.get("/openapi.json", { key: null, headers: { "Accept-Encoding": encoding } });
    await response.arrayBuffer();
    return Number(response.headers.get("content-length"));
  };
  const operationCount = Object.values(document.paths).flatMap((verbs) => Object.values(verbs)).length;
  for (const [encoding, max] of [
    ["identity", 6_900 * operationCount],
    ["gzip", 121_000],
    ["br", 121_000],
  ] as const) {
    const size = await sizeAs(encoding);
    expect(size, encoding).toBeGreaterThan(10_000);
    expect(size, encoding).toBeLessThanOrEqual(max);
  }
});

test("the examples of data are what the sample answers, shortened", async () => {
  const key = await app.key("enterprise");
  const examples: [string, unknown][] = [];
  for (const operation of reads) {
    if (!operationOrigins.some(({ method }) => method === operation.method)) continue;
    const response = await app.get(exampleAddress(operation, exampleRequest(operation)), { key });
    if (response.ok) examples.push([operation.name, exampleInDocument(await response.json(), operation.method.output)]);
  }
  // `vitest -u` writes it again.
  await expect(`${JSON.stringify(Object.fromEntries(examples), null, 2)}\n`).toMatchFileSnapshot(
    "../../gen/examples.json",
  );
});

test("everything has a description", () => {
  for (const { name, path, verb } of catalog) {
    expect(described(path, verb), name).toMatchObject({
      summary: expect.stringMatching(/\.$/),
      description: expect.stringMatching(/\.$/),
    });
    for (const parameter of described(path, verb).parameters)
      expect(parameter, `${name} ${parameter.name}`).toMatchObject({ description: expect.stringMatching(/\.$/) });
  }
});

describe.each(reads.map((operation) => [operation.name, operation] as const))("%s", (name, { path, access }) => {
  const operation = described(path);
  const query = (parameters: readonly Parameter[]) =>
    new URLSearchParams(
      parameters.flatMap(({ name: key, example }): [string, string][] =>
        example === undefined ? [] : [[key, String(example)]],
      ),
    );
  const isNeeded = ({ required, name: key }: Parameter) => required || key === chosen[name];
  const complete = query(operation.parameters);
  // Accounts are the operator's; no other key sees all of them, or has a scope.
  const plan = path.startsWith("/api/account/") || access.scope !== "" ? "operator" : "enterprise";

  test("every status that its description names is among its responses", () => {
    for (const [status] of operation.description.matchAll(/(?<![\d.,])[45]\d\d(?![\d.,]*\d)/g))
      expect(Object.keys(operation.responses), status).toContain(status);
  });

  test("every example is as its schema says", () => {
    for (const { schema, example, name: key } of operation.parameters)
      if (example !== undefined) expect(faults(schema, example), key).toBe("");
    for (const [status, { content }] of Object.entries(operation.responses)) {
      if (!content) continue;
      const { schema, example } = content["application/json"];
      expect(example, status).toBeDefined();
      expect(faults(schema, example), status).toBe("");
    }
  });

  test("real answers hold what their schema says and nothing else, their headers too", async () => {
    const requested = [
      query(operation.parameters.filter(isNeeded)),
      query(operation.parameters.filter((each) => isNeeded(each) || each.schema.type === "number")),
      complete,
    ];
    let items = 0;
    const key = await app.key(plan);
    for (const parameters of requested) {
      await addOwn(name, parameters, key);
      const response = await app.get(filled(path, parameters), { key });
      expect(response.status, String(parameters)).toBe(200);
      expect(undocumented(response, operation), String(parameters)).toEqual([]);
      const body = await response.json();
      expect(faults(contentOf(operation, 200).schema, body), String(parameters)).toBe("");
      for (const value of Object.values(body as object))
        items += value && typeof value === "object" ? Object.keys(value).length : 1;
    }
    expect(items).toBeGreaterThan(requested.length);
    const held = await app.get(filled(path, complete), { key, headers: { "If-None-Match": "*" } });
    expect([held.status, undocumented(held, operation)]).toEqual([304, []]);
  });

  test("real failures are as the document says, their headers too", async () => {
    const failures = [
      await app.get(path, { key: null, method: "DELETE" }),
      await app.get(path, { key: "garbage", method: "DELETE" }),
      await app.get(path, { method: "DELETE" }),
    ];
    if (!access.anonymous) failures.push(await app.get(path, { key: null }), await app.get(path, { key: "garbage" }));
    if (complete.size > 0)
      failures.push(await app.get(`${path}?${[...complete.keys()].map((key) => `${key}=%00`).join("&")}`));
    const key = await limited.key("free");
    if (!access.anonymous) failures.push(await limited.get(path, { key }), await limited.get(path, { key }));
    for (const response of failures.filter(({ ok }) => !ok)) {
      expect(undocumented(response, operation), `${response.status}`).toEqual([]);
      expect(faults(contentOf(operation, response.status).schema, await response.json()), `${response.status}`).toBe(
        "",
      );
    }
  });

  test("what refuses any text shows which it takes", async () => {
    const key = await app.key(plan);
    const unshown: string[] = [];
    for (const { name: parameter, in: place, schema } of operation.parameters) {
      const { type, enum: values, pattern, format } = schema.items ?? schema;
      if (place === "header" || type !== "string" || values || pattern || format || ownTexts.has(parameter)) continue;
      const changed = new URLSearchParams(complete);
      changed.set(parameter, "nonsense");
      const response = await app.get(filled(path, changed), { key });
      const { violations = [] } = (await response.json()) as { violations?: { field: string }[] };
      if (violations.some(({ field }) => field.replace(/\[0\]$/, "") === parameter)) unshown.push(parameter);
    }
    expect(unshown).toEqual([]);
  });

  const isChecked = ({ name: key }: Parameter) => someReads.has(name) || !ofEachRead.has(key);
  const inQuery = operation.parameters.filter((each) => each.in === "query" && isChecked(each));
  const bounded = inQuery.flatMap((parameter) => bounds(parameter).map((bound) => ({ parameter, ...bound })));
  test.each(bounded.map((bound) => [`${bound.parameter.name} (${bound.what})`, bound] as const))(
    "the bound of %s is enforced, and not a bit more",
    async (_title, { parameter, outside, inside }) => {
      const key = await app.key(plan);
      const violated = async (value: string | undefined) => {
        const changed = new URLSearchParams(complete);
        // The operation's own failure goes before the expression's.
        if (parameter.name === "jmespath") {
          changed.delete("cursor");
          await addOwn(name, changed, key);
        }
        // Of parameters that exclude each other, only the tested one is sent.
        const exclusive = catalog.flatMap((each) => (each.name === name ? alternatives(each.method.input) : []));
        if (exclusive.includes(parameter.name)) for (const other of exclusive) changed.delete(other);
        if (value === undefined) changed.delete(parameter.name);
        else changed.set(parameter.name, value);
        // JSON has all tables and no columns, so that it refuses a choice of them.
        if (parameter.name === "rows" || parameter.name === "columns") changed.set("format", "csv");
        // No read has every dimension.
        if (value === "source") changed.set("path", "/api/economic/v1/list-global-tenders");
        const response = await app.get(filled(path, changed), { key });
        if (response.status !== 400) return [];
        const { violations, _jmespath_error: failure = "" } = (await response.json()) as Rejection;
        if (parameter.name === "jmespath") return failure.startsWith("expression_too_long") ? ["jmespath"] : [];
        return violations.map(({ field }) => field.replace(/\[0\]$/, ""));
      };
      for (const value of outside) expect(await violated(value), `${name} ${value}`).toContain(parameter.name);
      for (const value of inside) expect(await violated(value), `${name} ${value}`).not.toContain(parameter.name);
    },
  );
});

interface Rejection {
  readonly violations: readonly { readonly field: string }[];
  readonly _jmespath_error?: string;
}

test("bodies whose unknown members are refused say so, those within them too", async () => {
  const key = await app.key("operator");
  const schemas = document.components.schemas as Record<string, { additionalProperties?: boolean }>;
  const bodies = catalog.filter((operation) => !operation.queried && operation.inPath.length === 0);
  expect(bodies.length).toBeGreaterThan(20);
  for (const { name, path, verb, method } of bodies) {
    for (const within of reachable([method.input]))
      if (within.kind === "message") {
        const own = schemas[`${schemaName(within)}Input`] ?? schemas[schemaName(within)];
        expect(own?.additionalProperties, `${name} ${within.name}`).toBe(false);
      }
    const response = await app.get(path, { method: verb, key, body: '{"nonsense":1}' });
    const { violations } = (await response.json()) as Rejection;
    expect([response.status, violations[0]?.field], name).toEqual([400, "nonsense"]);
  }
});

test("streams report their access and limits to programs as reads do", () => {
  for (const { path } of streams) expect(described(path)).toMatchObject({ "x-tier": 0, "x-max-age": 0 });
});

/** What no example can hold: a caller's own cursor, job, webhook or rule. */
async function addOwn(name: string, parameters: URLSearchParams, key: string): Promise<void> {
  if (name === "GetScenarioStatus") {
    const body = '{"scenarioId":"panama-drought-50pct"}';
    const response = await app.get("/api/scenario/v1/run-scenario", { method: "POST", body, key });
    parameters.set("job_id", ((await response.json()) as { jobId: string }).jobId);
  }
  // Examples are those of an account's own key; the operator names the account.
  if (/^List(ApiKeys|FeedUrls)$/.test(name)) parameters.set("account", "acme");
  if (name.includes("Webhook")) {
    const body = '{"callbackUrl":"https://hooks.example.org/hook"}';
    const response = await app.get("/api/v2/shipping/webhooks", { method: "POST", body, key });
    const { subscriberId } = (await response.json()) as { subscriberId: string };
    parameters.set("subscriber_id", subscriberId);
    for (let count = 0; count < 2; count++)
      await app.get(`/api/v2/shipping/webhooks/${subscriberId}/test`, { method: "POST", key });
  }
  if (/^List(Rules|Endpoints|Deliveries)$/.test(name)) {
    const post = async (operation: string, body: object) => {
      const answer = await app.get(`/api/alerts/v1/${operation}`, { method: "POST", body: JSON.stringify(body), key });
      return (await answer.json()) as { rule: { id: string }; endpoint: { id: string } };
    };
    const { endpoint } = await post("create-endpoint", { name: "feed", kind: "feed" });
    const trigger = { staleness: { datasets: ["conflict-events"] } };
    for (let count = 0; count < 2; count += 1) {
      const { rule } = await post("create-rule", { name: "rule", trigger, endpointIds: [endpoint.id] });
      await post("test-rule", { ruleId: rule.id });
    }
    if (parameters.has("endpoint_id")) parameters.set("endpoint_id", endpoint.id);
  }
  if (name === "ListDigests") {
    const body = '{"name":"list","trigger":{"watchlist":{"chokepoints":["suez"]}}}';
    for (const _ of "12") await app.get("/api/alerts/v1/create-rule", { method: "POST", key, body });
    parameters.delete("rule_id");
  }
  if (name === "ListStates")
    await recordStates({
      database: database.kysely,
      datasets,
      missingOf: () => [],
      data: "sample",
      clock: () => testTime,
    });
  // The log of requests is written in batches: this one is of those before.
  if (name === "ListRequests") await app.settled();
  if (name !== "ListCompanyEventChanges") return;
  const response = await app.get(`/api/company-monitoring/v1/list-company-event-impacts?${parameters}`, { key });
  const { snapshot } = (await response.json()) as { snapshot: { pollCursor: string } };
  parameters.set("cursor", snapshot.pollCursor);
}

/** A position of an earlier page, a country in any of its forms, a place, an expression, a column or table of another read. */
const ownTexts = new Set("cursor after country countries country_code iso2 region near jmespath sum list".split(" "));

/** A choice among tables is offered where there are several, all pages where there are pages. */
function fileParametersOf(known: Operation): string[] {
  const tables = tablesOf(known).length;
  if (tables === 0) return [];
  return ["format", ...(tables > 1 ? ["rows"] : []), "raw", ...(hasAllPages(known) ? ["all"] : []), "columns"];
}
