import { type Kysely, sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { minuteMs } from "../../../src/reference/duration.ts";
import type { Database } from "../../../src/store/database.ts";
import type { StoreTables } from "../../../src/store/tables.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

/** How many rows of a table something writes, and how many there are. */
async function touched(database: Kysely<StoreTables>, table: string, write: () => Promise<unknown>) {
  const read = async () => {
    const { rows } = await sql<{ version: string }>`
      select xmin::text || ' ' || ctid::text as version from ${sql.table(table)}`.execute(database);
    return rows.map(({ version }) => version);
  };
  const before = new Set(await read());
  await write();
  const after = await read();
  return { written: after.filter((version) => !before.has(version)).length, rows: after.length };
}

/** Each refreshes thousands of rows, which takes most of the default time on a slow machine. */
const timeout = 60_000;

test("unchanged imports, exposures, and scores are not written again, and are reported as computed now", {
  timeout,
}, async () => {
  const ofTable = (table: string, dataset: "country-imports" | "supply-vulnerability") =>
    touched(database.kysely, table, () => app.refresh(dataset));

  const imports = await ofTable("imported_product", "country-imports");
  expect(imports.written).toBe(0);
  expect(imports.rows).toBeGreaterThan(5_000);
  const scores = await ofTable("supply_vulnerability", "supply-vulnerability");
  expect(scores.written).toBe(0);
  expect(scores.rows).toBeGreaterThan(4_000);

  const later = new Date(testTime.getTime() + minuteMs);
  app.setTime(later);
  const exposures = await ofTable("chokepoint_exposure", "country-imports");
  expect(exposures.written).toBe(0);
  expect(exposures.rows).toBeGreaterThan(1_000);
  const { fetchedAt } = await app.json<{ fetchedAt: string }>(
    "/api/supply-chain/v1/get-country-chokepoint-index?iso2=DE&hs2=27",
  );
  expect(fetchedAt).toBe(later.toISOString());

  // Inputs that were read again change no score, and are reported as read now.
  await app.refresh("chokepoint-status");
  const scoresAgain = await ofTable("supply_vulnerability", "supply-vulnerability");
  expect(scoresAgain.written).toBe(0);
  const { vulnerabilities } = await app.json<{ vulnerabilities: { components: Components }[] }>(
    "/api/supply-chain/v1/get-country-vulnerabilities?iso2=DE",
  );
  const exposed = vulnerabilities.flatMap(({ components: { transitExposure } }) => transitExposure.inputs);
  const followed = vulnerabilities.flatMap(({ components: { transitExposure } }) =>
    transitExposure.chokepoints.filter(({ status }) => status === "baseline").flatMap(({ inputs }) => inputs),
  );
  for (const inputs of [exposed, followed])
    expect(new Set(inputs.map((input) => input.fetchedAt))).toEqual(new Set([later.toISOString()]));
});

interface Components {
  readonly transitExposure: {
    readonly inputs: readonly { readonly fetchedAt: string }[];
    readonly chokepoints: readonly {
      readonly status: string;
      readonly inputs: readonly { readonly fetchedAt: string }[];
    }[];
  };
}

test("a row that is gone goes, one that differs is written, and the others stay", { timeout }, async () => {
  const response = () => app.json("/api/supply-chain/v1/get-country-products?iso2=DE");
  const before = await response();
  await sql`update imported_product set total_value = 1 where iso2 = 'DE' and hs4 = '2709'`.execute(database.kysely);
  await sql`update imported_product set iso2 = 'ZZ' where iso2 = 'FR' and hs4 = '2709'`.execute(database.kysely);
  const { written } = await touched(database.kysely, "imported_product", () => app.refresh("country-imports"));
  expect(written).toBe(2);
  expect(await response()).toEqual(before);
  const { rows } = await sql`select from imported_product where iso2 = 'ZZ'`.execute(database.kysely);
  expect(rows).toEqual([]);
});
