import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { request } from "undici";
import { afterAll, beforeAll, expect, test } from "vitest";
import { AddressRefused, guardedAgent } from "../../src/egress/guarded-agent.ts";
import { noProxy } from "../../src/egress/proxy.ts";
import type { Address, Resolve } from "../../src/egress/resolver.ts";

let server: Server;
let port = 0;
let connections = 0;
let hosts: (string | undefined)[] = [];
beforeAll(async () => {
  server = createServer((requested, response) => {
    hosts.push(requested.headers.host);
    if (requested.url === "/elsewhere") response.writeHead(302, { Location: `http://127.0.0.1:${port}/` });
    response.end();
  });
  server.on("connection", () => connections++);
  await once(server.listen(0, "127.0.0.1"), "listening");
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => server.close());

const own: Address = { address: "127.0.0.1", family: 4 };

/** The error of a call, or its status; and how many connections were made. */
async function call(resolve: Resolve, { allowLoopback = false, path = "/", host = "hooks.example.org" } = {}) {
  connections = 0;
  hosts = [];
  const agent = guardedAgent({ resolve, allowLoopback, connectMs: 300, proxy: noProxy });
  try {
    const { statusCode, body } = await request(`http://${host}:${port}${path}`, { dispatcher: agent });
    await body.dump();
    return { status: statusCode, connections };
  } catch (error) {
    return { error, connections };
  } finally {
    await agent.destroy();
  }
}

test("a name that leads to this machine is refused before anything is connected", async () => {
  for (const address of [
    "127.0.0.1",
    "::1",
    "10.0.0.1",
    "169.254.169.254",
    "::ffff:127.0.0.1",
    "64:ff9b::7f00:1",
    "0.0.0.0",
  ]) {
    const family = address.includes(":") ? 6 : 4;
    const outcome = await call(async () => [{ address, family }]);
    expect(outcome, address).toEqual({ error: expect.any(AddressRefused), connections: 0 });
  }
});

test("a name with one public and one private address is refused whichever comes first", async () => {
  const both: Address[] = [{ address: "8.8.8.8", family: 4 }, own];
  for (const response of [both, both.toReversed()])
    expect(await call(async () => response)).toEqual({ error: expect.any(AddressRefused), connections: 0 });
});

test("an address written into the URL is judged like any other", async () => {
  const never: Resolve = () => Promise.reject(new Error("asked"));
  for (const host of ["127.0.0.1", "[::1]", "[::ffff:127.0.0.1]"])
    expect(await call(never, { host })).toEqual({ error: expect.any(AddressRefused), connections: 0 });
});

test("the name is resolved once a connection, and what was judged is what is connected to", async () => {
  const responses: Address[][] = [[own], [{ address: "10.0.0.1", family: 4 }]];
  let requested = 0;
  const changing: Resolve = async () => responses[requested++] ?? [];
  expect(await call(changing, { allowLoopback: true })).toEqual({ status: 200, connections: 1 });
  expect([requested, hosts]).toEqual([1, [`hooks.example.org:${port}`]]);
  expect(await call(changing, { allowLoopback: true })).toEqual({ error: expect.any(AddressRefused), connections: 0 });
  expect(await call(changing)).toEqual({ error: expect.any(AddressRefused), connections: 0 });
});

test("a redirect is not followed", async () => {
  expect(await call(async () => [own], { allowLoopback: true, path: "/elsewhere" })).toEqual({
    status: 302,
    connections: 1,
  });
});

test("a name that is never resolved, or not at all, fails in time", async () => {
  for (const resolve of [() => new Promise<never>(() => undefined), () => Promise.reject(new Error("no such name"))]) {
    const { error, connections: made } = await call(resolve);
    expect(error).toBeInstanceOf(Error);
    expect(made).toBe(0);
  }
});
