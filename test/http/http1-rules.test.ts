import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { openRaw } from "./raw-connection.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function responseTo(lines: readonly string[], body = ""): Promise<string> {
  using peer = await openRaw(app.url);
  peer.send(`${lines.join("\r\n")}\r\n\r\n${body}`);
  return await peer.heard(/^HTTP\/1\.1 (\d{3}) .*\r\n\r\n.+/s);
}

test.each([
  [400, "two lines that name the host", ["GET /livez HTTP/1.1", "Host: a", "Host: b"]],
  [400, "two equal lines that name the host", ["GET /livez HTTP/1.1", "Host: a", "host: a"]],
  [400, "no line that names the host", ["GET /livez HTTP/1.1"]],
  [417, "an expectation that the server cannot meet", ["GET /livez HTTP/1.1", "Host: a", "Expect: 200-maybe"]],
  [501, "a coding before chunks", ["POST /livez HTTP/1.1", "Host: a", "Transfer-Encoding: gzip, chunked"]],
  [
    501,
    "codings in two lines",
    ["POST /livez HTTP/1.1", "Host: a", "Transfer-Encoding: gzip", "Transfer-Encoding: chunked"],
  ],
  [505, "a later version", ["GET /livez HTTP/2.0", "Host: a"]],
  [400, "a line that names two hosts", ["GET /livez HTTP/1.1", "Host: a, b"]],
  [400, "chunks in HTTP/1.0", ["POST /livez HTTP/1.0", "Host: a", "Transfer-Encoding: chunked"]],
  [400, "an earlier version", ["GET /livez HTTP/0.9", "Host: a"]],
])("the server returns %i for %s, as JSON with a request id", async (status, _what, lines) => {
  const response = await responseTo(lines, status === 501 ? "0\r\n\r\n" : "");
  expect(response).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  const head = response.toLowerCase();
  expect(head).toMatch(/\r\nx-request-id: \S+\r\n/);
  expect(head).toContain("\r\ncontent-type: application/json; charset=utf-8\r\n");
  expect(head).toContain("\r\ncache-control: no-store\r\n");
  expect(response).toMatch(/\r\n\r\n\{"error":"[\w ]+"\}$/);
});

test("a target with scheme and host, as a proxy is asked, is understood", async () => {
  const { host } = new URL(app.url);
  for (const target of [`http://${host}/livez`, "http://elsewhere/livez", "HTTP://x:1/livez?a=1"])
    expect(await responseTo([`GET ${target} HTTP/1.1`, "Host: a"]), target).toMatch(/^HTTP\/1\.1 200 .*"alive"/s);
  expect(await responseTo(["GET http://a?x=1 HTTP/1.1", "Host: a", "Accept: */*"])).toMatch(/^HTTP\/1\.1 200 .*<html/s);
  expect(await responseTo(["GET http:///livez HTTP/1.1", "Host: a"])).toMatch(/^HTTP\/1\.1 404 /);
  const call = ["POST http://a/ids.infrastructure.v1.InfrastructureService/GetIpGeo HTTP/1.1", "Host: a"];
  const typed = [...call, "Content-Type: application/json", "Content-Length: 2"];
  expect(await responseTo(typed, "{}")).toMatch(/^HTTP\/1\.1 401 .*"unauthenticated"/s);
});

test("TRACE, which would return a key to a script, is a verb of no path", async () => {
  for (const path of ["/livez", "/", "/api/account/v1/get-caller"])
    expect(await responseTo([`TRACE ${path} HTTP/1.1`, "Host: a", "X-Service-Key: x"]), path).toMatch(
      /^HTTP\/1\.1 405 /,
    );
});

test("HTTP/1.0 needs no host, and chunks are chunks in any case", async () => {
  expect(await responseTo(["GET /livez HTTP/1.0"])).toMatch(/^HTTP\/1\.1 200 /);
  const chunked = ["POST /api/conflict/v1/list-conflict-events HTTP/1.1", "Host: a", "Transfer-Encoding: CHUNKED"];
  expect(await responseTo(chunked, "0\r\n\r\n")).toMatch(/^HTTP\/1\.1 (200|503) /);
});

test("a browser learns that it may DELETE", async () => {
  const { headers } = await app.get("/api/v2/shipping/webhooks/x", {
    method: "OPTIONS",
    headers: { Origin: "https://a.example", "Access-Control-Request-Method": "DELETE" },
  });
  expect(headers.get("Access-Control-Allow-Methods")?.split(", ").toSorted()).toEqual(
    "DELETE GET HEAD OPTIONS POST".split(" "),
  );
});
