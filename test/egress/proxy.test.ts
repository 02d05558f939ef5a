import { request } from "undici";
import { expect, test } from "vitest";
import { guardedAgent } from "../../src/egress/guarded-agent.ts";
import type { Resolve } from "../../src/egress/resolver.ts";
import { liveUpstream } from "../../src/upstream/live.ts";
import { closedNetwork } from "./tunnels.ts";

const credentials = `Basic ${Buffer.from("user:pass word").toString("base64")}`;

function sendRequest(https: string | undefined, url: string, except = "") {
  const options = { clock: () => new Date(0), variable: () => undefined, wait: async () => undefined };
  return liveUpstream({ ...options, random: () => 0, proxy: { https, except } }).text({ url, tries: 1 });
}

async function call(https: string, url: string, resolve: Resolve, except = "") {
  const agent = guardedAgent({ resolve, allowLoopback: false, connectMs: 1_000, proxy: { https, except } });
  try {
    const { statusCode, body } = await request(url, { dispatcher: agent, method: "POST", body: "{}" });
    await body.dump();
    return statusCode;
  } catch (error) {
    return String(error);
  } finally {
    await agent.destroy();
  }
}

test("an upstream is reached through the proxy, by its name and over its own TLS", async () => {
  await using network = await closedNetwork('{"n":1}');
  expect(await sendRequest(network.proxy, "https://data.example.org/v1")).toBe('{"n":1}');
  expect(network.tunnels).toEqual([{ to: "data.example.org:443", authorization: credentials }]);
  expect(network.requested).toEqual(["data.example.org"]);
});

test("what NO_PROXY names is asked directly, and its domains with it", async () => {
  await using network = await closedNetwork();
  for (const except of ["example.net,localhost", "*"])
    await expect(sendRequest(network.proxy, `https://localhost:${network.port}/`, except)).rejects.toThrow(/broke off/);
  expect(network.tunnels).toEqual([]);
});

test("a rejection by a proxy is reported as a broken connection, without its password", async () => {
  await using network = await closedNetwork("", 407);
  const failure = await sendRequest(network.proxy, "https://data.example.org/v1").catch(String);
  expect(failure).toMatch(/data\.example\.org broke off: .*407/);
  expect(failure).not.toContain("pass");
});

test("a webhook goes through the proxy to the address that was judged, under its own name", async () => {
  await using network = await closedNetwork();
  const resolve: Resolve = async () => [{ address: "8.8.8.8", family: 4 }];
  expect(await call(network.proxy, "https://hooks.example.org/in", resolve)).toBe(200);
  expect(network.tunnels).toEqual([{ to: "8.8.8.8:443", authorization: credentials }]);
  expect(network.requested).toEqual(["hooks.example.org"]);
});

test("a name that leads inside is refused before the proxy hears of it, however it is written", async () => {
  await using network = await closedNetwork();
  const inner: Resolve = async () => [{ address: "10.0.0.7", family: 4 }];
  for (const url of ["https://hooks.example.org/in", "https://169.254.169.254/latest", "https://[::1]:8443/"])
    for (const except of ["", "*"])
      expect(await call(network.proxy, url, inner, except), url).toMatch(/AddressRefused/);
  expect(network.tunnels).toEqual([]);
});
