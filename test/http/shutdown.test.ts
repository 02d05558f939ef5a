import { once } from "node:events";
import { Agent, get } from "node:http";
import { connect as connectHttp2 } from "node:http2";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { type Listener, listen } from "../../src/http/listener.ts";
import { openRaw } from "./raw-connection.ts";

/** A port whose answers wait until they are let go. */
async function open() {
  const arrived = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const listener = await listen("127.0.0.1", 0, (request, response) => {
    if (request.url === "/fast") return void response.end("fast");
    arrived.resolve();
    void released.promise.then(() => response.end("slow"));
  });
  return { listener, url: `http://127.0.0.1:${listener.port}`, arrived: arrived.promise, release: released.resolve };
}

async function close(listener: Listener, graceMs: number): Promise<number> {
  const begun = performance.now();
  await listener.close(graceMs);
  return performance.now() - begun;
}

test("a stop lets the request under way end and takes no new connection", async () => {
  const { listener, url, arrived, release } = await open();
  const slow = fetch(`${url}/slow`);
  await arrived;
  const closed = close(listener, 5_000);
  await expect(openRaw(listener.port)).rejects.toThrow("ECONNREFUSED");
  release();
  expect(await (await slow).text()).toBe("slow");
  expect(await closed).toBeLessThan(2_000);
});

test("a stop waits neither for idle connections nor for those that never said anything", async () => {
  const { listener, url } = await open();
  const agent = new Agent({ keepAlive: true });
  await new Promise((resolve) => get(`${url}/fast`, { agent }, (response) => resolve(text(response))));
  using silent = await openRaw(listener.port);
  using undecided = await openRaw(listener.port);
  undecided.send("PRI *");
  const session = connectHttp2(url);
  await text(session.request({ ":path": "/fast" }));
  expect(await close(listener, 5_000)).toBeLessThan(1_000);
  await Promise.all([silent.ended, undecided.ended]);
  agent.destroy();
});

test("a stop lets an HTTP/2 stream end and sends GOAWAY to the session", async () => {
  const { listener, url, arrived, release } = await open();
  const session = connectHttp2(url);
  const goaway = once(session, "goaway");
  const slow = text(session.request({ ":path": "/slow" }));
  await arrived;
  const closed = close(listener, 5_000);
  await goaway;
  release();
  expect(await slow).toBe("slow");
  expect(await closed).toBeLessThan(2_000);
});

test("what does not end within the grace time is cut", async () => {
  const { listener, url, arrived } = await open();
  const slow = fetch(`${url}/slow`).then(
    () => "answered",
    () => "cut",
  );
  using half = await openRaw(listener.port);
  half.send("GET / HTTP/1.1\r\nHost:");
  await arrived;
  const took = await close(listener, 300);
  expect(took).toBeGreaterThanOrEqual(290);
  expect(took).toBeLessThan(2_000);
  expect(await slow).toBe("cut");
});
