import { expect, onTestFinished, test } from "vitest";
import { listen } from "../../../src/http/listener.ts";
import { inSlices } from "../../../src/http/load/accept-queue.ts";
import type { Request, Response } from "../../../src/http/node-message.ts";
import { openRaw } from "../raw-connection.ts";

/** A port whose every answer takes the event loop for a while, and the paths in the order in which they were looked at. */
async function open() {
  const seen: string[] = [];
  const answer = (request: Request, response: Response) => {
    seen.push(request.url ?? "");
    const begun = performance.now();
    while (performance.now() - begun < 3) {}
    response.end(`yes ${request.url}`);
  };
  const handle = inSlices(answer, {
    isUrgent: (path) => path === "/urgent",
    isOfPeople: (path) => path.startsWith("/page"),
  });
  const { port, close } = await listen("127.0.0.1", 0, handle);
  onTestFinished(() => close(0));
  return { port, seen };
}

const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;

test("of a hundred requests that come at once none holds up what never waits", async () => {
  const { port, seen } = await open();
  using many = await openRaw(port);
  using urgent = await openRaw(port);
  many.send(Array.from({ length: 100 }, (_, index) => get(`/${index}`)).join(""));
  await many.heard(/yes/);
  urgent.send(get("/urgent"));
  await urgent.heard(/yes/);
  expect(seen.indexOf("/urgent")).toBeLessThan(90);
  await many.heard(/yes \/99/);
  expect(seen.filter((path) => path !== "/urgent")).toEqual(Array.from({ length: 100 }, (_, index) => `/${index}`));
});

test("who has gone before its turn is not looked at", async () => {
  const { port, seen } = await open();
  using many = await openRaw(port);
  many.send(Array.from({ length: 100 }, (_, index) => get(`/${index}`)).join(""));
  await many.heard(/yes/);
  many.socket.resetAndDestroy();
  using after = await openRaw(port);
  after.send(get("/after"));
  await after.heard(/yes/);
  expect(seen.length).toBeLessThan(90);
});

test("programs are served before the pages of a crowd, and some pages are served in between", async () => {
  const { port, seen } = await open();
  using crowd = await openRaw(port);
  using program = await openRaw(port);
  crowd.send(Array.from({ length: 60 }, (_, index) => get(`/page/${index}`)).join(""));
  await crowd.heard(/yes/);
  program.send(Array.from({ length: 20 }, (_, index) => get(`/api/${index}`)).join(""));
  await program.heard(/yes \/api\/19/);
  const first = seen.indexOf("/api/0");
  const between = seen.slice(first, seen.indexOf("/api/19")).filter((path) => path.startsWith("/page"));
  expect(seen.length).toBeLessThan(60);
  expect(between.length).toBeGreaterThan(0);
  expect(between.length).toBeLessThan(10);
  await crowd.heard(/yes \/page\/59/);
});
