import { create, fromJson } from "@bufbuild/protobuf";
import { afterAll, expect, test } from "vitest";
import {
  InternetOutageSchema,
  ListInternetOutagesResponseSchema,
} from "../../../gen/es/ids/infrastructure/v1/infrastructure_pb.ts";
import { internetOutages } from "../../../src/domains/infrastructure/internet-outages.ts";
import { openOnce } from "../../support/databases.ts";

const { kysely: database, close } = await openOnce();
afterAll(close);

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
      responses: new Map(),
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
  return { count, message: fromJson(ListInternetOutagesResponseSchema, body) };
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
