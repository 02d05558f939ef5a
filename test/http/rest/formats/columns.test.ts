import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { catalog } from "../../../../src/contract/catalog.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import { fileTable } from "../../../../src/http/rest/formats/file-columns.ts";
import { otherParameters } from "../../../../src/http/rest/request-decoder.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { readWorkbook } from "../../../support/workbook.ts";

const events = "/api/conflict/v1/list-conflict-events?country=SD";

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openOnce();
  app = await startApp(database);
  await app.refresh("conflict-events");
  await app.refresh("global-tenders");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const snake = (format: string, path = events) => app.get(`${path}&format=${format}&columns=snake`);
const names = [
  ...["id", "event_type", "country", "location_latitude", "location_longitude", "occurred_at", "fatalities"],
  ...["actors", "source", "admin1", "admin1_code", "admin1_from", "values_from", "report_count", "reports"],
];
const textNames = names.toSpliced(6, 0, "occurred_at_iso");

test("every format has the same snake_case names, and the cells of the dotted ones", async () => {
  const csv: string[][] = parse(await (await snake("csv")).text());
  const dotted: string[][] = parse(await (await app.get(`${events}&format=csv`)).text());
  expect([csv[0], csv.slice(1)]).toEqual([textNames, dotted.slice(1)]);
  const [line = ""] = (await (await snake("ndjson")).text()).split("\n");
  expect(Object.keys(JSON.parse(line))).toEqual(textNames);
  const { tableSchema, url } = (await (await snake("csvw")).json()) as {
    tableSchema: { columns: { name: string; titles: string }[]; primaryKey: string[] };
    url: string;
  };
  expect(tableSchema.columns.map(({ name, titles }) => [name, titles])).toEqual(textNames.map((name) => [name, name]));
  expect(tableSchema.primaryKey).toEqual(["id"]);
  expect(await (await app.get(url)).text()).toBe(await (await snake("csv")).text());
  const { features } = (await (await snake("geojson")).json()) as { features: Record<string, object>[] };
  expect(Object.keys(features[0]?.properties ?? {})).toEqual(textNames.filter((name) => !name.startsWith("location_")));
  expect(features[0]).toMatchObject({ id: csv[1]?.[0], geometry: { type: "Point" } });
  const parquet = await (await snake("parquet")).arrayBuffer();
  const metadata = parquetMetadata(parquet);
  expect(parquetSchema(metadata).children.map(({ element }) => element.name)).toEqual([...names, "geometry"]);
  expect((await parquetReadObjects({ file: parquet })).map(({ id }) => id)).toEqual(csv.slice(1).map(([id]) => id));
  const facts = new Map(metadata.key_value_metadata?.map(({ key, value }) => [key, value]));
  const stored: { name: string }[] = JSON.parse(facts.get("columns") ?? "");
  expect([facts.get("key"), stored.map(({ name }) => name)]).toEqual(["id", names]);
  const workbook = await readWorkbook(new Uint8Array(await (await snake("xlsx")).arrayBuffer()));
  expect(workbook.names).toEqual(names);
});

test("a column that has the unit of another one is named as the file names it", async () => {
  const tenders = "/api/economic/v1/list-global-tenders?page_size=5";
  const unitOf = async (path: string, name: string) => {
    const { tableSchema } = await app.json<{ tableSchema: { columns: Record<string, string>[] } }>(path);
    return tableSchema.columns.find(({ titles }) => titles === name)?.["schema:unitText"];
  };
  expect(await unitOf(`${tenders}&format=csvw`, "money.amount")).toBe("as in money.currency");
  expect(await unitOf(`${tenders}&format=csvw&columns=snake`, "money_amount")).toBe("as in money_currency");
});

test("names do not depend on what was requested before, and the link of a file keeps them", async () => {
  const first = async (query: string) => (await (await app.get(`${events}&format=csv${query}`)).text()).split(",")[1];
  for (let time = 0; time < 3; time += 1)
    expect([await first(""), await first("&columns=snake"), await first("&columns=path")]).toEqual([
      ...["eventType", "event_type", "eventType"],
    ]);
  expect((await snake("csv")).headers.get("link")).toContain("columns=snake&format=csvw");
  const all = await (await app.get(`${events}&format=csv&all=true&columns=snake`)).text();
  expect(all).toBe(await (await snake("csv")).text());
});

test("a response without columns, and another value, are a 400 that names the parameter", async () => {
  for (const [query, description] of [
    ["columns=snake", "value must be absent for format json, which has no columns"],
    ["format=json&columns=snake", "value must be absent for format json, which has no columns"],
    ["format=atom&columns=snake", "value must be absent for format atom, which has no columns"],
    ["format=csv&columns=camel", "value must be one of path, snake"],
    ["columns=Snake", "value must be one of path, snake"],
  ]) {
    const response = await app.get(`${events}&${query}`);
    expect([response.status, await response.json()], query).toEqual([
      400,
      { violations: [{ field: "columns", description }] },
    ]);
  }
  expect((await app.get(`${events}&columns=path`, { headers: { Prefer: "handling=strict" } })).status).toBe(200);
});

test("every table has unique names, none of which needs quotes in SQL, or is that of the geometry", () => {
  const tables = catalog.filter(({ read }) => read).flatMap((operation) => tablesOf(operation));
  for (const table of tables) {
    const { columns, key } = fileTable(table, { format: "csv", columns: "snake" });
    const own = columns.map(({ name }) => name);
    expect(own.filter((name) => !/^[a-z][a-z0-9_]*$/.test(name) || name === "geometry")).toEqual([]);
    expect(new Set(own).size).toBe(own.length);
    expect(key.filter((name) => !own.includes(name))).toEqual([]);
  }
});

test("no read defines a parameter of its own with the name of a reserved one", () => {
  for (const operation of catalog.filter(({ read }) => read)) {
    const reserved = new Set([...otherParameters(operation), "cite"]);
    const own = operation.method.input.fields.map(({ name }) => name);
    expect(
      own.filter((name) => reserved.has(name) && name !== "country" && name !== "updated_after"),
      operation.name,
    ).toEqual([]);
  }
});
