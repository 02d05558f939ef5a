import { once } from "node:events";
import { type ClientHttp2Session, connect } from "node:http2";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import type { Database } from "../../../src/store/database.ts";
import { openEvents } from "../../changes/event-stream.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { openRaw, type RawConnection } from "../raw-connection.ts";

const limit = 6;
const callerPath = "/api/account/v1/get-caller";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { listener: { connectionsPerAddress: limit } });
  key = await app.key("pro_monthly");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

async function opened(): Promise<RawConnection> {
  const peer = await openRaw(app.url);
  onTestFinished(() => peer[Symbol.dispose]());
  return peer;
}

/** The status of a request on a connection that stays open. */
async function status(peer: RawConnection, path: string, presented = ""): Promise<string> {
  const headers = presented === "" ? "" : `X-Service-Key: ${presented}\r\n`;
  peer.send(`GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`);
  return (await peer.heard(/HTTP\/1\.1 \d{3}(?![\s\S]*\r\n\r\n[^{]*$)/)).slice(9, 12);
}

function sessionOf(): ClientHttp2Session {
  const session = connect(app.url);
  session.on("error", () => undefined);
  onTestFinished(() => session.destroy());
  return session;
}

test("idle connections without a key lock out neither keys nor probes of their address", async () => {
  for (let count = 0; count < 4 * limit; count += 1) await opened();
  expect(await status(await opened(), callerPath, key)).toBe("200");
  expect(await status(await opened(), "/livez")).toBe("200");
});

test("connections with a valid key outlast any number without one, over HTTP/1.1, HTTP/2 and as a stream", async () => {
  const plain = await opened();
  expect(await status(plain, callerPath, key)).toBe("200");
  const session = sessionOf();
  const call = () => text(session.request({ ":path": callerPath, "x-service-key": key }));
  expect(await call()).toContain("pro_monthly");
  await using stream = await openEvents(app, "", { key });
  const others = [];
  for (let count = 0; count < 4 * limit; count += 1) others.push(await opened());
  await Promise.all(others.slice(0, -limit).map(({ ended }) => ended));
  expect(await call()).toContain("pro_monthly");
  plain.send(`GET ${callerPath} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nX-Service-Key: ${key}\r\n\r\n`);
  expect((await plain.ended).match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  expect(stream.response.body?.locked).toBe(true);
});

test("a wrong key protects no connection, and the one that was silent longest is disconnected first", async () => {
  const peers = [];
  for (let count = 0; count < limit; count += 1) peers.push(await opened());
  const [first, second] = peers;
  if (!first || !second) throw new Error("No connections");
  expect(await status(first, callerPath, `wm_${"0".repeat(64)}`)).toBe("401");
  await opened();
  expect(await second.ended).toBe("");
  for (let count = 0; count < limit; count += 1) await opened();
  await first.ended;
});

test("where all connections of an address have presented keys, one more is closed", async () => {
  const sessions = Array.from({ length: limit }, sessionOf);
  for (const session of sessions)
    expect(await text(session.request({ ":path": callerPath, "x-service-key": key }))).toContain("pro_monthly");
  const more = await opened();
  expect(await more.ended).toBe("");
  const [freed] = sessions;
  freed?.close();
  await once(freed ?? sessionOf(), "close");
  expect(await status(await opened(), "/livez")).toBe("200");
});
