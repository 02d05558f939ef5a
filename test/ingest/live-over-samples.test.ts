import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type DatasetName, datasets } from "../../src/domains/index.ts";
import { permissionOf } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { openOnce } from "../support/databases.ts";
import { armsDeliveries } from "../support/domains/arms-deliveries.ts";
import { openLoaded } from "../support/loaded.ts";
import { startUpstreamServer, type UpstreamServer } from "../support/servers/upstream-server.ts";

const sources = datasets.flatMap((dataset) => dataset.sources);
const deliveries = await armsDeliveries();
afterAll(() => deliveries[Symbol.dispose]());
const environment = {
  IDS_DATA: "live",
  ...Object.fromEntries(sources.flatMap(({ variables }) => variables).map((name) => [name, "secret"])),
  ...Object.fromEntries(sources.flatMap((source) => permissionOf(source) ?? []).map((name) => [name, "on"])),
  IDS_ARMS_SUPPLIERS_FILE: deliveries.file,
};
const day = 86_400_000;
const nothingReachable = {
  transport: () => Promise.reject(new TypeError("nothing is reachable")),
  wait: async () => undefined,
};

/** Those that keep rows in tables of their own: a message is replaced whole. */
const withRows: readonly DatasetName[] = [
  "conflict-events",
  "global-tenders",
  "metal-premiums",
  "military-bases",
  "trade-tariffs",
  "trade-flows",
  "country-imports",
  "chokepoint-status",
  "risk-scores",
  "resilience-inputs",
  "resilience-scores",
];

describe("the first live refreshes over a store of samples", () => {
  let database: Database;
  let app: TestApp;
  let outside: UpstreamServer;
  beforeAll(async () => {
    database = await openLoaded();
    outside = await startUpstreamServer([...new Set(sources.map(({ name }) => name))], () => testTime);
    const floorOf = ({ rows }: { readonly rows: { readonly atLeast: number } }) => Math.min(rows.atLeast, 10);
    app = await startApp(database, {
      environment,
      outside: { transport: outside.transport, wait: async () => undefined, floorOf },
    });
    // Rows that only a sample had: no live answer writes over them.
    await sql`update source set asked_at = null`.execute(database.kysely);
    await sql`insert into trade_flow values ('578', '000', 1901, 1, 1, 'invented', now())`.execute(database.kysely);
    await sql`insert into trade_tariff values ('578', 1901, 1, 'invented', now())`.execute(database.kysely);
    await sql`insert into imported_product values ('ZZ', '2709', 1901, 1, '[]', now())`.execute(database.kysely);
    await sql`insert into chokepoint_exposure values ('ZZ', '27', 'flow_weighted', '{}', '', 0, now())`.execute(
      database.kysely,
    );
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await outside[Symbol.asyncDispose]();
    await database.close();
  });

  test("leave no sample behind in any table", async () => {
    for (const name of withRows) await app.refresh(name);
    const { rows } = await database.query(
      `select table_name as name from information_schema.columns
      where column_name = 'origin' and table_schema = 'public' and table_name not in ('dataset', 'dataset_version', 'series_key')`,
    );
    const left: string[] = [];
    for (const { name } of rows as { name: string }[]) {
      // The log and the reads are of all datasets; these are refreshed.
      const ofThese = ["change", "source_read"].includes(name) ? `and dataset in ('${withRows.join("', '")}')` : "";
      const { rows: found } = await database.query(
        `select count(*)::int as count from ${name} where origin = 'sample' ${ofThese}`,
      );
      if ((found[0] as { count: number }).count > 0) left.push(name);
    }
    expect(left).toEqual([]);
    const past = await database.query(
      "select name from dataset_version where origin = 'sample' and name = any($1) union all " +
        "select series from series_key where origin = 'sample' and series in ('conflict.events', 'trade.exports', 'tariff.rate')",
      [withRows],
    );
    expect(past.rows).toEqual([]);
    for (const [table, where] of [
      ["trade_flow", "year = 1901"],
      ["trade_tariff", "year = 1901"],
      ["imported_product", "iso2 = 'ZZ'"],
      ["chokepoint_exposure", "iso2 = 'ZZ'"],
    ])
      expect((await database.query(`select 1 from ${table} where ${where}`)).rows, table).toEqual([]);
  }, 120_000);

  test("data that is recomputed from old inputs is as old as they are", async () => {
    app.setTime(new Date(testTime.getTime() + 40 * day));
    await app.refresh("resilience-scores");
    const { headers } = await app.get("/api/resilience/v1/get-resilience-score?country_code=NO");
    expect([headers.get("x-data-stale"), headers.get("x-data-age")]).toEqual(["true", String(40 * 86_400)]);
    expect(await app.condition("resilience-scores")).toMatchObject({ state: "stale", ageSeconds: 40 * 86_400 });
  });
});

describe("resilience without one observed input", () => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openOnce();
    app = await startApp(database, { outside: nothingReachable });
    await app.refresh("resilience-scores");
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await database.close();
  });

  test.each([
    "/api/resilience/v1/get-resilience-score?country_code=NO",
    "/api/resilience/v1/get-resilience-ranking",
    "/api/resilience/v1/get-resilience-score-explanation?country_code=NO",
  ])("%s has no verdict in any part, and is kept nowhere", async (path) => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const verdicts: unknown[] = [];
    JSON.stringify(await response.json(), (name, value) => {
      if (
        /score$|^score|^p05$|^p95$|^trend$|^change30d$|stressFactor/i.test(name) &&
        typeof value !== "object" &&
        name !== "schemaVersion"
      )
        verdicts.push(value);
      return value;
    });
    expect(verdicts.filter((value) => value !== 0 && value !== "" && value !== -1)).toEqual([]);
  });

  test("is said by health", async () => {
    expect((await app.condition("resilience-scores")).state).toBe("no inputs");
  });
});
