import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import type { DatasetName } from "../../src/domains/index.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../support/app.ts";
import { batched, statusesOf } from "../support/batch.ts";
import { openOnce } from "../support/databases.ts";

const keyed = "/api/infrastructure/v1/list-internet-outages";
const anonymous = "/api/conflict/v1/list-conflict-events";
const domains = [
  ...new Set(catalog.flatMap(({ path, inPath }) => (inPath.length > 0 ? [] : [path.slice(0, path.lastIndexOf("/"))]))),
];

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("internet-outages");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function answer(path: string, options?: Parameters<TestApp["get"]>[1], of = app) {
  const response = await of.get(path, options);
  return { status: response.status, body: await response.json() };
}

const notFound = { status: 404, body: { error: "Not found" } };

test("an unknown path is 404 with and without a key, whether or not its domain is known", async () => {
  const unknown = [...domains.map((domain) => `${domain}/get-nothing`), `${keyed}.csv`, "/nothing", "/api"];
  for (const path of [...unknown, "/api/infrastructure/v2/x", "/api/nothing/v1/x", "/api//v1/", "/%00"]) {
    for (const key of [null, "garbage", undefined])
      expect(await answer(path, { ...(key !== undefined && { key }) }), `${path} ${key}`).toEqual(notFound);
    expect(await answer(path, { method: "POST", key: null }), path).toEqual(notFound);
  }
  expect(statusesOf(await batched(app, [`${keyed}s`, keyed], { key: null }))).toEqual([404, 401]);
});

test("another verb on a read is 405 with the verbs that are allowed, with and without a key", async () => {
  for (const method of ["DELETE", "PUT", "PATCH"]) {
    const rejected = await app.get(keyed, { method });
    expect(rejected.status, method).toBe(405);
    expect(rejected.headers.get("Allow")).toBe("GET, HEAD, POST, OPTIONS");
    expect(rejected.headers.get("Cache-Control")).toBe("no-store");
    expect(await rejected.json()).toEqual({ error: "Method not allowed" });
    const keyless = await app.get(keyed, { method, key: null });
    expect([keyless.status, keyless.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  }
});

test("an unknown call is 404, and a wrong verb on a call or on /mcp 405 with Allow, with and without a key", async () => {
  const service = "/ids.scenario.v1.ScenarioService";
  for (const key of [null, undefined]) {
    const call = async (path: string, method: string) => {
      const headers = { "Content-Type": "application/json" };
      const body = method === "GET" ? {} : { body: "{}" };
      const rejected = await app.get(path, { method, headers, ...body, ...(key === null && { key }) });
      return [rejected.status, rejected.headers.get("Allow")];
    };
    expect(await call(`${service}/GetNothing`, "POST")).toEqual([404, null]);
    expect(await call(`${service}/RunScenario`, "GET")).toEqual([405, "POST, OPTIONS"]);
    expect(await call(`${service}/GetScenarioStatus`, "PUT")).toEqual([405, "GET, POST, OPTIONS"]);
    expect(await call("/mcp", "DELETE")).toEqual([405, "POST, GET, HEAD, OPTIONS"]);
    expect(await call("/mcp/tools", "POST")).toEqual([404, null]);
  }
});

test("an operation without credentials rejects another verb with a message, without requiring a key", async () => {
  const rejected = await app.get(anonymous, { method: "DELETE", key: null });
  expect([rejected.status, rejected.headers.get("Allow")]).toEqual([405, "GET, HEAD, POST, OPTIONS"]);
  expect(await rejected.json()).toEqual({ message: "Method not allowed" });
});

test("an operation without credentials reports data that was never loaded with a message and a retry time", async () => {
  const rejected = await app.get(anonymous, { key: null });
  expect([rejected.status, rejected.headers.get("Cache-Control")]).toEqual([503, "no-store"]);
  expect(Number(rejected.headers.get("Retry-After"))).toBeGreaterThanOrEqual(1);
  expect(await rejected.json()).toEqual({ message: expect.any(String) });
});

test("an operation without credentials reports a broken rule as violations, like any other", async () => {
  expect(await answer(`${anonymous}?country=1`, { key: null })).toEqual({
    status: 400,
    body: { violations: [{ field: "country", description: expect.any(String) }] },
  });
});

test("a trailing slash changes nothing", async () => {
  const [with_, without] = [await app.get(`${keyed}/?country=sy`), await app.get(`${keyed}?country=sy`)];
  expect([with_.status, await with_.text()]).toEqual([200, await without.text()]);
  expect((await app.get(`${keyed}//`)).status).toBe(404);
});

test("HEAD answers with the headers of GET and no body, whatever the status", async () => {
  const perRequest = ["date", "x-request-id", "connection", "keep-alive"];
  const headers = { "Accept-Encoding": "identity" };
  const headersOf = (response: Response) =>
    Object.fromEntries([...response.headers].filter(([name]) => !perRequest.includes(name)));
  for (const path of [keyed, `${keyed}?country=1`, "/nothing", "/livez", "/openapi.json", `${anonymous}`]) {
    const [get, head] = [await app.get(path, { headers }), await app.get(path, { headers, method: "HEAD" })];
    expect(head.status, path).toBe(get.status);
    expect(headersOf(head), path).toEqual(headersOf(get));
    expect(Number(head.headers.get("Content-Length")), path).toBe((await get.arrayBuffer()).byteLength);
    expect((await head.arrayBuffer()).byteLength, path).toBe(0);
  }
});

test("OPTIONS is answered for every path and origin, without a key", async () => {
  const rpc = "/ids.infrastructure.v1.InfrastructureService/GetIpGeo";
  const ofPaths = {
    ...{
      [keyed]: ["GET", "HEAD", "POST"],
      [anonymous]: ["GET", "HEAD", "POST"],
      "/api/scenario/v1/run-scenario": ["POST"],
    },
    ...{ "/api/v2/shipping/webhooks/wh_1": ["DELETE", "GET", "HEAD", "POST"], [rpc]: ["GET", "POST"] },
    ...{ "/docs": ["GET", "HEAD"], "/nothing": ["DELETE", "GET", "HEAD", "POST"] },
  };
  for (const [path, verbs] of Object.entries(ofPaths)) {
    const preflight = await app.get(path, {
      key: null,
      method: "OPTIONS",
      headers: { Origin: "https://anywhere.example", "Access-Control-Request-Method": "GET" },
    });
    expect(preflight.status, path).toBe(204);
    expect(await preflight.text()).toBe("");
    const allowed = (name: string) => (preflight.headers.get(`Access-Control-Allow-${name}`) ?? "").split(", ");
    expect(allowed("Origin")).toEqual(["*"]);
    expect(new Set(allowed("Methods")), path).toEqual(new Set([...verbs, "OPTIONS"]));
    expect(allowed("Headers")).toEqual(
      expect.arrayContaining(["X-Service-Key", "X-Api-Key", "Content-Type", "Connect-Protocol-Version", "X-Grpc-Web"]),
    );
    expect(Number(preflight.headers.get("Access-Control-Max-Age"))).toBeGreaterThan(0);
    expect(preflight.headers.get("Access-Control-Allow-Credentials")).toBeNull();
  }
});

test("OPTIONS without a requested method returns the verbs of the path, and no headers of a preflight", async () => {
  const { status, headers } = await app.get(keyed, { key: null, method: "OPTIONS" });
  expect([status, headers.get("Allow")]).toEqual([204, "GET, HEAD, POST, OPTIONS"]);
  const granted = [...headers.keys()].filter((name) => name.startsWith("access-control-"));
  expect(new Set(granted)).toEqual(new Set(["access-control-allow-origin", "access-control-expose-headers"]));
});

test("every origin may read every response and its headers by default, including errors and cached responses", async () => {
  for (const path of [keyed, `${keyed}?country=1`, "/nothing", anonymous])
    for (const headers of [{ Origin: "https://anywhere.example" }, {}]) {
      const answer = await app.get(path, { headers });
      const granted = ["Allow-Origin", "Expose-Headers"].map((name) => answer.headers.get(`Access-Control-${name}`));
      expect(granted, path).toEqual(["*", "*"]);
      expect(answer.headers.get("Vary") ?? "").not.toMatch(/Origin/);
    }
});

test("a public read varies only by encoding and format", async () => {
  await app.refresh("conflict-events");
  const { headers } = await app.get(anonymous, { key: null });
  expect(headers.get("Vary")).toBe("Accept-Encoding, Accept");
  for (const path of ["/openapi.json", "/contract.binpb", "/docs"])
    expect((await app.get(path, { key: null })).headers.get("Vary"), path).toBe("Accept-Encoding");
});

test("an origin that is named may read every answer and its headers, errors included", async () => {
  const environment = { IDS_ALLOWED_ORIGINS: "https://anywhere.example" };
  await using listed = await startApp(database, { environment });
  for (const path of [keyed, `${keyed}?country=1`, `${keyed}?format=csv&nothing=1`, "/nothing", "/openapi.json"]) {
    const { headers } = await listed.get(path, { headers: { Origin: "https://anywhere.example" } });
    expect(headers.get("Access-Control-Allow-Origin"), path).toBe("https://anywhere.example");
    const exposed = (headers.get("Access-Control-Expose-Headers") ?? "").split(", ");
    // Scripts may read these in any case, or a browser has used them up.
    const others =
      /^(access-control-.*|connection|keep-alive|date|transfer-encoding|cache-control|content-(length|type|encoding))$/;
    const documented = [...headers.keys()].filter((name) => !others.test(name));
    for (const name of [...documented, "etag", "x-ratelimit-reset", "retry-after", "x-validation-mode", "grpc-status"])
      expect(
        exposed.map((known) => known.toLowerCase()),
        name,
      ).toContain(name);
  }
});

test("with a list of origins the others are refused, and a request without an origin always passes", async () => {
  const environment = { IDS_ALLOWED_ORIGINS: "https://one.example, https://two.example" };
  await using listed = await startApp(database, { environment });
  const from = (Origin: string) => ({ headers: { Origin } });
  const one = await listed.get(keyed, from("https://one.example"));
  expect([one.status, one.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "https://one.example"]);
  expect(one.headers.get("Vary")).toMatch(/\bOrigin\b/);
  const document = await listed.get("/openapi.json", from("https://one.example"));
  expect([document.status, document.headers.get("Vary")]).toEqual([200, "Accept-Encoding, Origin"]);
  for (const origin of ["https://other.example", "https://one.example.other", "http://one.example", "null", ""]) {
    const rejected = await listed.get(keyed, from(origin));
    expect([rejected.status, rejected.headers.get("Access-Control-Allow-Origin")], origin).toEqual([403, null]);
    expect(rejected.headers.get("Cache-Control")).toBe("no-store");
    expect(await rejected.json()).toEqual({ error: "Origin not allowed" });
    expect((await listed.get("/ids.infrastructure.v1.InfrastructureService/GetIpGeo", from(origin))).status).toBe(403);
  }
  expect(await answer(anonymous, { key: null, ...from("https://other.example") }, listed)).toEqual({
    status: 403,
    body: { message: "Origin not allowed" },
  });
  expect((await listed.get(keyed)).status).toBe(200);
});

test("a preflight of an origin that is not listed is answered without letting it in", async () => {
  await using listed = await startApp(database, { environment: { IDS_ALLOWED_ORIGINS: "https://one.example" } });
  const preflight = await listed.get(keyed, { key: null, method: "OPTIONS", headers: { Origin: "https://x.example" } });
  expect([preflight.status, preflight.headers.get("Access-Control-Allow-Origin")]).toEqual([204, null]);
});

test("a well-formed request id is echoed on every answer, and replaced by a new one otherwise", async () => {
  const echoed = async (id: string, path: string) =>
    (await app.get(path, { headers: { "X-Request-Id": id } })).headers.get("X-Request-Id");
  for (const path of [keyed, `${keyed}?country=1`, "/nothing", "/livez"]) {
    for (const good of ["a", "Ab_9-", "x".repeat(64)]) expect(await echoed(good, path), path).toBe(good);
    const bad = ["", "x".repeat(65), "a b", "ä", "a,b", "<script>", "a;b"];
    const made = [];
    for (const id of bad) made.push(await echoed(id, path));
    expect(new Set(made).size, path).toBe(bad.length);
    for (const id of made) expect(id).toMatch(/^[0-9a-f-]{36}$/);
  }
});

test("of a request id sent twice the first one counts", async () => {
  const { promise, resolve } = Promise.withResolvers<unknown>();
  request(`${app.url}/livez`, { headers: { "X-Request-Id": ["one", "two"] } }, (response) => {
    response.resume();
    resolve(response.headers["x-request-id"]);
  }).end();
  expect(await promise).toBe("one");
});

test("the probes and the interface description need no key, the metrics need the operator's", async () => {
  for (const path of ["/livez", "/readyz", "/api/health", "/openapi.json", "/openapi.yaml"])
    expect((await app.get(path, { key: null })).status, path).toBe(200);
  expect((await app.get("/metrics", { key: null })).status).toBe(401);
  expect((await app.get("/metrics", { key: await app.key("enterprise") })).status).toBe(403);
  const metrics = async () => (await app.get("/metrics")).text();
  await eventually(metrics, (text) =>
    /ids_request_duration_seconds_count\{operation="ListInternetOutages",protocol="rest",status="2xx"\} [1-9]/.test(
      text,
    ),
  );
});

test("the metrics report the refreshes of every source as the store counts them, at the first scrape and concurrently", async () => {
  const refreshed: DatasetName = "internet-outages";
  await app.refresh(refreshed);
  // The store is asked once a second at most, and this app has asked already.
  await using fresh = await startApp(database);
  const looks = await Promise.all([1, 2].map(async () => (await fresh.get("/metrics")).text()));
  const labels = `{dataset="${refreshed}",source="cloudflare-radar"}`;
  const { runs } = await database.kysely
    .selectFrom("source")
    .select("runs")
    .where("source", "=", "cloudflare-radar")
    .executeTakeFirstOrThrow();
  for (const text of looks)
    expect(text.split("\n").filter((line) => line.includes(labels))).toEqual([
      `ids_ingest_runs_total${labels} ${runs}`,
      `ids_ingest_failures_total${labels} 0`,
      `ids_source_drift_total${labels} 0`,
      expect.stringMatching(/^ids_ingest_age_seconds\{.*\} \d/),
      `ids_source_up${labels} 1`,
    ]);
});
