import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog, kebab, type Operation } from "../../../src/contract/catalog.ts";
import { exampleOf } from "../../../src/contract/example.ts";
import { mediaTypes } from "../../../src/contract/file-format.ts";
import { tablesOf } from "../../../src/contract/tables.ts";
import { toolName } from "../../../src/mcp/operation-tool.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { postBatch } from "../../support/batch.ts";
import { openOnce } from "../../support/databases.ts";
import { callers, decisionOn, openCallers, unlimited } from "../../support/domains/callers.ts";
import { requestMcp } from "../../support/mcp.ts";
import { neededParameters, neededQuery } from "../../support/needed-query.ts";
import { lists } from "../../support/ogc.ts";
import { isThorough, oneOfEachKind } from "../../support/thoroughness.ts";

interface Caller {
  readonly key: string | null;
  readonly from: string;
}

type Gate = "admitted" | "unauthenticated" | "refused";

let database: Database;
let app: TestApp;
let keys: ReadonlyMap<string, string | null>;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { environment: { ...unlimited, IDS_TRUSTED_PROXIES: "127.0.0.0/8" } });
  keys = await openCallers(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

function gateOf(status: number): Gate {
  if (status === 401) return "unauthenticated";
  return status === 403 ? "refused" : "admitted";
}

const headersOf = ({ key, from }: Caller) => ({
  "X-Forwarded-For": from,
  ...(key !== null && { "X-Service-Key": key }),
});

/** A read over plain JSON, in another format or by another verb. */
async function overHttp(operation: Operation, caller: Caller, options: RequestInit): Promise<Gate> {
  const headers = { ...headersOf(caller), ...options.headers };
  const response = await fetch(`${app.url}${neededQuery(operation)}`, { ...options, headers });
  await response.arrayBuffer();
  return gateOf(response.status);
}

async function overRpc({ method, inPath }: Operation, caller: Caller, transport: Transport): Promise<Gate> {
  const given = method.input.fields.filter(({ name }) => inPath.includes(name));
  const message = Object.fromEntries(given.map((field) => [field.localName, exampleOf(field)]));
  try {
    await transport.unary(
      method as never,
      undefined,
      undefined,
      headersOf(caller),
      create(method.input, message as never) as Message,
    );
    return "admitted";
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code === Code.Unauthenticated) return "unauthenticated";
    return code === Code.PermissionDenied ? "refused" : "admitted";
  }
}

const rpc = (open: (options: { baseUrl: string }) => Transport) => {
  let transport: Transport | undefined;
  return (operation: Operation, caller: Caller) => {
    transport ??= open({ baseUrl: app.url });
    return overRpc(operation, caller, transport);
  };
};

interface Way {
  /** Minimum number of operations that can be called so before a release, and for each change. */
  readonly least?: readonly [number, number];
  /** A key that is none is refused whatever it is for. */
  readonly alwaysKnows?: true;
  /** Whether an operation can be called so. */
  readonly takes: (operation: Operation) => boolean;
  readonly call: (operation: Operation, caller: Caller) => Promise<Gate>;
}

const always = () => true;
const isRead = ({ queried }: Operation) => queried;
const hasRows = (operation: Operation) => isRead(operation) && tablesOf(operation).length > 0;

const ways: Readonly<Record<string, Way>> = {
  HEAD: { takes: isRead, call: (operation, caller) => overHttp(operation, caller, { method: "HEAD" }) },
  "POST with the query": {
    takes: isRead,
    call: (operation, caller) => overHttp(operation, caller, { method: "POST" }),
  },
  CSV: {
    takes: isRead,
    call: (operation, caller) => overHttp(operation, caller, { headers: { Accept: mediaTypes.csv } }),
  },
  XLSX: {
    takes: hasRows,
    call: (operation, caller) => overHttp(operation, caller, { headers: { Accept: mediaTypes.xlsx } }),
  },
  "an Atom feed": {
    takes: hasRows,
    call: (operation, caller) => overHttp(operation, caller, { headers: { Accept: mediaTypes.atom } }),
  },
  "a byte range": {
    takes: hasRows,
    call: (operation, caller) =>
      overHttp(operation, caller, { headers: { Accept: mediaTypes.csv, Range: "bytes=0-9" } }),
  },
  "OGC API - Features": {
    least: [Object.keys(lists).length, 1],
    takes: ({ name }) => kebab(name) in lists,
    async call({ name }, caller) {
      const path = `/ogc/collections/${kebab(name)}/items?limit=1`;
      const response = await fetch(`${app.url}${path}`, { headers: headersOf(caller) });
      await response.arrayBuffer();
      return gateOf(response.status);
    },
  },
  "Connect in binary": {
    takes: always,
    call: rpc((options) => createConnectTransport({ ...options, httpVersion: "1.1", useBinaryFormat: true })),
  },
  "Connect with GET": {
    takes: isRead,
    call: rpc((options) => createConnectTransport({ ...options, httpVersion: "1.1", useHttpGet: true })),
  },
  gRPC: { takes: always, call: rpc((options) => createGrpcTransport(options)) },
  "gRPC-Web": { takes: always, call: rpc((options) => createGrpcWebTransport({ ...options, httpVersion: "1.1" })) },
  "a batch": {
    takes: isRead,
    async call(operation, { key, from }) {
      const headers = { "X-Forwarded-For": from };
      const response = await postBatch(app, [{ path: neededQuery(operation) }], { key, headers });
      if (response.status !== 200) return gateOf(response.status);
      const { responses } = (await response.json()) as { responses: readonly { status: number }[] };
      return gateOf(responses[0]?.status ?? 0);
    },
  },
  "a tool": {
    alwaysKnows: true,
    takes: isRead,
    async call(operation, { key, from }) {
      const call = { name: toolName(operation), arguments: neededParameters(operation) };
      const { error } = await requestMcp(app, "tools/call", call, {
        ...(key !== null && { key }),
        headers: { "X-Forwarded-For": from },
      });
      if (error?.code === 40_100) return "unauthenticated";
      return error?.code === 40_300 ? "refused" : "admitted";
    },
  },
};

function expected(operation: Operation, caller: (typeof callers)[keyof typeof callers], { alwaysKnows }: Way): Gate {
  const isUnknown = typeof caller === "string" || (caller !== null && "expiresAt" in caller);
  if (alwaysKnows && isUnknown) return "unauthenticated";
  const decision = decisionOn(operation, caller);
  return decision instanceof RegExp ? "refused" : decision;
}

/** An address may ask with 600 keys a minute that are none; beyond, each answer waits: every walk has its own. */
let addresses = 0;

describe.each(Object.entries(callers))("with %s", (name, caller) => {
  test.each(Object.entries(ways))("over %s every operation is decided as its options say", async (_, way) => {
    const key = keys.get(name) ?? null;
    addresses += 1;
    const from = `203.0.113.${addresses}`;
    const wrong: string[] = [];
    let requested = 0;
    // That each operation is decided as its options say is checked over plain JSON and Connect for each change.
    for (const operation of oneOfEachKind(catalog.filter(way.takes), ({ access, verb }) => [access, verb])) {
      requested += 1;
      const gate = await way.call(operation, { key, from });
      const due = expected(operation, caller, way);
      if (gate !== due) wrong.push(`${operation.name}: ${gate} instead of ${due}`);
    }
    expect(wrong).toEqual([]);
    const [ofAll, ofSome] = way.least ?? [30, 4];
    expect(requested).toBeGreaterThanOrEqual(isThorough ? ofAll : ofSome);
  });
});
