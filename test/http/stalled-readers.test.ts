import { once } from "node:events";
import { type ClientHttp2Session, connect, constants } from "node:http2";
import { expect, onTestFinished, test } from "vitest";
import { type ListenerLimits, listen } from "../../src/http/listener.ts";
import type { Request, Response } from "../../src/http/node-message.ts";
import { openRaw } from "./raw-connection.ts";

const body = Buffer.alloc(300_000, "x");

/** A port whose every answer is 300 kB. */
async function open(limits: Partial<ListenerLimits>, handle = answer): Promise<number> {
  const listener = await listen("127.0.0.1", 0, handle, limits);
  onTestFinished(() => listener.close(0));
  return listener.port;
}

function answer(_request: Request, response: Response): void {
  response.end(body);
}

/** A session that receives this number of bytes of each response, and pings all the time. */
function pinging(port: number, initialWindowSize: number): ClientHttp2Session {
  const session = connect(`http://127.0.0.1:${port}`, { settings: { initialWindowSize } });
  session.on("error", () => undefined);
  const pings = setInterval(() => !session.destroyed && session.ping(() => undefined), 20);
  session.once("close", () => clearInterval(pings));
  onTestFinished(() => session.destroy());
  return session;
}

test("a stream whose window stays shut is reset, pings or not, and its session closed", async () => {
  const session = pinging(await open({ stalledMs: 200, idleMs: 400 }), 0);
  const reported = once(session, "goaway");
  const ended = once(session, "close");
  const stream = session.request();
  stream.on("error", () => undefined);
  await once(stream, "close");
  expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
  await reported;
  await ended;
});

test("a stream is reset as well if its window opened only partly", async () => {
  const session = pinging(await open({ stalledMs: 200 }), 100_000);
  const stream = session.request();
  stream.on("error", () => undefined);
  await once(stream.resume(), "response");
  // The client of Node opens a window automatically. An unread stream keeps the window shut.
  stream.pause();
  await once(stream, "close");
  expect(stream.rstCode).toBe(constants.NGHTTP2_CANCEL);
});

test("who takes an answer over HTTP/2 slowly gets all of it", async () => {
  const session = pinging(await open({ stalledMs: 400 }), 40_000);
  const stream = session.request();
  let taken = 0;
  stream.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 40);
  });
  await once(stream, "end");
  expect(taken).toBe(body.length);
});

test("who takes no more than a frame at a time over HTTP/2 gets all of it too", async () => {
  const session = pinging(await open({ stalledMs: 400 }), 16_384);
  const stream = session.request();
  let taken = 0;
  stream.on("data", (chunk: Buffer) => {
    taken += chunk.length;
    stream.pause();
    setTimeout(() => stream.resume(), 150);
  });
  await once(stream, "end");
  expect(taken).toBe(body.length);
});

test("a session that does nothing but ping is closed", async () => {
  const session = pinging(await open({ idleMs: 200 }), 65_535);
  await once(session, "close");
});

test("an answer in many parts arrives whole and in order, over HTTP/2 too", async () => {
  const parts = Array.from({ length: 40 }, (_, index) => Buffer.alloc(index * 5_000, index));
  const port = await open({}, (_request, response) => {
    const write = async () => {
      for (const part of parts) if (!(response as Writable).write(part)) await once(response, "drain");
      response.end("end");
    };
    void write();
  });
  const session = connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  const chunks: Buffer[] = [];
  const stream = session.request().on("data", (chunk: Buffer) => chunks.push(chunk));
  await once(stream, "end");
  expect(Buffer.concat(chunks).equals(Buffer.concat([...parts, Buffer.from("end")]))).toBe(true);
});

interface Writable {
  write: (chunk: Buffer) => boolean;
}

test("cuts the connection with the most unread bytes above the total maximum", async () => {
  const port = await open({ unreadBytes: 4_000_000 });
  const [modest, greedy] = [pinging(port, 0), pinging(port, 0)];
  const requested = (session: ClientHttp2Session, count: number) =>
    Array.from({ length: count }, () => session.request().on("error", () => undefined));
  requested(modest, 2);
  // A reset on the way is one form of it.
  const cut = new Promise<void>((resolve) => greedy.once("close", resolve));
  requested(greedy, 20);
  await cut;
  expect(modest.destroyed).toBe(false);
});

test("an address, and all together, have no more connections than they may; a proxy counts only for all", async () => {
  const left = async (limits: Partial<ListenerLimits>) => {
    const port = await open(limits);
    const peers: Awaited<ReturnType<typeof openRaw>>[] = [];
    for (let count = 0; count < 5; count += 1) {
      const peer = await openRaw(port);
      peer.send("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
      await peer.heard(/^HTTP\/1\.1 200/).catch(() => undefined);
      peers.push(peer);
    }
    const still = peers.filter(({ socket }) => !socket.readableEnded && !socket.destroyed);
    for (const peer of peers) peer[Symbol.dispose]();
    return still.map((peer) => peers.indexOf(peer));
  };
  const isProxy = (peer: string) => peer === "127.0.0.1";
  expect(await left({ connectionsPerAddress: 3 })).toEqual([2, 3, 4]);
  expect(await left({ connections: 3 })).toEqual([2, 3, 4]);
  expect(await left({ connectionsPerAddress: 3, isProxy })).toEqual([0, 1, 2, 3, 4]);
  expect(await left({ connections: 3, isProxy })).toEqual([0, 1, 2]);
});

test("a connection that closed counts no more", async () => {
  const port = await open({ connectionsPerAddress: 1 });
  for (let round = 0; round < 3; round++) {
    using peer = await openRaw(port);
    peer.send("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
    expect(await peer.ended).toMatch(/^HTTP\/1\.1 200/);
    peer.socket.end();
    await peer.cut;
  }
});
