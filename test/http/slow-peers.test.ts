import { once } from "node:events";
import { connect as connectHttp2 } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { listen, type Timeouts } from "../../src/http/listener.ts";
import type { Request, Response } from "../../src/http/node-message.ts";
import { openRaw } from "./raw-connection.ts";

const timeout: Timeouts = {
  firstBytesMs: 200,
  headMs: 300,
  requestMs: 400,
  idleMs: 200,
  stalledMs: 200,
  lookMs: 20,
};

/** A port that answers each request once its body is there. */
async function open(overrides: Partial<Timeouts> = {}, handle = echo): Promise<number> {
  const listener = await listen("127.0.0.1", 0, handle, { ...timeout, ...overrides });
  onTestFinished(() => listener.close(0));
  return listener.port;
}

function echo(request: Request, response: Response): void {
  if (request.readableEnded) response.end("ok");
  else request.resume().once("end", () => response.end("ok"));
}

async function elapsed(event: Promise<unknown>): Promise<number> {
  const begun = performance.now();
  await event;
  return performance.now() - begun;
}

test("a connection that says nothing is cut", async () => {
  using peer = await openRaw(await open());
  expect(await elapsed(peer.ended)).toBeGreaterThan(150);
});

test("a connection that never identifies its protocol is disconnected, however long it sends", async () => {
  using peer = await openRaw(await open());
  peer.trickle("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", 25);
  await peer.cut;
});

test("a head that trickles is rejected and disconnected, even if the peer continues", async () => {
  using peer = await openRaw(await open());
  peer.send("GET / HTTP/1.1\r\nHost: x\r\nX: ");
  peer.trickle("abc", 20);
  const response = await peer.ended;
  expect(response).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\nConnection: close\r\nCache-Control: no-store\r\n/);
  expect(response).toMatch(/\r\nX-Request-Id: [0-9a-f-]{36}\r\n/);
  await peer.cut;
});

test("a body that trickles is rejected and disconnected", async () => {
  using peer = await openRaw(await open());
  peer.send("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n");
  peer.trickle("abc", 20);
  expect(await peer.ended).toMatch(/^HTTP\/1\.1 408 /);
  await peer.cut;
});

test("a body over HTTP/2 that trickles is rejected and its stream closed, and the session continues", async () => {
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const port = await open({}, (request, response) => {
    if (request.method === "POST") response.once("close", close);
    echo(request, response);
  });
  const session = connectHttp2(`http://127.0.0.1:${port}`);
  const stream = session.request({ ":method": "POST" });
  const trickling = setInterval(() => stream.writable && stream.write("x"), 20);
  stream.on("error", () => undefined);
  let text = "";
  stream.setEncoding("utf8").on("data", (part: string) => {
    text += part;
  });
  const [headers] = await once(stream, "response");
  expect(headers).toMatchObject({ ":status": 408, "cache-control": "no-store" });
  await closed;
  clearInterval(trickling);
  expect(JSON.parse(text)).toEqual({ error: "Request Timeout" });
  const next = session.request();
  expect((await once(next, "response"))[0]).toMatchObject({ ":status": 200 });
  session.destroy();
});

test("a connection that asks nothing more is cut", async () => {
  // Node adds a second of its own, so that a request on its way is not met by a reset.
  using peer = await openRaw(await open());
  peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await peer.ended).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\nok$/s);
});

test("an HTTP/2 session that asks nothing, or nothing more, is closed", async () => {
  const port = await open();
  for (const requests of [0, 1]) {
    const session = connectHttp2(`http://127.0.0.1:${port}`);
    for (let request = 0; request < requests; request++) await once(session.request().resume(), "end");
    await once(session, "close");
  }
});

test("an HTTP/2 session whose stream goes nowhere is cut", async () => {
  const session = connectHttp2(`http://127.0.0.1:${await open()}`);
  const stream = session.request({ ":method": "POST" });
  stream.on("error", () => undefined);
  stream.write("begun, never ended");
  await once(session, "close");
});

test("who takes nothing of the answer is cut", async () => {
  const { promise: cut, resolve } = Promise.withResolvers<boolean>();
  const huge = Buffer.alloc(64 * 1024 * 1024);
  const port = await open({}, (_request, response) => {
    response.once("close", () => resolve(response.writableFinished));
    response.end(huge);
  });
  using peer = await openRaw(port);
  peer.socket.pause();
  peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
  expect(await cut).toBe(false);
});

test("who takes the answer slowly gets all of it", async () => {
  const body = Buffer.alloc(16 * 1024 * 1024, "x");
  const port = await open({ stalledMs: 1_500 }, (_request, response) => response.end(body));
  using peer = await openRaw(port);
  let taken = 0;
  peer.socket.on("data", (chunk: string) => {
    taken += chunk.length;
    peer.socket.pause();
    setTimeout(() => peer.socket.resume(), 10);
  });
  peer.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
  await peer.ended;
  expect(taken).toBeGreaterThan(body.length);
});
