import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Problem, problemType } from "../../src/contract/problem.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { type BatchedResponse, batchPath } from "../support/batch.ts";
import { openOnce } from "../support/databases.ts";

type Options = NonNullable<Parameters<TestApp["get"]>[1]>;

const hooks = "/api/v2/shipping/webhooks";
const events = "/api/conflict/v1/list-conflict-events";
const outages = "/api/infrastructure/v1/list-internet-outages";
const changes = "/api/changes/v1/list-changes";

let database: Database;
let app: TestApp;
let keys: Readonly<Record<"free" | "spent" | "scopeless", string>>;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
  keys = { free: await app.key("free"), spent: await app.key("free"), scopeless: await app.key("enterprise") };
  await Promise.all(Array.from({ length: 40 }, () => app.get(outages, { key: keys.spent })));
  await app.get(hooks, register("https://example.org/first"));
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const post = (body: string, more: Options = {}): Options => ({ method: "POST", body, ...more });
const register = (callbackUrl: string) =>
  post(JSON.stringify({ callbackUrl }), { headers: { "Idempotency-Key": "k" } });
const anonymous = { key: null };

/** Each way in which a plain route fails: its path, its request, its status, and the code of the error. */
const failures: readonly (readonly [path: string, options: () => Options, status: number, code: string])[] = [
  [`${events}?country=Sudn&limit=x`, () => anonymous, 400, "invalid-request"],
  [`${outages}?jmespath=length(`, () => ({}), 400, "projection-refused"],
  [`${outages}?limit=1`, () => post("{"), 400, "post-not-convertible"],
  [batchPath, () => post(JSON.stringify({ requests: [] }), anonymous), 400, "invalid-request"],
  [outages, () => anonymous, 401, "not-authenticated"],
  [hooks, () => post(" ".repeat(300_000), anonymous), 401, "not-authenticated"],
  [`${outages}?format=csv&all=true`, () => ({ key: "wrong" }), 401, "not-authenticated"],
  ["/api/military/v1/get-defense-industrial-base?country=FR", () => ({ key: keys.free }), 403, "upgrade-required"],
  ["/api/company-monitoring/v1/list-monitored-companies", () => ({ key: keys.scopeless }), 403, "not-entitled"],
  ["/api/infrastructure/v1/no-such-operation", () => anonymous, 404, "route-not-found"],
  ["/feeds/unknown.atom", () => anonymous, 404, "not-found"],
  ["/ogc/collections/unknown/items", () => anonymous, 404, "not-found"],
  ["/ogc/collections?f=xml", () => anonymous, 400, "invalid-request"],
  [outages, () => ({ method: "DELETE" }), 405, "verb-not-allowed"],
  ["/api/infrastructure/v1/get-ip-geo", () => ({ headers: { Accept: "text/csv" } }), 406, "not-acceptable"],
  [`${changes}?after=999999`, () => ({}), 410, "changes-gone"],
  [batchPath, () => post(" ".repeat(300_000), anonymous), 413, "body-too-large"],
  [`${outages}?format=csv`, () => ({ headers: { Range: "bytes=99999999-" } }), 416, "range-not-satisfiable"],
  [hooks, () => register("https://example.org/second"), 422, "idempotency-key-reused"],
  [outages, () => ({ key: keys.spent }), 429, "quota-exceeded"],
  [events, () => anonymous, 503, "nothing-to-serve"],
];

describe("problem details", () => {
  test.each(failures)("of %s have the members of the plain body", async (path, options, status, code) => {
    const { headers: { Accept = "*/*", ...headers } = {}, ...request } = options();
    const as = async (accept: string) =>
      app.get(path, { ...request, headers: { ...headers, "X-Request-Id": "a-request", Accept: accept } });
    const plain = await as(Accept);
    const problem = await as(`${Accept};q=0.5, ${problemType}`);
    expect([plain.status, plain.headers.get("content-type")]).toEqual([status, "application/json; charset=utf-8"]);
    expect([problem.status, problem.headers.get("content-type")]).toEqual([status, problemType]);
    expect(headersOf(problem)).toEqual(headersOf(plain));
    expect(problem.headers.get("vary")).toBe("Accept");
    const body = (await plain.json()) as Record<string, unknown>;
    const plainBody = { ...body, ...(body.reset !== undefined && { reset: expect.any(String) }) };
    const { type, title, status: inBody, detail, instance, retryAfter, ...rest } = (await problem.json()) as Problem;
    expect(rest).toEqual({ code, ...plainBody });
    expect([type, inBody, instance]).toEqual([`${app.url}/docs/errors#${code}`, status, "a-request"]);
    expect(title.toLowerCase().replaceAll(" ", "-")).toBe(code);
    expect(detail).toMatch(/^\w.*\w/);
    expect(retryAfter).toEqual(plain.headers.has("Retry-After") ? Number(plain.headers.get("Retry-After")) : undefined);
  });

  test.each([
    [`application/json, ${problemType}`, true],
    [`${problemType};q=0.9, */*;q=0.1`, true],
    [`text/csv, ${problemType};q=0.1`, true],
    ["Application/Problem+JSON; charset=utf-8", true],
    [`${problemType};q=0.5, application/json;q=0.6`, false],
    [`${problemType};q=0.5, */*`, false],
    [`${problemType};q=0`, false],
    ["application/*", false],
    ["application/json", false],
    ["*/*", false],
  ])("are the response to Accept: %s: %s", async (accept, isProblem) => {
    const response = await app.get(`${events}?country=Sudn`, { key: null, headers: { Accept: accept } });
    expect(response.headers.get("content-type")).toBe(isProblem ? problemType : "application/json; charset=utf-8");
  });

  test("do not replace the page that a browser gets, the response to an RPC call, or parts of a batch", async () => {
    const accept = { Accept: `text/html, ${problemType}`, "Content-Type": "application/json" };
    const page = await app.get("/countries/none", { ...anonymous, headers: accept });
    const call = await app.get("/ids.conflict.v1.ConflictService/ListConflictEvents", post("{", { headers: accept }));
    const reads = JSON.stringify({ requests: [{ path: `${events}?country=Sudn` }] });
    const batch = await app.get(batchPath, post(reads, { headers: accept }));
    expect([page.status, page.headers.get("content-type")]).toEqual([404, "text/html; charset=utf-8"]);
    expect([call.status, call.headers.get("content-type")]).toEqual([400, "application/json"]);
    const { responses } = (await batch.json()) as { responses: readonly BatchedResponse[] };
    expect(Object.keys(Object(responses[0]?.body))).toEqual(["violations"]);
  });
});

/** The headers that must not differ between the two forms of an error. */
function headersOf({ headers }: Response): Record<string, string> {
  const varying = /^(date|content-(type|length)|.*ratelimit.*)$/;
  return Object.fromEntries([...headers].filter(([name]) => !varying.test(name)));
}
