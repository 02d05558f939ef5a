import { create, type Message } from "@bufbuild/protobuf";
import { Code, ConnectError, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { catalog, type Operation } from "../../../src/contract/catalog.ts";
import { exampleOf } from "../../../src/contract/example.ts";
import { mediaTypes } from "../../../src/contract/file-format.ts";
import { toolName } from "../../../src/mcp/operation-tool.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { postBatch } from "../../support/batch.ts";
import { openOnce } from "../../support/databases.ts";
import { callers, decisionOn, openCallers, unlimited } from "../../support/domains/callers.ts";
import { askMcp } from "../../support/mcp.ts";
import { neededParameters, neededQuery } from "../../support/needed-query.ts";

type Gate = "let in" | "unauthenticated" | "refused";

let database: Database;
let app: TestApp;
let keys: ReadonlyMap<string, string | null>;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database, { environment: unlimited });
  keys = await openCallers(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

function gateOf(status: number): Gate {
  if (status === 401) return "unauthenticated";
  return status === 403 ? "refused" : "let in";
}

/** A read over plain JSON, in another format or by another verb. */
async function overHttp(operation: Operation, key: string | null, options: RequestInit): Promise<Gate> {
  const headers = { ...(key !== null && { "X-Service-Key": key }), ...options.headers };
  const response = await fetch(`${app.url}${neededQuery(operation)}`, { ...options, headers });
  await response.arrayBuffer();
  return gateOf(response.status);
}

async function overRpc({ method, inPath }: Operation, key: string | null, transport: Transport): Promise<Gate> {
  const given = method.input.fields.filter(({ name }) => inPath.includes(name));
  const message = Object.fromEntries(given.map((field) => [field.localName, exampleOf(field)]));
  const headers = { ...(key !== null && { "X-Service-Key": key }) };
  try {
    await transport.unary(
      method as never,
      undefined,
      undefined,
      headers,
      create(method.input, message as never) as Message,
    );
    return "let in";
  } catch (error) {
    const { code } = ConnectError.from(error);
    if (code === Code.Unauthenticated) return "unauthenticated";
    return code === Code.PermissionDenied ? "refused" : "let in";
  }
}

const rpc = (open: (options: { baseUrl: string }) => Transport) => {
  let transport: Transport | undefined;
  return (operation: Operation, key: string | null) => {
    transport ??= open({ baseUrl: app.url });
    return overRpc(operation, key, transport);
  };
};

interface Way {
  /** A key that is none is refused whatever it is for. */
  readonly alwaysKnows?: true;
  /** Whether an operation can be called so. */
  readonly takes: (operation: Operation) => boolean;
  readonly ask: (operation: Operation, key: string | null) => Promise<Gate>;
}

const always = () => true;
const isRead = ({ queried }: Operation) => queried;

const ways: Readonly<Record<string, Way>> = {
  HEAD: { takes: isRead, ask: (operation, key) => overHttp(operation, key, { method: "HEAD" }) },
  "POST with the query": { takes: isRead, ask: (operation, key) => overHttp(operation, key, { method: "POST" }) },
  CSV: { takes: isRead, ask: (operation, key) => overHttp(operation, key, { headers: { Accept: mediaTypes.csv } }) },
  "Connect in binary": {
    takes: always,
    ask: rpc((options) => createConnectTransport({ ...options, httpVersion: "1.1", useBinaryFormat: true })),
  },
  "Connect with GET": {
    takes: isRead,
    ask: rpc((options) => createConnectTransport({ ...options, httpVersion: "1.1", useHttpGet: true })),
  },
  gRPC: { takes: always, ask: rpc((options) => createGrpcTransport(options)) },
  "gRPC-Web": { takes: always, ask: rpc((options) => createGrpcWebTransport({ ...options, httpVersion: "1.1" })) },
  "a batch": {
    takes: isRead,
    async ask(operation, key) {
      const response = await postBatch(app, [{ path: neededQuery(operation) }], { key });
      if (response.status !== 200) return gateOf(response.status);
      const { responses } = (await response.json()) as { responses: readonly { status: number }[] };
      return gateOf(responses[0]?.status ?? 0);
    },
  },
  "a tool": {
    alwaysKnows: true,
    takes: isRead,
    async ask(operation, key) {
      const call = { name: toolName(operation), arguments: neededParameters(operation) };
      const { error } = await askMcp(app, "tools/call", call, key === null ? {} : { key });
      if (error?.code === 40_100) return "unauthenticated";
      return error?.code === 40_300 ? "refused" : "let in";
    },
  },
};

function expected(operation: Operation, caller: (typeof callers)[keyof typeof callers], { alwaysKnows }: Way): Gate {
  const isUnknown = typeof caller === "string" || (caller !== null && "expiresAt" in caller);
  if (alwaysKnows && isUnknown) return "unauthenticated";
  const decision = decisionOn(operation, caller);
  return decision instanceof RegExp ? "refused" : decision;
}

describe.each(Object.entries(callers))("with %s", (name, caller) => {
  test.each(Object.entries(ways))("over %s every operation is decided as its options say", async (manner, way) => {
    const key = keys.get(name) ?? null;
    // An address may ask with 600 keys a minute that are none; beyond, each answer waits. Ways ask in turn.
    const isGuess = name === "an unknown key" || name === "an expired key";
    const [turn, turns] = isGuess ? [Object.keys(ways).indexOf(manner) % 4, 4] : [0, 1];
    const wrong: string[] = [];
    let asked = 0;
    for (const operation of catalog.filter(way.takes).filter((_, place) => place % turns === turn)) {
      asked += 1;
      const gate = await way.ask(operation, key);
      const due = expected(operation, caller, way);
      if (gate !== due) wrong.push(`${operation.name}: ${gate} instead of ${due}`);
    }
    expect(wrong).toEqual([]);
    expect(asked * turns).toBeGreaterThan(30);
  });
});
