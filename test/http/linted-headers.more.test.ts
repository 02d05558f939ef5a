import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { printed, pythonProgram } from "../support/deploy/programs.ts";
import { openLoaded } from "../support/loaded.ts";
import { root } from "../support/servers/go.ts";

const linter = pythonProgram("httplint", "httplint==2026.10.4");

/** A note that names no mistake of the service, on which responses, and why. */
interface Exception {
  readonly note: string;
  readonly on: RegExp;
  readonly why: string;
}

const exceptions: readonly Exception[] = [
  {
    ...{ note: "CREATED_WITHOUT_LOCATION", on: /create-feed-url/ },
    why: "The URL of a feed is a secret, which belongs into no log of headers",
  },
  { note: "LOCATION_UNDEFINED", on: /run-scenario/, why: "Location of a 202 is where clients follow its job" },
  { note: "FIELD_DEPRECATED", on: /The Keep-Alive header/, why: "Node says when it closes a connection" },
  { note: "STORE_PUBLIC_UNNECESSARY", on: /./, why: "`public` is for proxies that store nothing without it" },
  { note: "STATUS_BAD_REQUEST", on: /./, why: "The requests are bad on purpose" },
  { note: "VARY_COMPLEX", on: / X-Service-Key:/, why: "A response to a key varies by both headers of keys, too" },
  { note: "CONTENT_TYPE_MISMATCH", on: /favicon\.ico/, why: "image/vnd.microsoft.icon is the registered type" },
];

function isException(exception: Exception, { of, note, text }: Note): boolean {
  return exception.note === note && exception.on.test(`${of}: ${text}`);
}

interface Exchange {
  readonly name: string;
  readonly method: string;
  readonly url: string;
  readonly sent: readonly (readonly [string, string])[];
  readonly status: number;
  readonly phrase: string;
  readonly headers: readonly (readonly [string, string])[];
  /** In Base64. */
  readonly body: string;
}

interface Note {
  readonly of: string;
  readonly note: string;
  readonly level: string;
  readonly text: string;
}

type Sent = readonly [method: string, path: string, headers?: Readonly<Record<string, string>>, body?: unknown];

const events = "/api/conflict/v1/list-conflict-events";
const outages = "/api/infrastructure/v1/list-internet-outages";
const csv = `${events}?format=csv`;
const items = "/ogc/collections/list-conflict-events/items";
const origin = { Origin: "https://maps.example" };
const keyed = { "X-Service-Key": "" };

const formats = ["csv", "parquet", "geojson", "ndjson", "xlsx", "atom", "jsonfeed", "csvw"];
const pages = [
  "/",
  "/docs",
  "/docs/list-conflict-events",
  "/docs/errors",
  "/data",
  "/data/conflict-events",
  "/plans",
  "/account",
];
const documents = [
  ...["/openapi.json", "/openapi.yaml", "/catalog.jsonld", "/data/conflict-events.jsonld", "/.well-known/api-catalog"],
  ...[
    "/sitemap.xml",
    "/robots.txt",
    "/llms.txt",
    "/lake.sql",
    "/lake.duckdb",
    "/favicon.ico",
    "/favicon.svg",
    "/livez",
  ],
];
const ogc = ["/ogc", "/ogc/api", "/ogc/conformance", "/ogc/collections", "/ogc/collections/list-conflict-events"];

const requests: readonly Sent[] = [
  ...[events, ...formats.map((format) => `${events}?format=${format}`)].map((path): Sent => ["GET", path]),
  ...[...pages, ...documents, ...ogc].map((path): Sent => ["GET", path]),
  ...["br", "gzip", "zstd"].map((coding): Sent => ["GET", events, { "Accept-Encoding": coding }]),
  ["GET", events, origin],
  ["HEAD", events],
  ["HEAD", csv],
  ["POST", events, {}, {}],
  ["GET", csv, { Range: "bytes=0-99" }],
  ["GET", `${events}?format=parquet`, { Range: "bytes=-100" }],
  ["GET", csv, { Range: "bytes=0-99", "If-Range": '"other"' }],
  ["GET", csv, { Range: "bytes=99999999-" }],
  ["GET", `${items}?limit=2`],
  ["GET", `${items}?limit=2&f=html`],
  ["GET", `${items}?limit=0`],
  ["GET", `${items}/nothing`],
  ["GET", "/ogc", { Accept: "image/png" }],
  ["GET", outages],
  ["GET", outages, keyed],
  ["GET", `${outages}?format=csv&all=true`, keyed],
  ["GET", "/api/research/v1/list-tech-events?format=ics", keyed],
  ["GET", "/api/history/v1/get-series?series=gas.fill&keys=EU", keyed],
  ["GET", "/api/account/v1/get-caller", { "X-Service-Key": "wrong" }],
  ["GET", "/api/account/v1/list-accounts", keyed],
  ["GET", "/metrics"],
  ["GET", `${events}?limit=x`],
  ["GET", `${events}?limit=x`, { Accept: "application/problem+json" }],
  ["GET", "/docs/files"],
  ["GET", "/nothing"],
  ["GET", "/feeds/nothing.csv"],
  ["PUT", events],
  ["DELETE", "/docs"],
  ["OPTIONS", events],
  ["OPTIONS", "/ogc"],
  ["OPTIONS", events, { ...origin, "Access-Control-Request-Method": "GET" }],
  ["POST", "/api/batch/v1/run-batch", keyed, { requests: [{ id: "a", path: `${events}?limit=1` }] }],
  ["POST", "/api/batch/v1/run-batch", keyed, "not JSON"],
  ["POST", "/api/scenario/v1/run-scenario", keyed, { scenarioId: "hormuz-tanker-blockade" }],
  ["POST", "/ids.conflict.v1.ConflictService/ListConflictEvents", { "Connect-Protocol-Version": "1" }, {}],
];

let database: Database;
let app: TestApp;
let key: string;
const folder = mkdtempSync(join(tmpdir(), "ids-linted-"));
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  key = await app.key("enterprise");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
  rmSync(folder, { recursive: true });
});

/** Sends a request by HTTP/1.1. A client with fetch would not see the response as it was sent. */
function exchange([method, path, given = {}, content]: Sent): Promise<Exchange> {
  const body = content === undefined || typeof content === "string" ? content : JSON.stringify(content);
  const sent = {
    ...given,
    ...("X-Service-Key" in given && { "X-Service-Key": given["X-Service-Key"] || key }),
    ...(body !== undefined && { "Content-Type": "application/json" }),
  };
  const url = app.url + path;
  return new Promise((resolve, reject) => {
    request(url, { method, headers: sent }, async (response) => {
      const parts: Buffer[] = [];
      for await (const part of response) parts.push(part);
      const raw = response.rawHeaders;
      resolve({
        ...{ name: [method, path, ...Object.keys(given)].join(" "), method, url, sent: Object.entries(sent) },
        ...{ status: response.statusCode ?? 0, phrase: response.statusMessage ?? "" },
        headers: raw.flatMap((name, index) => (index % 2 === 0 ? [[name, raw[index + 1] ?? ""] as const] : [])),
        body: Buffer.concat(parts).toString("base64"),
      });
    })
      .on("error", reject)
      .end(body);
  });
}

const headerOf = ({ headers }: Exchange, wanted: string) =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "";

/** The requests of the table, conditional ones, and those of a feed URL. */
async function allExchanges(): Promise<readonly Exchange[]> {
  const exchanges = [];
  for (const each of requests) exchanges.push(await exchange(each));
  for (const path of [events, csv, "/", "/catalog.jsonld", "/ogc/collections"]) {
    const first = await exchange(["GET", path]);
    exchanges.push(await exchange(["GET", path, { "If-None-Match": headerOf(first, "etag") }]));
  }
  const feed = { name: "linted", path: `${events}?format=jsonfeed` };
  const created = await exchange(["POST", "/api/account/v1/create-feed-url", keyed, feed]);
  const { url } = JSON.parse(Buffer.from(created.body, "base64").toString()) as { url: string };
  exchanges.push(created, await exchange(["GET", url]), await exchange(["GET", url, { Range: "bytes=0-9" }]));
  return exchanges;
}

describe.skipIf(linter === undefined)("A linter of HTTP", () => {
  test("finds no mistake in the headers of 80 responses of all kinds", { timeout: 180_000 }, async () => {
    const exchanges = await allExchanges();
    const file = join(folder, "exchanges.json");
    writeFileSync(file, JSON.stringify(exchanges));
    const script = join(root, "test/support/readers/headers_with_httplint.py");
    const notes: Note[] = JSON.parse(printed(join(dirname(linter ?? ""), "python"), ["-B", script, file]));
    expect(notes.filter((note) => !exceptions.some((each) => isException(each, note)))).toEqual([]);
    expect(exceptions.filter((each) => !notes.some((note) => isException(each, note)))).toEqual([]);
    expect(exchanges.length).toBeGreaterThanOrEqual(80);
    const statuses = new Set(exchanges.map(({ status }) => status));
    const wanted = [200, 201, 202, 204, 206, 304, 308, 400, 401, 403, 404, 405, 406, 416];
    expect([...statuses].toSorted((one, other) => one - other)).toEqual(wanted);
  });
});
