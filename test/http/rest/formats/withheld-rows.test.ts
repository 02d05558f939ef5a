import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../../../src/domains/index.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { startUpstreamServer, type UpstreamServer } from "../../../support/servers/upstream-server.ts";

const minerals = "/api/supply-chain/v1/get-mineral-production";
const stress = "/api/economic/v1/get-economic-stress";
const carriers = "/api/supply-chain/v1/get-shipping-stress";
const wanted = ["mineral-production", "economic-stress", "shipping-stress"] as const;
const sources = datasets
  .filter(({ name }) => wanted.some((each) => each === name))
  .flatMap((dataset) => dataset.sources.map(({ name }) => name));

let outside: UpstreamServer;
const databases: Database[] = [];
beforeAll(async () => {
  outside = await startUpstreamServer(sources, () => testTime);
});
afterAll(async () => {
  await outside[Symbol.asyncDispose]();
  for (const database of databases) await database.close();
});

async function startLive(environment: Record<string, string>): Promise<TestApp> {
  const database = await openOnce();
  databases.push(database);
  const live = { IDS_DATA: "live", FRED_API_KEY: "0123456789abcdef0123456789abcdef", ...environment };
  const app = await startApp(database, {
    environment: live,
    outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
  });
  for (const dataset of wanted) await app.refresh(dataset);
  return app;
}

const permissions = { IDS_SOURCE_BGS: "on", IDS_SOURCE_YAHOO_CARRIERS: "on", IDS_SOURCE_VIXCLS: "on" };

async function linesOf(response: Response): Promise<Record<string, unknown>[]> {
  expect(response.status).toBe(200);
  return (await response.text()).split("\n").flatMap((line) => (line === "" ? [] : [JSON.parse(line)]));
}

test("rows of a restricted source stand in JSON, are left out of every file, and the file says so", async () => {
  await using app = await startLive(permissions);
  const body = await (await app.get(minerals)).text();
  expect(body).toContain('"source":"bgs"');
  for (const rows of ["commodities.mine.countries", "commodities.refinery.countries", "commodities"]) {
    const query = `${minerals}?rows=${rows}`;
    const response = await app.get(`${query}&format=ndjson`);
    expect(response.headers.get("x-data-withheld")).toBe("bgs");
    const lines = await linesOf(response);
    expect(lines.length).toBeGreaterThan(0);
    const named = lines.flatMap((line) => Object.entries(line).filter(([name]) => /(^|\.)source$/.test(name)));
    expect(named.length).toBeGreaterThan(0);
    expect(named.filter(([, source]) => source === "bgs")).toEqual([]);
    const metadata = await (await app.get(`${query}&format=csvw`)).text();
    expect(metadata).toContain("withheld");
  }
  // A holding is made from figures of several sources.
  expect((await app.get(`${minerals}?rows=countries.holdings&format=csv&iso2=CL`)).status).toBe(403);
});

test("a series of restricted values within a free source is left out as well", async () => {
  await using app = await startLive(permissions);
  expect(await (await app.get(stress)).text()).toContain("VIXCLS");
  const components = await app.get(`${stress}?format=ndjson&rows=components`);
  expect(components.headers.get("x-data-withheld")).toBe("VIXCLS");
  expect((await linesOf(components)).map(({ id }) => id)).not.toContain("VIXCLS");
  expect(await (await app.get(`${stress}?format=csv&rows=response`)).text()).not.toContain("VIXCLS");
});

test("a table without the source of a row is not served as a file, and the error names the terms that forbid it", async () => {
  await using app = await startLive(permissions);
  expect((await app.get(carriers)).status).toBe(200);
  for (const format of ["csv", "ndjson", "parquet"]) {
    const response = await app.get(`${carriers}?format=${format}`);
    expect(response.status).toBe(403);
    expect(await response.json()).toEqual({ error: expect.stringContaining("yahoo-carriers (Yahoo terms of service") });
  }
});

test("without the permission, no rows of the source exist to withhold, and samples are served", async () => {
  await using app = await startLive({});
  const response = await app.get(`${minerals}?format=csv&rows=commodities`);
  expect([response.status, response.headers.get("x-data-withheld")]).toEqual([200, null]);
  const database = await openOnce();
  databases.push(database);
  await using sample = await startApp(database);
  await sample.refresh("shipping-stress");
  expect((await sample.get(`${carriers}?format=csv`)).status).toBe(200);
});
