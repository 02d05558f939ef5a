import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/http/listener.ts";
import { inFairOrder } from "../../../src/http/load/arrivals.ts";
import type { Request, Response } from "../../../src/http/node-message.ts";
import { openRaw } from "../raw-connection.ts";

/** A port whose responses take 3 ms each, and the paths in the order in which they were handled. */
async function open() {
  const seen: string[] = [];
  const respond = (request: Request, response: Response) => {
    seen.push(request.url ?? "");
    const start = performance.now();
    while (performance.now() - start < 3) {}
    response.end(`yes ${request.url}`);
  };
  const handle = inFairOrder(
    respond,
    () => undefined,
    () => "192.0.2.1",
  );
  const { port, close } = await listen("127.0.0.1", 0, handle);
  onTestFinished(() => close(0));
  return { port, seen };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("a hundred requests that arrive together do not delay a probe", async () => {
  const { port, seen } = await open();
  using many = await openRaw(port);
  using urgent = await openRaw(port);
  many.send(Array.from({ length: 100 }, (_, index) => get(`/api/${index}`)).join(""));
  await many.heard(/yes/);
  urgent.send(get("/livez"));
  await urgent.heard(/yes/);
  expect(seen.indexOf("/livez")).toBeLessThan(90);
  await many.heard(/yes \/api\/99/);
  expect(seen.filter((path) => path !== "/livez")).toEqual(Array.from({ length: 100 }, (_, index) => `/api/${index}`));
});

test("requests of a disconnected client are not handled", async () => {
  const { port, seen } = await open();
  using many = await openRaw(port);
  many.send(Array.from({ length: 100 }, (_, index) => get(`/api/${index}`)).join(""));
  await many.heard(/yes/);
  many.socket.resetAndDestroy();
  using after = await openRaw(port);
  after.send(get("/api/after"));
  await after.heard(/yes/);
  expect(seen.length).toBeLessThan(90);
});

test("programs get most of the time, and pages the rest", async () => {
  const { port, seen } = await open();
  using crowd = await openRaw(port);
  using program = await openRaw(port);
  crowd.send(Array.from({ length: 60 }, (_, index) => get(`/countries/${index}`)).join(""));
  await crowd.heard(/yes/);
  program.send(Array.from({ length: 20 }, (_, index) => get(`/api/${index}`)).join(""));
  await program.heard(/yes \/api\/19/);
  const first = seen.indexOf("/api/0");
  const between = seen.slice(first, seen.indexOf("/api/19")).filter((path) => path.startsWith("/countries"));
  expect(seen.length).toBeLessThan(60);
  expect(between.length).toBeGreaterThan(0);
  expect(between.length).toBeLessThan(20);
  await crowd.heard(/yes \/countries\/59/);
});
