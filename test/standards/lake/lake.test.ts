import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type DuckDBConnection, DuckDBInstance } from "@duckdb/node-api";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog, requiredTier } from "../../../src/contract/catalog.ts";
import { lakeDatabase } from "../../../src/standards/lake/lake-database.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp } from "../../support/app.ts";
import { openLoaded } from "../../support/loaded.ts";

let database: Database;
let app: TestApp;
let folder: string;
let duck: DuckDBConnection;

beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  folder = mkdtempSync(join(tmpdir(), "ids-lake-"));
  const file = join(folder, "lake.duckdb");
  writeFileSync(file, await (await app.get("/lake.duckdb")).bytes());
  duck = await (await DuckDBInstance.create(file)).connect();
});
afterAll(async () => {
  duck.closeSync();
  rmSync(folder, { recursive: true });
  await app[Symbol.asyncDispose]();
  await database.close();
});

const read = async (sql: string) => (await duck.runAndReadAll(sql)).getRowObjectsJson();

test("the script and the database file have the same views, one for each table of a read without parameters", async () => {
  const script = await (await app.get("/lake.sql")).text();
  const inScript = [...script.matchAll(/CREATE OR REPLACE VIEW (\w+)/g)].map(([, name]) => name);
  const views = await read("select view_name from duckdb_views() where not internal order by view_name");
  expect(views.map(({ view_name }) => view_name)).toEqual(
    inScript.toSorted((one = "", other = "") => (one < other ? -1 : 1)),
  );
  expect(inScript).toEqual(expect.arrayContaining(["conflict_events", "military_bases", "military_bases_clusters"]));
});

test("the key is sent to no host whose name starts with the name of the service", async () => {
  const script = await (await app.get("/lake.sql")).text();
  const secret = /^-- (CREATE SECRET .*)$/m.exec(script)?.[1] ?? "";
  await duck.run(secret);
  const sentTo = async (url: string) => (await read(`select name from which_secret('${url}', 'http')`)).length;
  expect(await sentTo(`${app.url}/api/conflict/v1/list-conflict-events`)).toBe(1);
  expect(await sentTo(`${app.url}.other.example/`)).toBe(0);
});

/** The address of the file of each view, by the name of the view. */
async function addresses(): Promise<ReadonlyMap<string, string>> {
  const script = await (await app.get("/lake.sql")).text();
  const files = script.matchAll(/MACRO (\w+)_rows\(ids_file_url := 'http:\/\/[^/]+([^']+)'/g);
  return new Map([...files].map(([, view = "", address = ""]) => [view, address]));
}

const isOfAccount = (address: string) => /^\/api\/(account|alerts|company-monitoring|changes|catalog)\//.test(address);

test("every view has the columns and types of its Parquet file", { timeout: 120_000 }, async () => {
  const files = [...(await addresses())];
  expect(files.length).toBeGreaterThan(50);
  let checked = 0;
  for (const [view, address] of files) {
    const response = await app.get(address);
    // Without rows there is no file.
    if (isOfAccount(address) && response.status === 404) continue;
    expect(response.status, address).toBe(200);
    checked += 1;
    const path = join(folder, `${view}.parquet`);
    writeFileSync(path, await response.bytes());
    const stored = await read(`describe select * from ${view}_rows(ids_file_url := '${path}')`);
    const declared = await read(
      `select column_name, data_type as column_type from duckdb_columns() where table_name = '${view}'`,
    );
    expect(stored.map(({ column_name, column_type }) => ({ column_name, column_type }))).toEqual(declared);
  }
  expect(checked).toBeGreaterThan(files.length / 2);
});

test("a view requires the key and the plan of its read", async () => {
  const free = await app.key("free");
  const tiers = new Set<number>();
  for (const address of (await addresses()).values()) {
    const operation = catalog.find(({ path }) => address.startsWith(`${path}?`))!;
    const isPublic = operation.access.anonymous && !address.includes("all=true");
    const { status } = await app.get(address, { key: null, method: "HEAD" });
    expect(status === 401, `${address}: ${status}`).toBe(!isPublic);
    if (requiredTier(operation) === 0) continue;
    tiers.add(requiredTier(operation));
    expect((await app.get(address, { key: free, method: "HEAD" })).status, address).toBe(403);
  }
  expect(tiers.size).toBeGreaterThan(0);
});

test("the rows of a view count once against the exported rows of the plan", async () => {
  const key = await app.key("pro_monthly");
  interface Limits {
    readonly limits: readonly { readonly name: string; readonly remaining: number }[];
  }
  const remaining = async () => {
    const { limits } = (await (await app.get("/api/account/v1/get-limits", { key })).json()) as Limits;
    return limits.find(({ name }) => name === "exported_rows")?.remaining ?? Number.NaN;
  };
  const path = join(folder, "exported.parquet");
  const left = await remaining();
  for (const _ of [1, 2])
    writeFileSync(path, await (await app.get((await addresses()).get("conflict_events") ?? "", { key })).bytes());
  const [counted] = await read(`select count(*)::int as rows from '${path}'`);
  expect(counted?.rows).toBeGreaterThan(100);
  expect(left - (await remaining())).toBe(counted?.rows);
});

test("columns have their units as comments", async () => {
  const units = await read("select column_name, comment from duckdb_columns() where comment is not null");
  expect(units.length).toBeGreaterThan(50);
});

test("the archive's days are read by one macro", async () => {
  const path = join(folder, "dataset=conflict-events", "day=2026-11-01", "table=events");
  await read(`copy (select 1 as id) to '${join(folder, "x.parquet")}'`);
  mkdirSync(path, { recursive: true });
  copyFileSync(join(folder, "x.parquet"), join(path, "part.parquet"));
  expect(await read(`select id, day from archive('${folder}', 'conflict-events', 'events')`)).toEqual([
    { id: 1, day: "2026-11-01" },
  ]);
});

test("a script that DuckDB rejects leaves no file behind", async () => {
  await expect(lakeDatabase("SELEC 1;")).rejects.toMatchObject({
    status: 503,
    cause: expect.objectContaining({ message: expect.stringMatching(/syntax/) }),
  });
});
