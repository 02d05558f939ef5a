import { randomBytes } from "node:crypto";
import { Writable } from "node:stream";
import { expect, onTestFinished, test } from "vitest";
import { newKey } from "../../src/access/keys/api-key.ts";
import { storeKey } from "../../src/access/keys/keys.ts";
import { readConfig } from "../../src/config/config.ts";
import { createLog } from "../../src/log/log.ts";
import { createApp } from "../../src/runtime/app.ts";
import { testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";

test("no key and no query string is in any log, metric or refusal, whatever is asked", async () => {
  let logged = "";
  const sink = new Writable({
    write(chunk, _encoding, done) {
      logged += chunk;
      done();
    },
  });
  const database = await openOnce();
  onTestFinished(database.close);
  const app = await createApp({
    config: readConfig({ PORT: "0", IDS_LOG_LEVEL: "debug", IDS_DATA_DIR: "/nowhere" }),
    ...{ database, clock: () => testTime, random: () => 0.5, secrets: [Buffer.alloc(32, 7)] },
    log: createLog("debug", sink),
  });
  onTestFinished(app.close);
  const [known, unknown, operator] = [newKey(randomBytes), newKey(randomBytes), newKey(randomBytes)];
  await storeKey(database.kysely, known, { account: "acme", plan: "free", name: "test" }, testTime);
  await storeKey(database.kysely, operator, { account: "boss", plan: "operator", name: "test" }, testTime);
  let reported = "";
  const sendRequest = async (path: string, key: string, { headers, ...init }: RequestInit = {}) => {
    const response = await fetch(app.url + path, { ...init, headers: headers ?? { "X-Service-Key": key } });
    reported += `${JSON.stringify([...response.headers])}${await response.text()}`;
    return response.status;
  };
  const statuses = [
    await sendRequest("/api/infrastructure/v1/get-ip-geo?secretword=1", known),
    await sendRequest("/api/infrastructure/v1/get-ip-geo", unknown),
    await sendRequest("/api/infrastructure/v1/list-internet-outages?country=secretword", known),
    await sendRequest("/api/infrastructure/v1/nothing?secretword", known),
    await sendRequest("/api/account/v1/create-account", known, { method: "POST", body: '{"id":"x"}' }),
    await sendRequest("/api/account/v1/create-api-key", known, { method: "POST", body: `{"name":["${known}"]}` }),
    await sendRequest("/api/infrastructure/v1/list-internet-outages", known),
  ];
  expect(statuses).toEqual([200, 401, 400, 404, 403, 400, 503]);
  const call = { name: "list_internet_outages", arguments: { country: "secretword" } };
  const message = JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/call", params: call });
  const json = { "Content-Type": "application/json" };
  for (const key of [known, unknown])
    for (const headers of [{ "X-Service-Key": key }, { "X-Api-Key": key }, { Authorization: `Bearer ${key}` }])
      await sendRequest("/mcp?secretword", key, { method: "POST", body: message, headers: { ...json, ...headers } });
  const made = await fetch(`${app.url}/api/account/v1/create-feed-url`, {
    method: "POST",
    headers: { "X-Service-Key": known },
    body: JSON.stringify({ name: "x", path: "/api/infrastructure/v1/list-internet-outages?country=SD" }),
  });
  const { url } = (await made.json()) as { url: string };
  expect([
    await sendRequest(url, ""),
    await sendRequest(`${url}x/y`, ""),
    await sendRequest(`/feeds/${known}`, ""),
  ]).toEqual([503, 404, 404]);
  const opened = await fetch(`${app.url}/api/alerts/v1/create-endpoint`, {
    method: "POST",
    headers: { "X-Service-Key": known },
    body: JSON.stringify({ name: "x", kind: "feed" }),
  });
  const { secret } = (await opened.json()) as { secret: string };
  expect([await sendRequest(secret, ""), await sendRequest(`${secret}x/y`, "")]).toEqual([200, 404]);
  await sendRequest("/metrics", operator);
  await app.settled();
  expect(logged).toContain("GetIpGeo");
  expect(reported).toContain("ids_request_duration_seconds");
  // A reader of a feed knows its address, which the feed repeats as RFC 4287 recommends.
  for (const text of [logged, reported.replace(/<link rel="self"[^>]*>/, "")]) {
    for (const key of [known, unknown, operator]) expect(text).not.toContain(key.slice(4));
    expect(text).not.toContain(url.slice(7, 50));
    expect(text).not.toContain(secret.slice(13, 56));
    expect(text).not.toMatch(/ids_[0-9a-f]{40}/);
  }
  expect(logged).not.toContain("secretword");
});
