import { afterAll, beforeAll, expect, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import type { Database } from "../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";
import { startUpstreamServer, type UpstreamServer } from "../../support/servers/upstream-server.ts";
import { structuredData } from "../../support/structured-data.ts";

const wanted = ["mineral-production", "shipping-stress"] as const;
const sources = datasets
  .filter(({ name }) => wanted.some((each) => each === name))
  .flatMap((dataset) => dataset.sources.map(({ name }) => name));

let outside: UpstreamServer;
let database: Database;
let app: TestApp;
beforeAll(async () => {
  outside = await startUpstreamServer(sources, () => testTime);
  database = await openOnce();
  app = await startApp(database, {
    environment: { IDS_DATA: "live", IDS_SOURCE_BGS: "on", IDS_SOURCE_YAHOO_CARRIERS: "on" },
    outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
  });
  for (const dataset of wanted) await app.refresh(dataset);
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
  await outside[Symbol.asyncDispose]();
});

interface Catalog {
  readonly dataset: readonly { readonly identifier: string; readonly distribution: readonly { title: string }[] }[];
}

test("a dataset whose terms forbid files has none in its metadata, and says why", async () => {
  const stress = await structuredData(app, "shipping-stress");
  expect(stress.distribution.filter(({ contentUrl }) => contentUrl.includes("get-shipping-stress"))).toEqual([]);
  expect(stress.description).toContain("Files must not contain data from yahoo-carriers (Yahoo terms of service");
  expect(stress.creativeWorkStatus).toBeUndefined();
  expect(stress.description).not.toContain("invented");
});

test("a table whose rows name their source lists only the columns that its file has", async () => {
  const minerals = await structuredData(app, "mineral-production");
  expect(minerals.description).toContain("Files leave out rows of bgs");
  expect(minerals.description).toContain("Files must not contain data from bgs");
  expect(minerals.distribution.some(({ contentUrl }) => contentUrl.includes("rows=countries.holdings"))).toBe(false);
  expect(minerals.recordSet.length).toBeGreaterThan(0);
  for (const { field } of minerals.recordSet) {
    const csv = minerals.distribution.find((file) => file["@id"] === field[0]?.source.fileObject["@id"]);
    const response = await app.get(csv?.contentUrl.slice(app.url.length) ?? "");
    expect(response.headers.get("X-Data-Withheld")).toBe("bgs");
    expect(field.map(({ name }) => name).join(",")).toBe((await response.text()).split("\r\n", 1)[0]);
  }
});

test("the catalog lists every dataset, also those that have no files or were never loaded", async () => {
  const { dataset } = await app.json<Catalog>("/catalog.jsonld");
  expect(dataset.map(({ identifier }) => identifier)).toEqual(datasets.map(({ name }) => name));
  const filesOf = (name: string) => dataset.find(({ identifier }) => identifier === name)?.distribution ?? [];
  expect(filesOf("shipping-stress").filter(({ title }) => title.startsWith("get-shipping-stress"))).toEqual([]);
  expect(filesOf("conflict-events").length).toBeGreaterThan(0);
});

test("live pages may be listed by search engines, and private ones may not", async () => {
  for (const path of ["/", "/data", "/data/mineral-production", "/docs", "/plans"]) {
    const response = await app.get(path, { key: null });
    expect(response.headers.get("X-Robots-Tag"), path).toBeNull();
    expect(await response.text(), path).not.toContain('name="robots"');
  }
  for (const path of ["/account", "/data/mineral-production?embed=1"])
    expect(await (await app.get(path, { key: null })).text(), path).toContain('<meta name="robots" content="noindex">');
  const robots = await (await app.get("/robots.txt", { key: null })).text();
  expect(robots).toContain("Disallow: /export/");
  expect(robots).toContain(`Sitemap: ${app.url}/sitemap.xml`);
  expect(robots).not.toMatch(/feed/);
});
