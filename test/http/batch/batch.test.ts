import { createClient } from "@connectrpc/connect";
import { createGrpcTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BatchService } from "../../../gen/es/ids/batch/v1/batch_pb.ts";
import type { Database } from "../../../src/store/database.ts";
import { minutesOn, openAccount } from "../../support/accounts.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { type BatchedResponse, batched, batchPath, postBatch, statusesOf } from "../../support/batch.ts";
import { openOnce } from "../../support/databases.ts";
import { accessService } from "../../support/servers/access-service.ts";

const outages = "/api/infrastructure/v1/list-internet-outages";
const conflict = "/api/conflict/v1/list-conflict-events";
/** The tag of a compressed body has a suffix. */
const plain = { "Accept-Encoding": "identity" };
const templates = "/api/scenario/v1/list-scenario-templates";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { services: [accessService] });
  for (const dataset of ["internet-outages", "conflict-events"] as const) await app.refresh(dataset);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

test("each read returns the bytes of a separate request, in the order of the request and with its id", async () => {
  const paths = [
    outages,
    `${conflict}?country=SD`,
    `${conflict}?country=sd&jmespath=events%5B*%5D.id`,
    "/api/scenario/v1/templates/",
    `${outages}?unknown=1`,
    "/api/test/v1/get-plain?note=%C3%A4%22&notes=a&notes=b&count=9007199254740991",
    "/api/test/v1/get-plain?count=x",
  ];
  const requests = paths.map((path, index) => ({ id: `read ${index} ä`, path }));
  const response = await postBatch(app, requests);
  expect(response.status).toBe(200);
  expect(response.headers.get("Cache-Control")).toBe("no-store");
  expect(response.headers.get("X-Data-Origin")).toBe("sample");
  expect(response.headers.has("ETag")).toBe(false);
  const singles = await Promise.all(paths.map((path) => app.get(path, { headers: plain })));
  const bodies = await Promise.all(singles.map((single) => single.text()));
  const text = await response.text();
  const { responses } = JSON.parse(text) as { responses: BatchedResponse[] };
  expect(responses.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
  expect(statusesOf(responses)).toEqual(singles.map(({ status }) => status));
  const reported = responses.map(({ id, status, headers }, index) => {
    const start = JSON.stringify({ id, status, headers }).slice(0, -1);
    return `${start},"body":${bodies[index]}}`;
  });
  expect(text).toBe(`{"responses":[${reported.join(",")}]}`);
  const named = ["ETag", "Cache-Control", "X-Data-Origin", "X-Ignored-Parameters", "Deprecation", "Link"];
  for (const [index, { headers }] of responses.entries())
    for (const name of named) expect(headers[name] ?? null, name).toBe(singles[index]?.headers.get(name) ?? null);
  expect(responses[3]?.headers.Deprecation).toMatch(/^@\d+$/);
  expect(responses[4]?.headers["X-Ignored-Parameters"]).toBe("unknown");
  expect(JSON.parse(bodies[6] ?? "")).toEqual({ violations: [{ field: "count", description: expect.any(String) }] });
});

test("each read passes its own access rule, with the key of the batch", async () => {
  const kinds = ["anonymous", "plain", "tier-one", "tier-two", "active-pro", "pro-gated", "scoped", "operator"];
  const paths = kinds.map((kind) => `/api/test/v1/get-${kind}`);
  const paying = { subscriptions: [{ plan: "pro_monthly" }], scopes: ["company_monitoring:read"] };
  const lapsed = { subscriptions: [{ plan: "enterprise", validUntil: minutesOn(-24 * 60) }] };
  const keys = [
    null,
    "nobody's",
    await app.key("free"),
    (await openAccount(database, paying)).key,
    (await openAccount(database, lapsed)).key,
    await app.key("operator"),
  ];
  for (const key of keys) {
    const responses = await batched(app, paths, { key });
    const singles = await Promise.all(paths.map((path) => app.get(path, { key })));
    expect(statusesOf(responses), String(key)).toEqual(singles.map(({ status }) => status));
    for (const [index, { body, headers }] of responses.entries()) {
      expect(body).toEqual(await singles[index]?.json());
      expect(headers["WWW-Authenticate"] ?? null).toBe(singles[index]?.headers.get("WWW-Authenticate") ?? null);
    }
  }
  expect(statusesOf(await batched(app, paths, { key: null }))).toEqual([200, 401, 401, 401, 401, 401, 401, 401]);
});

test("a read that does not exist or is wrong has its own status, and the others are served", async () => {
  const paths = ["/api/conflict/v1/list-nothing", "/api/nothing", `${conflict}?country=1`, `${conflict}?country=SD`];
  expect(statusesOf(await batched(app, paths))).toEqual([404, 404, 400, 200]);
  expect(statusesOf(await batched(app, paths, { key: null }))).toEqual([404, 404, 400, 200]);
});

test("no header of the batch counts for its reads but the key, and how strictly they are to be handled", async () => {
  const { headers } = await app.get(outages, { headers: plain });
  const conditional = { "If-None-Match": headers.get("ETag") ?? "", Accept: "text/csv", Origin: "" };
  const reads = [outages, `${outages}?unknown=1`];
  const [response, ignoring] = await batched(app, reads, { headers: conditional });
  expect([response?.status, response?.headers.ETag]).toEqual([200, headers.get("ETag")]);
  expect(ignoring?.headers["X-Ignored-Parameters"]).toBe("unknown");
  const strict = await batched(app, reads, { headers: { Prefer: "handling=strict" } });
  expect(statusesOf(strict)).toEqual([200, 400]);
  expect(Object.keys(response?.headers ?? {})).not.toContain("X-Request-Id");
});

test("a batch that no caller could be served is refused as a whole, by the names of its entries", async () => {
  const good = { path: templates };
  const rejections: (readonly [requests: unknown, fields: readonly string[]])[] = [
    [[], ["requests"]],
    [undefined, ["requests"]],
    [Array.from({ length: 21 }, () => good), ["requests"]],
    [[good, {}], ["requests[1].path"]],
    [[good, { path: 1 }], ["requests[1].path"]],
    [[good, { ...good, other: 1 }], ["requests[1].other"]],
    [[{ ...good, id: "a" }, good, { ...good, id: "a" }], ["requests[2].id"]],
    [[{ ...good, id: "a".repeat(65) }], ["requests[0].id"]],
    ...[
      ...["//evil.example/api/x", "https://evil.example/api/x", "http:/api/x", "/\\evil.example/api", "api/x", "?a=1"],
      ...["/mcp", "/docs", "/metrics", "/ids.conflict.v1.ConflictService/ListConflictEvents", "/api", "/api/"],
      ...[
        `${outages}#part`,
        `${outages}?a= b`,
        `${outages}\r\nX-Evil: 1`,
        `${outages}?a=ä`,
        `/api/${"a".repeat(8000)}`,
      ],
      ...[batchPath, `${batchPath}/`, `${batchPath}?a=1`, "/api/scenario/v1/run-scenario", "/api/health"],
      ...["/api/test/v1/run-change", "/api/scenario/v1/run"],
    ].map((path) => [[good, { path }], ["requests[1].path"]] as const),
  ];
  for (const [requests, fields] of rejections) {
    const response = await postBatch(app, requests, { key: null });
    const { violations } = (await response.json()) as { violations: { field: string; description: string }[] };
    expect([response.status, [...new Set(violations.map(({ field }) => field))]], JSON.stringify(requests)).toEqual([
      400,
      fields,
    ]);
  }
  for (const body of ["[]", "{", "null", JSON.stringify({ requests: [good], other: 1 })])
    expect((await app.get(batchPath, { method: "POST", body })).status, body).toBe(400);
  const latin1 = Buffer.from(JSON.stringify({ requests: [{ ...good, id: "é" }] }), "latin1");
  const notUtf8 = await app.get(batchPath, { method: "POST", body: latin1 });
  expect([notUtf8.status, await notUtf8.json()]).toEqual([400, { message: "Invalid request body" }]);
  const long = await app.get(batchPath, { method: "POST", body: " ".repeat(300_000) });
  expect([long.status, await long.json()]).toEqual([413, { message: "payload_too_large", maxBytes: 262_144 }]);
  expect((await app.get(batchPath)).status).toBe(405);
});

test("a path that climbs out of its folder leads nowhere", async () => {
  for (const path of ["/api/../mcp", "/api/%2e%2e/docs", "/api/x/..//evil.example", "/api//evil.example/x"])
    expect(statusesOf(await batched(app, [path])), path).toEqual([404]);
});

test("Connect and gRPC say the same as plain JSON", async () => {
  const paths = [`${conflict}?country=SD`, `${conflict}?country=1`, `${outages}?jmespath=missing`, templates];
  const requests = paths.map((path, index) => ({ id: String(index), path }));
  const rest = await (await postBatch(app, requests, { key: null })).json();
  const connect = await fetch(`${app.url}/ids.batch.v1.BatchService/RunBatch`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ requests }),
  });
  expect(connect.headers.get("X-Data-Origin")).toBe("sample");
  expect(await connect.json()).toEqual(rest);
  const transport = createGrpcTransport({ baseUrl: app.url });
  const { responses } = await createClient(BatchService, transport).runBatch({ requests });
  expect(responses.map(({ status }) => status)).toEqual([200, 400, 401, 401]);
  const rejected = await fetch(connect.url, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ requests: [...requests, { path: batchPath }] }),
  });
  expect(await rejected.json()).toMatchObject({
    code: "invalid_argument",
    message: expect.stringContaining("requests[4].path"),
  });
});

test("a large response is compressed if the client accepts it", async () => {
  const requests = Array.from({ length: 20 }, () => ({ path: `${conflict}?country=SD` }));
  const zipped = await postBatch(app, requests, { key: null });
  const whole = await postBatch(app, requests, { key: null, headers: plain });
  expect([zipped, whole].map(({ headers }) => headers.get("Content-Encoding"))).toEqual(["gzip", null]);
  expect(await zipped.text()).toBe(await whole.text());
});

test("a read that is wanted as a file is refused, and the others are served", async () => {
  const [file, read] = await batched(app, [`${conflict}?format=csv`, `${conflict}?format=json`]);
  expect([file?.status, file?.body]).toEqual([
    400,
    { violations: [{ field: "format", description: "value must be json in a batch" }] },
  ]);
  expect(read?.status).toBe(200);
});
