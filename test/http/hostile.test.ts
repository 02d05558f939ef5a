import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import fc from "fast-check";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../src/contract/catalog.ts";
import type { Database } from "../../src/store/database.ts";
import { eventually, startApp, type TestApp } from "../support/app.ts";
import { openLoaded } from "../support/loaded.ts";
import { openRaw } from "./raw-connection.ts";

const ipGeo = "/api/infrastructure/v1/get-ip-geo";
const outages = "/api/infrastructure/v1/list-internet-outages";
const conflict = "/api/conflict/v1/list-conflict-events";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  key = await app.key("operator");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** Resolves with the bytes of a connection when it ends or the response is complete. */
async function responseTo(bytes: string | Uint8Array): Promise<string> {
  using peer = await openRaw(app.url);
  peer.send(bytes);
  return await peer.heard(/^HTTP\/1\.1 \d{3} .*\r\n\r\n/s);
}

function get(path: string, headers: readonly string[] = []): string {
  return `${[`GET ${path} HTTP/1.1`, "Host: x", `X-Service-Key: ${key}`, ...headers].join("\r\n")}\r\n\r\n`;
}

function statusOf(response: string): number {
  return Number(response.slice(9, 12));
}

async function expectAlive(): Promise<void> {
  expect((await app.get(ipGeo)).status).toBe(200);
}

test("a head of more than 16 KB is 431", async () => {
  const response = await responseTo(get(ipGeo, [`X: ${"x".repeat(17_000)}`]));
  expect(response).toMatch(/^HTTP\/1\.1 431 .*\r\nX-Request-Id: .*"error":"Request Header Fields Too Large"/s);
  expect(statusOf(await responseTo(get(`${ipGeo}?${"x".repeat(20_000)}`)))).toBe(431);
  expect(statusOf(await responseTo(get(ipGeo, [`X: ${"x".repeat(15_000)}`])))).toBe(200);
  await expectAlive();
});

test.each([
  ["nothing like HTTP", "GARBAGE\r\n\r\n"],
  ["another version", "GET / HTTP/9.9\r\nHost: x\r\n\r\n"],
  ["a NUL in the path", "GET /\0 HTTP/1.1\r\nHost: x\r\n\r\n"],
  ["a NUL in a header", "GET / HTTP/1.1\r\nHost: x\r\nX: a\0b\r\n\r\n"],
  ["a blank before the colon", "GET / HTTP/1.1\r\nHost : x\r\n\r\n"],
  ["a negative length", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\n"],
  ["two lengths", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nxx"],
  [
    "a length and chunks",
    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
  ],
  ["a chunk without a size", "POST /x/y HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n"],
  ["a TLS greeting", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
  ["almost the preface of HTTP/2", "PRI * HTTP/2.0\r\n\r\nXX\r\n\r\n"],
])("%s is refused and harms nothing", async (_what, bytes) => {
  const response = await responseTo(Buffer.from(bytes, "latin1"));
  expect([400, 404]).toContain(statusOf(response));
  expect(response).toMatch(/\r\nX-Request-Id: \S+\r\n/);
  expect(response.toLowerCase()).toContain("\r\ncache-control: no-store\r\n");
  await expectAlive();
});

test("a request without a host is 400", async () => {
  expect(statusOf(await responseTo("GET / HTTP/1.1\r\n\r\n"))).toBe(400);
});

test("the answer to a good request is not lost to the garbage behind it", async () => {
  using peer = await openRaw(app.url);
  peer.send(`${get(conflict, ["X-Request-Id: good"])}GARBAGE\r\n\r\n`);
  const heard = await peer.ended;
  expect(heard).toMatch(/^HTTP\/1\.1 200 /);
  expect(heard).toContain("X-Request-Id: good");
  expect(heard.endsWith("}")).toBe(true);
});

test("pipelined requests are answered in their order", async () => {
  using peer = await openRaw(app.url);
  const paths = [conflict, ipGeo, "/nothing", `${outages}?country=1`, `${conflict}?country=SD`, "/livez"];
  const requested = Array.from({ length: 60 }, (_, index) => `r${index}`);
  peer.send(requested.map((id, index) => get(paths[index % paths.length] ?? "/", [`X-Request-Id: ${id}`])).join(""));
  const heard = await peer.heard(/X-Request-Id: r59\r\n/);
  expect([...heard.matchAll(/^X-Request-Id: (r\d+)\r$/gm)].map(([, id]) => id)).toEqual(requested);
});

test("no query causes a server fault, whatever it contains", { timeout: 60_000 }, async () => {
  const reads = catalog.filter(({ verb }) => verb === "GET");
  const names = reads.flatMap(({ method }) => method.input.fields.map(({ name }) => name));
  const odd = fc.constantFrom("%", "%0", "%zz", "%00", "%ED%A0%80", "%FF", "%F0%9F%92%A9", "+", "-0", "1e999", "NaN");
  const digits = fc.constantFrom("9".repeat(400), "0x10", "-1", "1.5", "9223372036854775808", "\u{7f}", "é", "..;/");
  const anything = fc.string({ unit: "binary", maxLength: 20 }).map((text) => encodeURIComponent(text.toWellFormed()));
  const printable = fc.stringMatching(/^[!-~]{0,20}$/).map((text) => text.replaceAll("#", ""));
  const value = fc.oneof(odd, digits, anything, printable);
  const pair = fc.tuple(fc.constantFrom(...names, "__proto__", "constructor", "jmespath", ""), value);
  const query = fc
    .array(pair, { maxLength: 6 })
    .map((pairs) => pairs.map(([name, text]) => `${name}=${text}`).join("&"));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...reads), query, async ({ path }, text) => {
      const status = statusOf(await responseTo(Buffer.from(get(`${path}?${text}`), "latin1")));
      expect([200, 400, 404, 429]).toContain(status);
    }),
    { numRuns: 300 },
  );
});

test("conditions sent twice are joined, and nothing sent twice makes a fault", async () => {
  const tag = (await app.get(outages)).headers.get("ETag") ?? "";
  const plain = tag.replace(/-(gz|br)"$/, '"');
  expect(statusOf(await responseTo(get(outages, ['If-None-Match: "x"', `If-None-Match: ${plain}`])))).toBe(304);
  expect(statusOf(await responseTo(get(outages, ["Accept-Encoding: br;q=0", "Accept-Encoding: gzip"])))).toBe(200);
  for (const name of ["Host", "Origin", "X-Request-Id", "X-Forwarded-For", "Content-Type", "Connection", "X-Api-Key"])
    expect(statusOf(await responseTo(get(ipGeo, [`${name}: a`, `${name}: b`]))), name).toBeLessThan(500);
});

test("different keys in one request are rejected, in either order and over every protocol; the same key twice is accepted", async () => {
  const calls = {
    REST: get(ipGeo),
    Connect: `GET /ids.infrastructure.v1.InfrastructureService/GetIpGeo?encoding=json&message=%7B%7D&connect=v1 HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\n\r\n`,
    MCP: `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Service-Key: ${key}\r\nAccept: application/json, text/event-stream\r\nContent-Type: application/json\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
    gRPC: `POST /ids.infrastructure.v1.InfrastructureService/GetIpGeo HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\nContent-Type: application/grpc-web+proto\r\nContent-Length: 5\r\n\r\n\0\0\0\0\0`,
  };
  const line = `X-Service-Key: ${key}\r\n`;
  const isRejected = (response: string) => statusOf(response) === 401 || /grpc-status: 16/i.test(response);
  for (const [protocol, request] of Object.entries(calls))
    for (const other of ["garbage", `wm_${"0".repeat(64)}`, ""]) {
      const wrong = `X-Service-Key: ${other}\r\n`;
      for (const lines of [line + wrong, wrong + line])
        expect(isRejected(await responseTo(request.replace(line, lines))), `${protocol} ${lines}`).toBe(true);
      expect(isRejected(await responseTo(request.replace(line, line + line))), protocol).toBe(false);
    }
});

test("an unexpected body is skipped", async () => {
  using peer = await openRaw(app.url);
  const bodied = (id: string) => get(ipGeo, ["Content-Length: 1000000", `X-Request-Id: ${id}`]) + "x".repeat(1_000_000);
  peer.send(bodied("first") + bodied("second"));
  const heard = await peer.heard(/X-Request-Id: second\r\n/);
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
});

test("absurd lists in headers are answered in bounded time", async () => {
  const tag = (await raw(outages)).headers.etag;
  const encodings = Array.from({ length: 2_000 }, (_, index) => `x${index}`).join(",");
  const cases = [
    { "Accept-Encoding": encodings },
    { "Accept-Encoding": `${",".repeat(10_000)}gzip;${"q=1;".repeat(500)}` },
    { "Accept-Encoding": `gzip${" ".repeat(14_000)};q=1` },
    { "If-None-Match": Array.from({ length: 2_000 }, () => '"abc"').join(",") },
    { "If-None-Match": `${'"a" '.repeat(3_000)}` },
    { "If-None-Match": `${",".repeat(7_000)}${" ".repeat(7_000)}` },
    { "X-Forwarded-For": Array.from({ length: 1_500 }, () => "10.0.0.1").join(",") },
  ];
  for (const headers of cases) {
    const begun = performance.now();
    expect((await raw(outages, headers)).statusCode).toBe(200);
    expect(performance.now() - begun).toBeLessThan(1_000);
  }
  const held = `${Array.from({ length: 1_900 }, () => '"abc"').join(",")},${tag}`;
  expect((await raw(outages, { "If-None-Match": held })).statusCode).toBe(304);
});

test("numbers without end are refused in bounded time", async () => {
  const begun = performance.now();
  for (const text of [
    `${"1".repeat(15_000)}x`,
    `.${"1".repeat(15_000)}x`,
    `1e${"1".repeat(15_000)}x`,
    "1".repeat(15_000),
  ])
    for (let round = 0; round < 5; round++)
      expect((await raw(`/api/military/v1/list-military-bases?zoom=${text}`)).statusCode).toBe(400);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

async function raw(path: string, headers: Record<string, string> = {}) {
  const response = await request(app.url + path, { headers: { "X-Service-Key": key, ...headers } });
  await response.body.dump();
  return response;
}

test("clients that go away in mid-request harm nothing", async () => {
  const whole = get(`${conflict}?start=1`);
  const call = `POST /ids.infrastructure.v1.InfrastructureService/GetIpGeo HTTP/1.1\r\nHost: x\r\nX-Service-Key: ${key}\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`;
  for (let round = 0; round < 20; round++)
    for (const bytes of ["", "G", whole.slice(0, 30), whole, whole + whole, call]) {
      using peer = await openRaw(app.url);
      if (round % 2 === 0) peer.send(bytes);
      else peer.socket.write(bytes, () => peer.socket.resetAndDestroy());
    }
  await expectAlive();
  const held = async () =>
    [...(await (await app.get("/metrics")).text()).matchAll(/^nodejs_active_handles\{.*\} (\d+)$/gm)].map(
      ([, count]) => count,
    );
  await eventually(held, (counts) => counts.length > 0 && counts.reduce((sum, count) => sum + Number(count), 0) < 100);
});

/** A frame of HTTP/2: type, flags, stream and payload. */
function frame(type: number, flags: number, stream: number, payload: Uint8Array = Buffer.alloc(0)): Buffer {
  const head = Buffer.alloc(9);
  head.writeUIntBE(payload.length, 0, 3);
  head.writeUInt8(type, 3);
  head.writeUInt8(flags, 4);
  head.writeUInt32BE(stream, 5);
  return Buffer.concat([head, payload]);
}

const preface = Buffer.from("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n");
const settings = frame(4, 0, 0);
const setting = Buffer.from([0, 3, 0, 0, 0, 100]);

test.each([
  ["settings", Buffer.concat(Array.from({ length: 20_000 }, () => frame(4, 0, 0, setting)))],
  ["pings", Buffer.concat(Array.from({ length: 20_000 }, () => frame(6, 0, 0, Buffer.alloc(8))))],
  ["a settings frame with 5,000 entries", frame(4, 0, 0, Buffer.concat(Array.from({ length: 2_700 }, () => setting)))],
  ["empty data frames of no stream", Buffer.concat(Array.from({ length: 20_000 }, () => frame(0, 0, 1)))],
  ["a frame larger than allowed", frame(0, 0, 1, Buffer.alloc(100_000))],
  ["headers that are not HPACK", frame(1, 5, 1, Buffer.alloc(1_000, 0xff))],
  ["headers without an end", Buffer.concat([frame(1, 0, 1), ...Array.from({ length: 20_000 }, () => frame(9, 0, 1))])],
])("a peer that floods HTTP/2 with %s is disconnected and harms no other client", async (_what, flood) => {
  using peer = await openRaw(app.url);
  peer.send(Buffer.concat([preface, settings, flood]));
  await peer.ended;
  await expectAlive();
});

test("more streams at once than allowed are refused, and the others answered", async () => {
  const session = connectHttp2(app.url);
  await once(session, "remoteSettings");
  const outcomes = await Promise.all(
    Array.from({ length: 500 }, async () => {
      const stream = session.request({ ":path": ipGeo, "x-service-key": key });
      stream.resume();
      const [headers] = await once(stream, "response").catch(() => [undefined]);
      return headers?.[":status"] ?? "refused";
    }),
  );
  expect(outcomes.filter((outcome) => outcome === 200).length).toBeGreaterThanOrEqual(100);
  expect(outcomes.every((outcome) => outcome === 200 || outcome === "refused")).toBe(true);
  session.close();
  await expectAlive();
});

test("streams that are opened and canceled at once harm no other client", async () => {
  const session = connectHttp2(app.url);
  session.on("error", () => undefined);
  for (let round = 0; round < 3_000 && !session.closed; round++) {
    const stream = session.request({ ":path": conflict });
    stream.on("error", () => undefined);
    stream.close(8);
  }
  await expectAlive();
  session.destroy();
});

test("a head of more than 16 KB over HTTP/2 is refused", async () => {
  const session = connectHttp2(app.url);
  session.on("error", () => undefined);
  await once(session, "remoteSettings");
  await new Promise((resolve) => session.ping(resolve));
  const stream = session.request({ ":path": ipGeo, "x-service-key": key, x: "x".repeat(20_000) });
  await expect(once(stream, "response")).rejects.toThrow();
  session.destroy();
  await expectAlive();
});
