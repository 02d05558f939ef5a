import { type Client, createClient, type Interceptor, type Transport } from "@connectrpc/connect";
import { createConnectTransport, createGrpcTransport, createGrpcWebTransport } from "@connectrpc/connect-node";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { SupplyChainService } from "../../../gen/es/ids/supply_chain/v1/supply_chain_pb.ts";
import type { ResponseFacts } from "../../../sdk/typescript/src/api-promise.ts";
import { createClient as createSdk } from "../../../sdk/typescript/src/client.ts";
import { createPlainClient } from "../../../sdk/typescript/src/plain.ts";
import type { DatasetName } from "../../../src/domains/index.ts";
import type { Database } from "../../../src/store/database.ts";
import { raiseGeneration } from "../../../src/store/served/generations.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { requestMcp, type ToolResponse } from "../../support/mcp.ts";

/** Metadata of a response about its data. */
interface Metadata {
  readonly origin: string | undefined;
  readonly ageSeconds: number | undefined;
  readonly stale: boolean;
  readonly missing: readonly string[];
}

type Named = Readonly<Record<string, unknown>>;

const refreshed: DatasetName = "shipping-stress";
const stress = "/api/supply-chain/v1/get-shipping-stress";
let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  key = await app.key("enterprise");
  await app.refresh(refreshed);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

function ofHeaders(headers: Headers): Metadata {
  const age = headers.get("X-Data-Age");
  return {
    origin: headers.get("X-Data-Origin") ?? undefined,
    ageSeconds: age === null ? undefined : Number(age),
    stale: headers.get("X-Data-Stale") === "true",
    missing: headers.get("X-Data-Missing")?.split(", ") ?? [],
  };
}

function ofSdk({ data: { sample, stale, ageSeconds, missing } }: ResponseFacts): Metadata {
  return { origin: sample ? "sample" : undefined, ageSeconds, stale, missing };
}

async function overRpc(
  make: (options: { baseUrl: string; interceptors: Interceptor[] }) => Transport,
): Promise<Metadata> {
  let metadata: Metadata | undefined;
  const look: Interceptor = (next) => async (request) => {
    const response = await next(request);
    metadata = ofHeaders(response.header);
    return response;
  };
  const client: Client<typeof SupplyChainService> = createClient(
    SupplyChainService,
    make({ baseUrl: app.url, interceptors: [look] }),
  );
  await client.getShippingStress({}, { headers: { "X-Service-Key": key } });
  if (!metadata) throw new Error("no answer");
  return metadata;
}

async function overMcp(): Promise<Metadata & { readonly text: string }> {
  const call = { name: "ids_supply_chain_read", arguments: { operation: "get_shipping_stress" } };
  const response = await requestMcp(app, "tools/call", call, { key });
  const result = response.result as ToolResponse | undefined;
  const meta: Named = result?._meta ?? {};
  return {
    origin: meta["ids/data-origin"] as string | undefined,
    ageSeconds: meta["ids/data-age-seconds"] as number | undefined,
    stale: meta["ids/data-stale"] === true,
    missing: (meta["ids/data-missing"] as string[] | undefined) ?? [],
    text: result?.content.at(-1)?.text ?? "",
  };
}

const channels: Readonly<Record<string, () => Promise<Metadata>>> = {
  "plain JSON": async () => ofHeaders((await app.get(stress, { key })).headers),
  "a projection": async () => ofHeaders((await app.get(`${stress}?jmespath=stressLevel`, { key })).headers),
  Connect: () => overRpc((options) => createConnectTransport({ ...options, httpVersion: "1.1" })),
  "Connect with GET": () =>
    overRpc((options) => createConnectTransport({ ...options, httpVersion: "1.1", useHttpGet: true })),
  gRPC: () => overRpc((options) => createGrpcTransport(options)),
  "gRPC-Web": () => overRpc((options) => createGrpcWebTransport({ ...options, httpVersion: "1.1" })),
  MCP: async () => {
    const { text: _, ...metadata } = await overMcp();
    return metadata;
  },
  "the TypeScript client": async () =>
    ofSdk((await createSdk({ baseUrl: app.url, apiKey: key }).supplyChain.getShippingStress().withResponse()).response),
  "its plain mode": async () =>
    ofSdk((await createPlainClient({ baseUrl: app.url, apiKey: key }).get(stress).withResponse()).response),
};

const states: Readonly<
  Record<string, { readonly enter: () => Promise<void>; readonly metadata: Metadata; readonly words: string }>
> = {
  fresh: {
    enter: async () => undefined,
    metadata: { origin: "sample", ageSeconds: undefined, stale: false, missing: [] },
    words: "Sample data: the values are invented.",
  },
  stale: {
    enter: async () => app.setTime(new Date(testTime.getTime() + 3_600_000)),
    metadata: { origin: "sample", ageSeconds: 3_600, stale: true, missing: [] },
    words: "Stale data: last read 60 minutes ago, longer than expected.",
  },
  "real and incomplete": {
    async enter() {
      app.setTime(testTime);
      await database.kysely.transaction().execute(async (transaction) => {
        await sql`update source set good_origin = null`.execute(transaction);
        await sql`update dataset set origin = 'live'`.execute(transaction);
        await raiseGeneration(transaction, refreshed);
      });
      await app.settled();
    },
    metadata: { origin: undefined, ageSeconds: undefined, stale: false, missing: ["yahoo-carriers"] },
    words: "Incomplete data: missing: yahoo-carriers.",
  },
};

describe.each(Object.entries(states))("data that are %s", (_, { enter, metadata, words }) => {
  beforeAll(enter);

  test.each(Object.keys(channels))("are reported by %s", async (name) => {
    expect(await channels[name]?.()).toEqual(metadata);
  });

  test("are reported to agents in a sentence", async () => {
    expect((await overMcp()).text).toContain(words);
  });
});
