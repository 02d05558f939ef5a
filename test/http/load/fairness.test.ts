import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { createClient } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { AccessService } from "../../gen/access_pb.ts";
import { eventually, startApp, type TestApp } from "../../support/app.ts";
import { requestMcp } from "../../support/mcp.ts";
import { accessService } from "../../support/servers/access-service.ts";
import { openEmbedded } from "../embedded-database.ts";

const open = "/api/test/v1/get-anonymous";
const keyed = "/api/test/v1/get-plain";

/** Ends every call of the two operations that is under way; until then they wait as for a store that stands still. */
let release = () => {};
let begun: string[] = [];
let database: Database;
let app: TestApp;

beforeAll(async () => {
  database = await openEmbedded();
  let released = Promise.withResolvers<void>();
  release = () => {
    released.resolve();
    released = Promise.withResolvers();
  };
  const waiting = (word: string) => async () => {
    begun.push(word);
    await released.promise;
    return { word };
  };
  const waits = { getAnonymous: waiting("open"), getPlain: waiting("keyed") };
  const implementation = { ...accessService.implementation, ...waits };
  app = await startApp(database, {
    services: [{ service: AccessService, implementation: implementation as never }],
    // No request times out, even on a slow machine.
    queue: { deadlineMs: 60_000, maxQueuedPerCaller: 256 },
  });
});
afterAll(async () => {
  release();
  await app[Symbol.asyncDispose]();
  await database.close();
});
beforeEach(() => {
  begun = [];
});

function session(): ClientHttp2Session {
  const opened = connect(app.url);
  opened.on("error", () => undefined);
  onTestFinished(() => opened.destroy());
  return opened;
}

/** Sends `count` requests at once over HTTP/2. Returns each response's status, or `reset`. */
function sendRequest(over: ClientHttp2Session, path: string, count: number, headers: Record<string, string> = {}) {
  return Array.from({ length: count }, (_, index) => {
    const stream = over.request({ ":path": `${path}?note=${index}`, ...headers });
    stream.on("error", () => undefined);
    stream.resume();
    const reset = once(stream, "close").then(() => "reset" as const);
    return {
      stream,
      status: Promise.race([once(stream, "response").then(([head]) => Number(head[":status"])), reset]),
    };
  });
}

async function metric(name: string): Promise<number> {
  const text = await (await app.get("/metrics")).text();
  return Number(new RegExp(`^${name} (\\d+)$`, "m").exec(text)?.[1] ?? 0);
}

test("while one address without a key holds all it may, keys, probes and other protocols are served", async () => {
  const burst = [session(), session(), session()].flatMap((each) => sendRequest(each, open, 100));
  await eventually(
    () => metric("ids_requests_waiting"),
    (waiting) => waiting === 256,
  );
  // Two of them may wait for the store and 256 in the queue. The others are rejected at once.
  expect(begun).toEqual(["open", "open"]);
  expect(await metric('ids_requests_shed_total\\{caller="keyless"\\}')).toBe(300 - 2 - 256);
  for (const path of ["/livez", "/readyz", "/api/health"]) expect((await app.get(path)).status, path).toBe(200);
  const key = await app.key("enterprise");
  expect((await app.get("/api/test/v1/get-scoped")).status).toBe(200);
  expect((await app.get("/api/infrastructure/v1/get-ip-geo", { key })).status).toBe(200);
  expect((await requestMcp(app, "ping", {}, { key })).status).toBe(200);
  const client = createClient(AccessService, createConnectTransport({ baseUrl: app.url, httpVersion: "1.1" }));
  expect(await client.getTierOne({}, { headers: { "X-Service-Key": key } })).toMatchObject({ word: "tier one" });
  expect(await metric('ids_requests_shed_total\\{caller="keyed"\\}')).toBe(0);

  const shed = await app.get(open, { key: null });
  expect([shed.status, await shed.json()]).toEqual([503, { message: expect.stringContaining("Too many requests") }]);
  expect(shed.headers.get("Retry-After")).toMatch(/^([1-9]|[12]\d|30)$/);
  const ending = setInterval(() => release(), 5);
  const statuses = await Promise.all(burst.map(({ status }) => status));
  clearInterval(ending);
  const count = (wanted: unknown) => statuses.filter((status) => status === wanted).length;
  expect([count(200), count(503)]).toEqual([258, 42]);
  const failures = 'ids_request_failures_total\\{operation="GetAnonymous",protocol="rest",cause="shed"\\}';
  // The separate request counts as well.
  expect(await metric(failures)).toBe(42 + 1);
});

test("a caller that fills a queue is rejected before its request is read, and cached responses are served", async () => {
  const headers = { "x-service-key": await app.key("enterprise") };
  const stored = "/api/test/v1/get-aliased";
  const get = async (path: string) => (await fetch(app.url + path, { headers })).status;
  const [unread, wrong] = [`${stored}?note=new`, `${stored}?as_of=never`];
  // The second time it is kept.
  for (let times = 2; times > 0; times -= 1) expect(await get(stored)).toBe(200);
  expect(await get(wrong)).toBe(400);

  const burst = [session(), session(), session()].flatMap((each) => sendRequest(each, keyed, 100, headers));
  await eventually(
    () => metric("ids_requests_waiting"),
    (waiting) => waiting === 256,
  );
  expect([await get(stored), await get(unread), await get(wrong)]).toEqual([200, 503, 503]);
  const ending = setInterval(() => release(), 5);
  await Promise.all(burst.map(({ status }) => status));
  clearInterval(ending);
  expect([await get(stored), await get(unread), await get(wrong)]).toEqual([200, 200, 400]);
});

test("requests that were reset are not begun", async () => {
  const over = session();
  const before = await metric("ids_requests_abandoned_total");
  const burst = sendRequest(over, keyed, 100, { "x-service-key": await app.key("operator") });
  await eventually(
    () => metric("ids_requests_waiting"),
    (waiting) => waiting === 96,
  );
  for (const { stream } of burst) stream.close(constants.NGHTTP2_CANCEL);
  await eventually(
    () => metric("ids_requests_abandoned_total"),
    (abandoned) => abandoned - before === 96,
  );
  release();
  expect(begun).toHaveLength(4);
});

test("fifty keys behind one address are served while one without a key is shed", async () => {
  const keys = await Promise.all(Array.from({ length: 50 }, () => app.key("enterprise")));
  const neighbor = sendRequest(session(), open, 100);
  const ending = setInterval(() => release(), 5);
  const over = session();
  const responses = keys.flatMap((key) => sendRequest(over, keyed, 1, { "x-service-key": key }));
  expect(new Set(await Promise.all(responses.map(({ status }) => status)))).toEqual(new Set([200]));
  await Promise.all(neighbor.map(({ status }) => status));
  clearInterval(ending);
});

test("calls of agents that the protocol refuses, or takes for notifications, count against their address", async () => {
  await using other = await startApp(database);
  const send = (message: object) =>
    fetch(`${other.url}/mcp`, {
      method: "POST",
      headers: { "Content-Type": "application/json", "MCP-Protocol-Version": "2025-11-25" },
      body: JSON.stringify({ jsonrpc: "2.0", method: "tools/call", ...message }),
    }).then(async (response) => ((await response.text()).includes('"code":42900') ? 429 : response.status));
  const statuses: number[] = [];
  for (let round = 0; round < 305; round++)
    statuses.push(await send({ id: 1, params: { name: 7 } }), await send({ params: { name: "describe_tool" } }));
  expect(statuses.slice(0, 600)).not.toContain(429);
  expect(new Set(statuses.slice(600))).toEqual(new Set([429]));
});
