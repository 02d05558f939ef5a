import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ClientOptions, createClient } from "../../sdk/typescript/src/client.ts";
import type { FileClient } from "../../sdk/typescript/src/files.ts";
import {
  createPlainClient,
  ForbiddenError,
  NetworkError,
  TimeoutError,
  UnauthorizedError,
  ValidationError,
} from "../../sdk/typescript/src/plain.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { failureOf } from "./both-modes.ts";
import { startScriptedServer } from "./scripted-server.ts";

const events = "/api/conflict/v1/list-conflict-events";
const csv = { format: "csv" } as const;
const modes: readonly [name: string, make: (options: ClientOptions) => FileClient][] = [
  ["Connect", createClient],
  ["plain JSON", createPlainClient],
];

let database: Database;
let app: TestApp;
let apiKey: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  apiKey = await app.key("pro_monthly");
  await app.refresh("conflict-events");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

describe.each(modes)("Files of the client over %s", (_name, make) => {
  test("are what the service writes, as text, bytes, or a stream, with its metadata", async () => {
    const client = make({ baseUrl: app.url, apiKey });
    const file = await client.file(events, { country: "SD" }, csv);
    expect(file.response).toMatchObject({ status: 200, data: { sample: true, stale: false } });
    expect(file.response.headers.get("Content-Type")).toContain("text/csv");
    const served = await (await app.get(`${events}?country=SD&format=csv`)).text();
    expect(await file.text()).toBe(served);
    let streamed = "";
    const { body } = await client.file(events, { country: "SD" }, csv);
    for await (const piece of body.pipeThrough(new TextDecoderStream())) streamed += piece;
    expect(streamed).toBe(served);
    const { events: rows } = await createPlainClient({ baseUrl: app.url, apiKey }).get(events);
    const page = await client.file(events, { limit: 2 }, csv);
    expect([(await page.text()).trim().split("\n").length, page.nextCursor]).toEqual([3, expect.stringMatching(/./)]);
    const next = await client.file(events, { limit: 2, after: page.nextCursor }, csv);
    expect(await next.text()).toBe(
      await (await app.get(`${events}?limit=2&format=csv&after=${page.nextCursor}`)).text(),
    );
    const all = await client.file(events, {}, { format: "parquet", all: true });
    expect(all.nextCursor).toBe("");
    const bytes = await all.bytes();
    expect(await parquetReadObjects({ file: bytes.buffer })).toHaveLength(rows.length);
  });

  test("are refused like any other answer", async () => {
    const client = make({ baseUrl: app.url, apiKey });
    expect(await failureOf(client.file(events, { limit: 5 }, { format: "geojson", rows: "none" } as never))).toEqual(
      expect.any(ValidationError),
    );
    const tenders = "/api/economic/v1/list-global-tenders";
    const free = make({ baseUrl: app.url, apiKey: await app.key("free") });
    expect(await failureOf(free.file(tenders, {}, csv))).toBeInstanceOf(ForbiddenError);
    const stranger = make({ baseUrl: app.url });
    expect(await failureOf(stranger.file(events, {}, { ...csv, all: true }))).toBeInstanceOf(UnauthorizedError);
  });

  test("that break off are a NetworkError, and those that stop coming a TimeoutError", async () => {
    await using broken = await startScriptedServer("breaks midway");
    const file = await make({ baseUrl: broken.url, maxRetries: 0 }).file(events, {}, csv);
    expect(await failureOf(file.text())).toBeInstanceOf(NetworkError);
    await using stalled = await startScriptedServer("stalls");
    const slow = await make({ baseUrl: stalled.url, timeoutMs: 1_000 }).file(events, {}, csv);
    expect(await failureOf(slow.text())).toBeInstanceOf(TimeoutError);
    const stop = new AbortController();
    const left = await make({ baseUrl: stalled.url }).file(events, {}, csv, { signal: stop.signal });
    const read = failureOf(left.text());
    stop.abort(new Error("enough"));
    expect(await read).toEqual(new Error("enough"));
  });

  test("are asked for again where the connection failed before they began", async () => {
    await using server = await startScriptedServer("breaks off", { status: 200, body: "id\n1\n" });
    const file = await make({ baseUrl: server.url }).file(events, { country: "SD" }, { ...csv, raw: true });
    expect(await file.text()).toBe("id\n1\n");
    expect(server.requests.map(({ url }) => url)).toEqual(
      Array.from({ length: 2 }, () => `${events}?country=SD&format=csv&raw=true`),
    );
  });
});
