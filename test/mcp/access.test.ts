import { request } from "undici";
import { beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import { accessOf, toolName } from "../../src/mcp/operation-tool.ts";
import { prompts } from "../../src/mcp/prompts.ts";
import type { Database } from "../../src/store/database.ts";
import { minutesOn, openAccount } from "../support/accounts.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { type RpcOptions, requestMcp, requestResource, rpcBody, sendMcp } from "../support/mcp.ts";
import { neededParameters } from "../support/needed-query.ts";
import { send } from "../support/request-load.ts";

const gas = "get_eu_gas_storage";
const gasPath = "/api/economic/v1/get-eu-gas-storage";
const reads = catalog.filter(({ queried }) => queried).map((operation) => [toolName(operation), operation] as const);
const initialize = { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "test", version: "1" } };

/** What needs no key. */
const open: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
  ["initialize", initialize],
  ["ping", {}],
  ["tools/list", {}],
  ["prompts/list", {}],
  ["prompts/get", { name: "freshness-audit" }],
  ["resources/list", {}],
  ["resources/templates/list", {}],
  ["resources/read", { uri: "ids://seed-meta/freshness" }],
  ["tools/call", { name: "describe_tool", arguments: { tool_name: gas } }],
];

describeOnce("access to the tools", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let free: string;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
    await app.refresh("eu-gas-storage");
    free = await app.key("free");
    return () => app[Symbol.asyncDispose]();
  });
  const call = (name: string, options?: RpcOptions, given = {}) =>
    requestMcp(app, "tools/call", { name, arguments: given }, options);

  test.each(open)("%s needs no key, and refuses a bad one", async (method, params) => {
    const { status, result } = await requestMcp(app, method, params);
    expect([status, result]).toEqual([200, expect.anything()]);
    const rejected = await requestMcp(app, method, params, { key: "garbage" });
    expect([rejected.status, rejected.error?.code, rejected.error?.data]).toEqual([
      401,
      40_100,
      { reason: "no-account", nextStep: expect.stringContaining("X-Service-Key"), upgradeUrl: "/plans" },
    ]);
    expect(rejected.headers.get("WWW-Authenticate")).toBe('ApiKey realm="ids"');
  });

  test.each(reads)("%s asks for a key unless it is free for all, whatever it is called by", async (name, operation) => {
    const given = neededParameters(operation);
    const area = { operation: name, parameters: given };
    const calls = [await call(name, {}, given)];
    if (!operation.tool.alone) calls.push(await call(`ids_${operation.tool.area}_read`, {}, area));
    for (const { status, error } of calls)
      if (accessOf(operation) === "free") expect(error?.code ?? 50_300).toBe(50_300);
      else expect([status, error?.code, error?.data?.reason]).toEqual([401, 40_100, "no-account"]);
  });

  test.each(reads.filter(([, operation]) => accessOf(operation) === "subscription"))(
    "%s shows a free account where to get a plan that has it",
    async (name, operation) => {
      const { status, error, headers } = await call(name, { key: free }, neededParameters(operation));
      expect([status, error?.code]).toEqual([200, 40_300]);
      expect(error?.data).toEqual({
        ...{ reason: "upgrade-required", upgradeUrl: "/plans", nextStep: expect.stringContaining("/plans") },
        ...{ requiredTier: expect.any(Number), currentTier: 0, planKey: "free" },
      });
      expect(headers.get("WWW-Authenticate")).toBeNull();
    },
  );

  test("a subscription that has ended is distinguished from one that never was", async () => {
    const { key } = await openAccount(database, {
      subscriptions: [{ plan: "enterprise", validUntil: minutesOn(-1) }],
    });
    const { status, error } = await call(gas, { key });
    expect([status, error?.code, error?.data?.reason]).toEqual([200, 40_300, "lapsed-subscription"]);
    expect(error?.data?.nextStep).toContain("renewed");
    const scope = await call("list_company_event_impacts", { key: free });
    expect([scope.status, scope.error?.data?.reason]).toEqual([200, expect.not.stringContaining("lapsed")]);
  });

  test.each([
    ["X-Service-Key", ""],
    ["X-Api-Key", ""],
    ["Authorization", "Bearer "],
    ["Authorization", "bearer  "],
  ])("a key in %s: %s<key> is read, and a bad one refused", async (name, before) => {
    expect((await call(gas, { headers: { [name]: before + free } })).result).toBeDefined();
    expect((await call(gas, { headers: { [name]: `${before}garbage` } })).error?.code).toBe(40_100);
  });

  test("a bearer token is not a key anywhere else", async () => {
    const headers = { Authorization: `Bearer ${free}` };
    expect((await app.get(gasPath, { key: null, headers })).status).toBe(401);
    expect((await call(gas, { headers: { Authorization: `Basic ${free}` } })).error?.code).toBe(40_100);
  });

  test("calls of tools and requests of other protocols count against the same quota", async () => {
    const key = await app.key("free");
    expect(await send(29, () => app.get(gasPath, { key }))).toEqual({ 200: 29 });
    expect((await call(gas, { key })).status).toBe(200);
    const { status, error, headers } = await call("ids_economic_read", { key }, { operation: gas });
    expect([status, error?.code]).toEqual([200, 42_900]);
    const resetsAt = String(error?.data?.resetsAt);
    expect(error?.data).toMatchObject({ reason: "per-minute", limit: 30, nextStep: expect.stringContaining(resetsAt) });
    expect(Date.parse(resetsAt) - minutesOn(0).getTime()).toBeLessThanOrEqual(60_000);
    expect(Number(headers.get("Retry-After"))).toBeGreaterThan(0);
    expect((await app.get(gasPath, { key })).status).toBe(429);
  });

  test.each(reads.filter(([, { freeCallsPerDay }]) => freeCallsPerDay > 0))(
    "%s is rejected for a free account after its calls of the day, which the allowance reports",
    async (name, operation) => {
      const key = await app.key("free");
      const left = async () => (await requestResource(app, "ids://account/mcp-allowance", { key })).body;
      const limit = operation.freeCallsPerDay;
      expect(await left()).toMatchObject({ tool: name, used: 0, limit, remaining: limit });
      for (let made = 0; made < limit; made++) expect((await call(name, { key })).error?.code).not.toBe(42_900);
      const { status, error, headers } = await call(name, { key });
      expect([status, error?.code, error?.data?.resetsAt]).toEqual([200, 42_900, "2026-11-19T00:00:00.000Z"]);
      expect(headers.get("Retry-After")).toBe(String(12 * 60 * 60));
      expect(await left()).toMatchObject({ used: limit, remaining: 0, resetsAt: "2026-11-19T00:00:00.000Z" });
      expect((await app.get(operation.path, { key })).status).toBe(429);
    },
  );

  test("a source that was never read is reported as such, and not as an empty response", async () => {
    const { status, error } = await call("list_internet_outages", { key: free });
    expect([status, error?.code, error?.data?.reason]).toEqual([200, 50_300, "source-unavailable"]);
    expect(error?.data?.nextStep).toMatch(/Retry in \d+ seconds/);
  });

  test("a page that made its own name point at this machine is refused", async () => {
    const sendRequest = async (host: string) => {
      const { statusCode, body } = await request(`${app.url}/mcp`, {
        method: "POST",
        headers: { host, "content-type": "application/json" },
        body: rpcBody("ping"),
      });
      return [statusCode, await body.json()];
    };
    expect(await sendRequest("evil.example")).toEqual([
      403,
      { jsonrpc: "2.0", id: null, error: { code: -32_600, message: "Host not allowed", data: expect.anything() } },
    ]);
    expect((await sendRequest("localhost:1"))[0]).toBe(200);
  });

  test("a page of another origin is rejected if origins are named, and accepted otherwise", async () => {
    const anywhere = await requestMcp(app, "ping", {}, { headers: { Origin: "https://a.example" } });
    expect([anywhere.status, anywhere.headers.get("Access-Control-Allow-Origin")]).toEqual([200, "*"]);
    const named = "https://app.example";
    await using strict = await startApp(database, { environment: { IDS_ALLOWED_ORIGINS: named } });
    const ping = rpcBody("ping");
    const foreign = await sendMcp(strict, ping, { headers: { Origin: "https://a.example" } });
    expect([foreign.status, foreign.headers.get("Access-Control-Allow-Origin")]).toEqual([403, null]);
    const own = await sendMcp(strict, ping, { headers: { Origin: named } });
    expect([own.status, own.headers.get("Access-Control-Allow-Origin")]).toEqual([200, named]);
    expect((await sendMcp(strict, ping)).status).toBe(200);
  });

  test.each([
    ["a batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, 400, -32_600],
    ["an id of more than 256 bytes", `{"jsonrpc":"2.0","id":"${"é".repeat(128)}","method":"ping"}`, 400, -32_600],
    ["an id of another kind", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, 400, -32_600],
    ["invalid JSON", "{", 400, -32_700],
    ["invalid UTF-8", Buffer.from('{"jsonrpc":"2.0","id":"é","method":"ping"}', "latin1"), 400, -32_700],
    ["an invalid request", `{"id":1}`, 400, -32_600],
    [
      "more than 256 KB",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":"${"x".repeat(262_144)}"}}`,
      413,
      -32_600,
    ],
    [
      "more than 10,000 values",
      `{"jsonrpc":"2.0","id":1,"method":"ping","params":[${"0,".repeat(10_000)}0]}`,
      400,
      -32_600,
    ],
    ["an unknown method", `{"jsonrpc":"2.0","id":1,"method":"no/such"}`, 200, -32_601],
    ["an unknown tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}`, 200, -32_602],
    ["a tool without a name", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{}}`, 200, -32_602],
    [
      "a list as arguments",
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${gas}","arguments":[1]}}`,
      200,
      -32_602,
    ],
  ])("%s is refused", async (_what, body, status, code) => {
    const response = await sendMcp(app, body, { key: free });
    expect([response.status, await response.json()]).toMatchObject([status, { jsonrpc: "2.0", error: { code } }]);
  });

  test("a notification is accepted without a response, and events are sent to clients that read them", async () => {
    const taken = await sendMcp(app, `{"jsonrpc":"2.0","method":"notifications/initialized"}`);
    expect([taken.status, await taken.text()]).toEqual([202, ""]);
    const ping = `{"jsonrpc":"2.0","id":"é\\u2028","method":"ping"}`;
    const plain = await sendMcp(app, ping);
    const text = await plain.text();
    expect(plain.headers.get("Content-Type")).toBe("application/json");
    expect(JSON.parse(text)).toEqual({ jsonrpc: "2.0", id: "é\u2028", result: {} });
    const events = await sendMcp(app, ping, { headers: { Accept: "application/json, text/event-stream" } });
    expect([events.headers.get("Content-Type"), await events.text()]).toEqual([
      "text/event-stream",
      `event: message\ndata: ${text}\n\n`,
    ]);
  });

  test("no stream is kept open: listening is refused at once, and so is waiting for events", async () => {
    const meta = {
      "io.modelcontextprotocol/protocolVersion": "2026-07-28",
      "io.modelcontextprotocol/clientCapabilities": {},
    };
    const headers = { "MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "subscriptions/listen" };
    const params = { _meta: meta, notifications: { toolsListChanged: true } };
    expect((await requestMcp(app, "subscriptions/listen", params, { headers })).error?.code).toBe(-32_603);
    expect((await requestMcp(app, "subscriptions/listen")).error?.code).toBe(-32_601);
    const waiting = await fetch(`${app.url}/mcp`, { headers: { Accept: "text/event-stream" } });
    expect([waiting.status, waiting.headers.get("Allow")]).toEqual([405, "POST, GET, HEAD, OPTIONS"]);
    expect((await fetch(`${app.url}/mcp`, { method: "DELETE" })).status).toBe(405);
  });

  test("who looks before speaking gets the card and a guide that names every tool and prompt, as JSON whatever is accepted", async () => {
    for (const accept of ["*/*", "text/html,*/*;q=0.8", "text/markdown", "application/json"]) {
      const looked = await fetch(`${app.url}/mcp`, { headers: { Accept: accept } });
      expect(looked.headers.get("Content-Type")).toBe("application/json; charset=utf-8");
      const body = await looked.text();
      const { guide } = JSON.parse(body) as { guide: string };
      for (const name of [...reads.map(([name]) => name), ...prompts.map(({ name }) => name)])
        expect(guide).toContain(name);
      const head = await fetch(`${app.url}/mcp`, { method: "HEAD", headers: { Accept: accept } });
      expect(head.headers.get("Content-Length")).toBe(String(Buffer.byteLength(body)));
    }
    for (const path of ["/.well-known/mcp.json", "/.well-known/mcp", "/mcp"]) {
      const headers = { Accept: "application/json" };
      const card = (await (await fetch(app.url + path, { headers })).json()) as Record<string, unknown>;
      expect(card).toMatchObject({
        ...{ name: "intelligence-data-service", protocolVersions: ["2026-07-28", "2025-11-25"] },
        ...{ transports: [{ type: "streamable-http", url: "/mcp" }], authentication: { required: false } },
      });
    }
  });

  test("what reaches no operation counts by its address", async () => {
    const describeGas = rpcBody("tools/call", { name: "describe_tool", arguments: { tool_name: gas } });
    const unknown = rpcBody("tools/call", { name: "no_such_tool" });
    expect(await send(590, () => sendMcp(app, describeGas))).toEqual({ 200: 590 });
    for (let left = 20; left > 0; left -= 1) await sendMcp(app, describeGas);
    // A status of failure would end the session of a client that takes it for one.
    for (const body of [describeGas, unknown, rpcBody("tools/list")]) {
      const rejected = await sendMcp(app, body);
      expect([rejected.status, await rejected.json()]).toMatchObject([200, { error: { code: 42_900 } }]);
      expect(rejected.headers.get("Link")).toBe('</docs/errors#quota-exceeded>; rel="help"');
    }
    const notice = JSON.stringify({ jsonrpc: "2.0", method: "notifications/initialized" });
    expect((await sendMcp(app, notice)).status).toBe(202);
    expect((await call(gas, { key: free })).status).toBe(200);
  });
});
