import { create, type JsonObject } from "@bufbuild/protobuf";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../../src/contract/catalog.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import { datasets } from "../../../../src/domains/index.ts";
import { filePlanner } from "../../../../src/http/rest/formats/file-response.ts";
import { rowPlanner } from "../../../../src/http/rest/formats/row-plan.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { startUpstreamServer, type UpstreamServer } from "../../../support/servers/upstream-server.ts";
import { readWorkbook } from "../../../support/workbook.ts";

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

test("a sum of restricted rows is not written to files, because it can be that of a single row", async () => {
  await using app = await startLive(permissions);
  const path = `${minerals}?commodity=cobalt`;
  const counted = (query: object) =>
    app.get(
      `/api/catalog/v1/count-rows?${new URLSearchParams({ path, list: "commodities.mine.countries", by: "country", ...query })}`,
    );
  for (const format of ["csv", "parquet", "xlsx", "ndjson"])
    expect((await counted({ sum: "output", format })).status, format).toBe(403);
  expect((await counted({ sum: "output" })).status).toBe(200);
  expect((await counted({ format: "csv" })).status).toBe(200);
});

test("a feed URL does not return restricted rows as JSON, and returns the file that leaves them out", async () => {
  await using app = await startLive(permissions);
  const create = async (path: string) => {
    const body = JSON.stringify({ name: "sheet", path });
    const response = await app.get("/api/account/v1/create-feed-url", { method: "POST", body });
    return { status: response.status, body: (await response.json()) as { url: string } };
  };
  for (const path of [minerals, stress, carriers, `${minerals}?format=json`, `${minerals}?jmespath=commodities[]`]) {
    const { status, body } = await create(path);
    expect([status, body], path).toMatchObject([403, { error: expect.stringContaining("format=csv") }]);
  }
  const { status, body } = await create(`${minerals}?rows=commodities.mine.countries&format=csv`);
  expect(status).toBe(201);
  const file = await app.get(body.url, { key: null });
  expect(file.status).toBe(200);
  const text = await file.text();
  expect(text).toMatch(/,usgs-mcs,\d{4}$/m);
  expect(text).not.toMatch(/,bgs,\d{4}$/m);
});

test("a feed URL from before a source was permitted does not return its rows as JSON either", async () => {
  const database = await openOnce();
  databases.push(database);
  const live = { IDS_DATA: "live" };
  const start = (environment: object) =>
    startApp(database, {
      environment: { ...live, ...environment },
      outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
    });
  let url = "";
  {
    await using app = await start({});
    const body = JSON.stringify({ name: "sheet", path: minerals });
    const made = await app.get("/api/account/v1/create-feed-url", { method: "POST", body });
    url = ((await made.json()) as { url: string }).url;
  }
  await using app = await start({ IDS_SOURCE_BGS: "on" });
  await app.refresh("mineral-production");
  expect((await app.get(url, { key: null })).status).toBe(403);
});

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
    const workbook = await readWorkbook(await (await app.get(`${query}&format=xlsx`)).bytes());
    expect(workbook.rows.length).toBe(lines.length);
    expect(workbook.rows.filter((row) => Object.values(row).includes("bgs"))).toEqual([]);
    expect(workbook.about.find(([name]) => name === "withheld")?.[1]).toBe("bgs");
    const feed = (await (await app.get(`${query}&format=jsonfeed`)).json()) as {
      description: string;
      items: { content_text: string; tags: string[] }[];
    };
    expect(feed.items.length).toBe(lines.length);
    const isOfSource = /^(?:.*: )?Source: bgs$/im;
    expect(
      feed.items.filter(({ content_text, tags }) => isOfSource.test(content_text) || tags.includes("bgs")),
    ).toEqual([]);
    expect(feed.description).toContain("Withheld, because the terms forbid redistribution: bgs.");
    const atom = await (await app.get(`${query}&format=atom`)).text();
    expect(
      atom
        .split("<entry>")
        .slice(1)
        .filter((entry) => isOfSource.test(entry) || entry.includes('term="bgs"')),
    ).toEqual([]);
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

test("a calendar leaves out the rows of a restricted source", async () => {
  const database = await openOnce();
  databases.push(database);
  await using app = await startApp(database);
  await app.refresh("global-tenders");
  const operation = catalog.find(({ name }) => name === "ListGlobalTenders")!;
  const [table] = tablesOf(operation);
  const response = await app.json<JsonObject>("/api/economic/v1/list-global-tenders?page_size=100");
  const calendarWithout = async (...names: string[]) => {
    const sources = names.map((name) => ({ name, terms: "Terms" }));
    const plan = filePlanner(
      rowPlanner(
        operation,
        () => [],
        () => ({ sources, parts: [] }),
      ),
    );
    const file = { format: "ics", table: table!, raw: false, all: false, columns: "path" } as const;
    const { whole, rowsOf } = plan(file, create(operation.method.input), { lasting: [] });
    return String(await whole(rowsOf(response)));
  };
  expect(await calendarWithout()).toContain("UID:urn:ids:list-global-tenders:tenders:ted%3A");
  const calendar = await calendarWithout("ted");
  expect(calendar).toContain("UID:urn:ids:list-global-tenders:tenders:sam%3A");
  expect(calendar).not.toContain("tenders:ted%3A");
});

test("a table without the source of a row is not served as a file, and the error names the terms that forbid it", async () => {
  await using app = await startLive(permissions);
  expect((await app.get(carriers)).status).toBe(200);
  for (const format of ["csv", "xlsx", "ndjson", "parquet", "atom", "jsonfeed"]) {
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

test("counts include the rows of a restricted source, because they are derived values", async () => {
  await using app = await startLive(permissions);
  const table = "commodities.mine.countries";
  const query = new URLSearchParams({ path: minerals, by: "source", table });
  const { groups } = await app.json<{ groups: { first: string; rows: number }[] }>(
    `/api/catalog/v1/count-rows?${query}`,
  );
  const { commodities } = await app.json<{
    commodities: { mine?: { countries: { source: string }[] } }[];
  }>(minerals);
  const rows = commodities.flatMap(({ mine }) => mine?.countries ?? []);
  const ofSource = rows.filter(({ source }) => source === "bgs").length;
  expect(ofSource).toBeGreaterThan(0);
  expect(groups.find(({ first }) => first === "bgs")?.rows).toBe(ofSource);
});
