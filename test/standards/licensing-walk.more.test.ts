import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Role } from "../../gen/es/ids/options/v1/options_pb.ts";
import { type FileFormat, offeredFormats } from "../../src/contract/file-format.ts";
import { datasets, lookups } from "../../src/domains/index.ts";
import type { SourceTerms } from "../../src/ingest/source.ts";
import { permissionOf } from "../../src/ingest/upstreams.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openLoaded, relabelAsLive } from "../support/loaded.ts";
import { placedQuery } from "../support/needed-query.ts";
import { structuredData } from "../support/structured-data.ts";
import { type ReadTable, readTables } from "../support/table-files.ts";
import { readWorkbook } from "../support/workbook.ts";

const serving = [
  ...datasets.map(({ sources, serves }) => ({ sources, serves })),
  ...lookups.map((lookup) => ({ sources: [lookup], serves: lookup.serves })),
];
const restrictedOf = (sources: readonly SourceTerms[]) =>
  sources.filter(({ license }) => license.kind === "restricted");
const restricted = [
  ...new Map(serving.flatMap(({ sources }) => restrictedOf(sources)).map((each) => [each.name, each])).values(),
];
/** A series whose terms forbid redistribution, of a source that permits its other series. */
const restrictedSeries = "VIXCLS";

/** The sources of a read whose rows no file may contain. */
function restrictedBehind({ operation }: ReadTable): readonly string[] {
  const behind = serving.filter(({ serves }) => serves.some((method) => method === operation.method));
  return behind.flatMap(({ sources }) => restrictedOf(sources)).map(({ name }) => name);
}

const namesItsSource = ({ table }: ReadTable) => table.columns.some(({ role }) => role === Role.SOURCE);
const restrictedTables = readTables.filter((each) => restrictedBehind(each).length > 0);
/** Tables that no file may contain, because their rows do not name their source. */
const closed = restrictedTables.filter((each) => !namesItsSource(each));
/** Tables whose files leave out some rows. */
const open = [
  ...restrictedTables.filter(namesItsSource),
  ...readTables.filter(({ operation }) => operation.name === "GetEconomicStress"),
];

let database: Database;
let app: TestApp;
beforeAll(async () => {
  database = await openLoaded();
  await relabelAsLive(database);
  const permissions = restricted.flatMap((source) => [
    [permissionOf(source) ?? "", "on"],
    ...(source.variables ?? []).map((variable) => [variable, "0123456789abcdef0123456789abcdef"]),
  ]);
  app = await startApp(database, {
    environment: { ...Object.fromEntries(permissions), IDS_DATA: "live", IDS_SOURCE_VIXCLS: "on" },
    outside: { transport: () => Promise.reject(new TypeError("nothing is reachable")), wait: async () => undefined },
  });
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

function fileOf({ operation, table }: ReadTable, format: FileFormat): string {
  const path = placedQuery(operation);
  return `${path}${path.includes("?") ? "&" : "?"}${new URLSearchParams({ format, rows: table.name })}`;
}

const formatsOf = ({ table }: ReadTable) => offeredFormats([table]);

/** The values of a file, or the parts of the lines of a feed. Metadata names sources without their rows. */
async function valuesIn(format: FileFormat, bytes: Buffer<ArrayBuffer>): Promise<unknown[]> {
  const text = bytes.toString();
  if (format === "ndjson") return text.split("\n").flatMap((line) => (line ? Object.values(JSON.parse(line)) : []));
  if (format === "csv") return parse(text, { comment_no_infix: true, comment: "#", relax_column_count: true }).flat();
  if (format === "xlsx") return (await readWorkbook(bytes)).rows.flatMap((row) => Object.values(row));
  if (format === "parquet") {
    const { buffer, byteOffset, byteLength } = bytes;
    const rows = await parquetReadObjects({ file: buffer.slice(byteOffset, byteOffset + byteLength) });
    return rows.flatMap((row) => Object.values(row));
  }
  if (format === "jsonfeed") {
    const { items } = JSON.parse(text) as { items: { id: string; content_text: string; tags?: string[] }[] };
    return items.flatMap(({ id, content_text: lines, tags = [] }) =>
      [id.split(":"), lines.split(/: |\n/), tags].flat(),
    );
  }
  if (format === "atom")
    return text
      .split("<entry>")
      .slice(1)
      .join("")
      .split(/[<>":\n]\s?/);
  return [];
}

async function expectNoRestrictedRow(name: string, format: FileFormat, response: Response, sources: readonly string[]) {
  const values = await valuesIn(format, Buffer.from(await response.arrayBuffer()));
  if (format !== "csvw") expect(values.length, name).toBeGreaterThan(0);
  expect(
    values.filter((value) => [...sources, restrictedSeries].includes(String(value))),
    name,
  ).toEqual([]);
}

async function createFeed(key: string, path: string) {
  const body = JSON.stringify({ name: "walk", path });
  const response = await app.get("/api/account/v1/create-feed-url", { key, method: "POST", body });
  return { status: response.status, body: (await response.json()) as { url: string } };
}

test("the walk has reads of every restricted source, and tables of both kinds", () => {
  const walked = new Set(restrictedTables.flatMap(restrictedBehind));
  expect(walked).toEqual(new Set(restricted.map(({ name }) => name)));
  expect(closed.length).toBeGreaterThan(10);
  expect(open.length).toBeGreaterThan(3);
});

describe.each(closed.map((each) => [each.name, each] as const))(
  "The table %s, which no file may contain",
  (_, table) => {
    test("has no file, range, or feed in any format", async () => {
      const key = await app.key("enterprise");
      expect((await createFeed(key, placedQuery(table.operation))).status).toBe(403);
      for (const format of formatsOf(table)) {
        const path = fileOf(table, format);
        for (const headers of [{}, { Range: "bytes=0-99" }]) {
          const response = await app.get(path, { key, headers });
          expect(response.status, path).toBe(403);
          expect(await response.text()).toContain("must not contain data from");
        }
        const feed = await createFeed(key, path);
        expect((await app.get(feed.body.url, { key: null })).status, path).toBe(403);
      }
    });
  },
);

describe.each(open.map((each) => [each.name, each] as const))(
  "The table %s, of which files leave out rows",
  (_, table) => {
    test("has files and feeds without those rows, and says so", async () => {
      const key = await app.key("enterprise");
      for (const format of formatsOf(table)) {
        const path = fileOf(table, format);
        const file = await app.get(path, { key });
        expect(file.status, path).toBe(200);
        expect(file.headers.get("X-Data-Withheld"), path).not.toBeNull();
        await expectNoRestrictedRow(path, format, file, restrictedBehind(table));
        const feed = await createFeed(key, path);
        expect(feed.status, path).toBe(201);
        const read = await app.get(feed.body.url, { key: null });
        expect(read.status, path).toBe(200);
        await expectNoRestrictedRow(feed.body.url, format, read, restrictedBehind(table));
      }
    });
  },
);

test("JSON has rows of a restricted source and series, so that there is something to leave out", async () => {
  const json = (path: string) => app.get(path).then((response) => response.text());
  expect(await json("/api/supply-chain/v1/get-mineral-production")).toContain('"source":"bgs"');
  expect(await json("/api/economic/v1/get-economic-stress")).toContain(restrictedSeries);
});

/** The address of the file of each view, by the name of the view. */
async function lakeViews(): Promise<ReadonlyMap<string, string>> {
  const script = await (await app.get("/lake.sql", { key: null })).text();
  const files = script.matchAll(/MACRO (\w+)_rows\(ids_file_url := 'http:\/\/[^/]+([^']+)'/g);
  return new Map([...files].map(([, name = "", path = ""]) => [name, path]));
}

function isOf(path: string, { operation, table }: ReadTable): boolean {
  const url = new URL(path, app.url);
  return url.pathname === operation.path && url.searchParams.get("rows") === table.name;
}

test("views of the lake are of tables with files, and read none of the restricted rows", async () => {
  const views = await lakeViews();
  const key = await app.key("enterprise");
  const ofTables = (tables: readonly ReadTable[]) =>
    [...views.values()].flatMap((path) => tables.filter((each) => isOf(path, each)).map((table) => ({ path, table })));
  expect(ofTables(closed)).toEqual([]);
  const read = ofTables(open);
  expect(read.length).toBe(open.length);
  for (const { path, table } of read) {
    const file = await app.get(path, { key });
    expect(file.status, path).toBe(200);
    await expectNoRestrictedRow(path, "parquet", file, restrictedBehind(table));
  }
});

test("the catalog and the pages of the datasets list no file that the terms forbid", async () => {
  interface Catalog {
    readonly dataset: readonly {
      readonly identifier: string;
      readonly distribution: readonly { downloadURL: string }[];
    }[];
  }
  const { dataset: listed } = await app.json<Catalog>("/catalog.jsonld");
  const pathOf = (url: string) => url.slice(app.url.length);
  let read = 0;
  for (const { identifier, distribution } of listed) {
    const paths = distribution.map(({ downloadURL }) => pathOf(downloadURL));
    expect(paths.flatMap((path) => closed.filter((each) => isOf(path, each)))).toEqual([]);
    const page = await structuredData(app, identifier);
    const onPage = page.distribution.map(({ contentUrl }) => pathOf(contentUrl));
    expect(onPage.flatMap((path) => closed.filter((each) => isOf(path, each)))).toEqual([]);
    for (const path of new Set([...paths, ...onPage])) {
      const table = open.find((each) => isOf(path, each));
      if (!table) continue;
      read += 1;
      const format = new URL(path, app.url).searchParams.get("format") as FileFormat;
      await expectNoRestrictedRow(path, format, await app.get(path), restrictedBehind(table));
    }
  }
  expect(read).toBeGreaterThan(open.length);
});
