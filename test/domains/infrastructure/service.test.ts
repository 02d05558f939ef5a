import { create, fromJson } from "@bufbuild/protobuf";
import { createClient, createRouterTransport } from "@connectrpc/connect";
import { PGlite } from "@electric-sql/pglite";
import fc from "fast-check";
import { Kysely, PGliteDialect } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  InfrastructureService,
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { callerKey } from "../../../src/access/caller.ts";
import { internetOutages } from "../../../src/domains/infrastructure/internet-outages.ts";
import { locate } from "../../../src/domains/infrastructure/ip-geo.ts";
import { infrastructure } from "../../../src/domains/infrastructure/service.ts";
import { up } from "../../../src/store/migrations/0001_store.ts";
import type { StoreTables } from "../../../src/store/tables.ts";

const dialect = new PGliteDialect({ pglite: new PGlite() });
const database = new Kysely<StoreTables>({ dialect });
beforeAll(() => up(new Kysely<unknown>({ dialect })), 60_000);
afterAll(() => database.destroy());

const outages = [
  { id: "cf-2", detectedAt: 1_000n, country: "SY" },
  { id: "cf-3", detectedAt: 3_000n, country: "US" },
  { id: "cf-1", detectedAt: 1_000n, country: "US" },
  { id: "cf-4", detectedAt: 2_000n, country: "SY" },
].map((outage) => create(InternetOutageSchema, outage));

/** The rows as the store gives them back. */
async function stored(rows = outages) {
  const bySource = new Map([["cloudflare-radar", rows]]);
  const count = await database.transaction().execute((transaction) =>
    internetOutages.write(transaction, {
      bySource,
      answers: new Map(),
      generation: 1,
      origin: "live",
      now: new Date(0),
    }),
  );
  const { body } = await database
    .selectFrom("snapshot")
    .select("body")
    .where("type", "=", ListInternetOutagesResponseSchema.typeName)
    .executeTakeFirstOrThrow();
  return { count, body, message: fromJson(ListInternetOutagesResponseSchema, body) };
}

async function client() {
  const { body } = await stored();
  const provenance = {
    name: internetOutages.name,
    generation: 1,
    origin: "live",
    storedAt: new Date(0),
    readAt: new Date(0),
    rows: 4,
  } as const;
  const implementation = infrastructure({
    served: {
      dataset: () => provenance,
      message: ({ message: schema }) => fromJson(schema, body),
      mayServe: () => true,
      datasetIfAny: () => undefined,
      messageIfAny: ({ message: schema }) => fromJson(schema, body),
      follow: () => undefined,
    },
    geocoder: async (latitude, longitude) => ({ displayName: `${latitude} ${longitude}` }),
    locator: {
      locate: (caller) => locate({ get: (address) => ({ country_code: "DE", city: address }) }, caller),
      [Symbol.dispose]: () => undefined,
    },
  });
  return createClient(
    InfrastructureService,
    createRouterTransport(({ service }) => service(InfrastructureService, implementation), {
      router: {
        interceptors: [
          (next) => (request) => {
            request.contextValues.set(callerKey, { address: "81.2.69.142" });
            return next(request);
          },
        ],
      },
    }),
  );
}

test("outages are kept newest detection first, then by id, and counted", async () => {
  const { count, message } = await stored();
  expect(count).toBe(4);
  expect(message.outages.map(({ id }) => id)).toEqual(["cf-3", "cf-4", "cf-1", "cf-2"]);
  expect(message.pagination).toMatchObject({ nextCursor: "", totalCount: 4 });
});

test("a quiet feed is stored as an empty list", async () => {
  expect(await stored([])).toMatchObject({ count: 0, message: { outages: [], pagination: { totalCount: 0 } } });
});

test("start, end and country filter exactly and inclusively, in the same order", async () => {
  const { listInternetOutages } = await client();
  const bound = fc.bigInt({ min: 0n, max: 4_000n });
  const country = fc.constantFrom("", "SY", "US", "FR");
  const all = (await stored()).message.outages;
  await fc.assert(
    fc.asyncProperty(bound, bound, country, async (start, end, code) => {
      const answer = await listInternetOutages({ start, end, country: code });
      const expected = all.filter(
        (row) =>
          !(start && row.detectedAt < start) && !(end && row.detectedAt > end) && (!code || row.country === code),
      );
      expect(answer.outages.map(({ id }) => id)).toEqual(expected.map(({ id }) => id));
      expect(answer.pagination).toMatchObject({ nextCursor: "", totalCount: expected.length });
    }),
    { numRuns: 60 },
  );
});

test("both bounds are inclusive, and a start after the end finds nothing", async () => {
  const { listInternetOutages } = await client();
  const ids = async (start: bigint, end: bigint) =>
    (await listInternetOutages({ start, end })).outages.map(({ id }) => id);
  expect(await ids(2_000n, 3_000n)).toEqual(["cf-3", "cf-4"]);
  expect(await ids(3_000n, 2_000n)).toEqual([]);
});

test("page size and cursor change nothing", async () => {
  const { listInternetOutages } = await client();
  expect((await listInternetOutages({ pageSize: 1, cursor: "x" })).outages).toHaveLength(4);
});

test("a point is named by the geocoder, the caller located by the address of the request", async () => {
  const { reverseGeocode, getIpGeo } = await client();
  expect(await reverseGeocode({ lat: 0, lon: -180 })).toMatchObject({ displayName: "0 -180" });
  expect(await getIpGeo({})).toMatchObject({ country: "DE", city: "81.2.69.142" });
});
