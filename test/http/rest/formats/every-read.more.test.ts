import type { JsonValue } from "@bufbuild/protobuf";
import { parse } from "csv-parse/sync";
import { XMLParser } from "fast-xml-parser";
import { parquetMetadata, parquetReadObjects, parquetSchema } from "hyparquet";
import ICAL from "ical.js";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { type FileFormat, lackFor, offeredFormats, spanOf } from "../../../../src/contract/file-format.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { openLoaded } from "../../../support/loaded.ts";
import { placedQuery } from "../../../support/needed-query.ts";
import { examplesSuffice, type ReadTable, readTables, tableFile } from "../../../support/table-files.ts";
import { readWorkbook } from "../../../support/workbook.ts";

let database: Database;
let app: TestApp;
let key: string;
beforeAll(async () => {
  database = await openLoaded();
  app = await startApp(database);
  key = await app.key("enterprise");
});
afterAll(async () => {
  await app[Symbol.asyncDispose]();
  await database.close();
});

const tables = readTables.map((each): [string, ReadTable] => [each.name, each]);

type Row = Readonly<Record<string, JsonValue>>;

/** Each file is requested once, and each format by its own account: some reads have quotas of their own per minute. */
const files = new Map<string, Promise<Buffer>>();
const keys = new Map<FileFormat, Promise<string>>();

function file(requested: ReadTable, format: FileFormat): Promise<Buffer> {
  const name = `${requested.name} ${format}`;
  const own = keys.get(format) ?? app.key("enterprise");
  keys.set(format, own);
  const known = files.get(name) ?? own.then((each) => tableFile(app, each, requested, format));
  files.set(name, known);
  return known;
}

/** The elements at the end of a path, in order; what the JSON answer has, without the contract's help. */
function elementsAt(value: JsonValue | undefined, path: readonly string[]): JsonValue[] {
  if (value === undefined || value === null) return [];
  const [name, ...rest] = path;
  if (name === undefined) return Array.isArray(value) ? value : typeof value === "object" ? Object.values(value) : [];
  if (Array.isArray(value)) return value.flatMap((item) => elementsAt(item, path));
  return typeof value === "object" ? elementsAt(value[name], rest) : [];
}

function at(value: JsonValue, path: readonly string[]): JsonValue | undefined {
  return path.reduce<JsonValue | undefined>(
    (inner, name) => (inner && typeof inner === "object" && !Array.isArray(inner) ? inner[name] : undefined),
    value,
  );
}

/** Returns the cell of the JSON response, except if the file marks the value as unknown. */
function knownIn(cell: JsonValue, value: JsonValue | undefined): JsonValue {
  if (cell === null || value === undefined || value === null) return null;
  if (Array.isArray(value))
    return Array.isArray(cell) ? value.map((each, at) => knownIn(cell[at] ?? null, each)) : value;
  if (typeof value !== "object" || typeof cell !== "object" || Array.isArray(cell)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, knownIn(cell[name] ?? null, each)]));
}

const xml = new XMLParser({ parseTagValue: false, isArray: (name) => name === "entry" });

let written = 0;

describe.each(tables)("%s", (_, requested) => {
  const { operation, table } = requested;

  test("has in NDJSON the rows of the JSON, and no value that is not there", async () => {
    const json = (await (await app.get(placedQuery(operation), { key })).json()) as JsonValue;
    const elements = table.name === "response" ? [json] : elementsAt(json, table.name.split("."));
    const rows = ndjson(await file(requested, "ndjson"));
    expect(rows).toHaveLength(elements.length);
    written += rows.length;
    const own = table.columns.filter(({ name }) =>
      elements.some((element) => at(element, name.split(".")) !== undefined),
    );
    if (elements.some((element) => typeof element === "object")) expect(own.length).toBeGreaterThan(0);
    rows.forEach((row, index) => {
      for (const { name, field } of own) {
        if (row[name] === null || field === undefined) continue;
        const value = knownIn(row[name] ?? null, at(elements[index] ?? null, name.split(".")));
        expect(row[name], `${name} of row ${index}`).toEqual(value);
      }
    });
  });

  test("has the same cells in CSV and Parquet, an unknown one empty", async () => {
    const rows = ndjson(await file(requested, "ndjson"));
    const csv: Record<string, string>[] = parse(await file(requested, "csv"), { columns: true });
    const parquet = await file(requested, "parquet");
    const bytes = new Uint8Array(parquet).buffer;
    const stored = await parquetReadObjects({ file: bytes });
    expect([csv.length, stored.length]).toEqual([rows.length, rows.length]);
    const metadata = parquetMetadata(bytes);
    const { key_value_metadata: facts = [] } = metadata;
    expect(parquetSchema(metadata).children.map(({ element }) => element.name)).toEqual([
      ...table.columns.map(({ name }) => name),
      ...(table.latitude ? ["geometry"] : []),
    ]);
    expect(facts.find((property) => property.key === "origin")?.value).toMatch(/^(sample|live)$/);
    rows.forEach((row, index) => {
      for (const { name, type, time } of table.columns) {
        const value = row[name] ?? null;
        expect(csv[index]?.[name], `${name} of row ${index}`).toBe(asCell(value, type));
        const cell = stored[index]?.[name] ?? null;
        if (value === null) expect(cell, name).toBeNull();
        else if (time === TimeEncoding.EPOCH_MS) {
          const iso = new Date(Number(value)).toISOString();
          expect(cell, name).toEqual(new Date(iso));
          expect([csv[index]?.[`${name}.iso`], row[`${name}.iso`]]).toEqual([iso, iso]);
        } else if (time === TimeEncoding.RFC3339 || time === TimeEncoding.DAY)
          expect(cell, name).toEqual(new Date(String(value)));
        else if (typeof cell === "bigint") expect(cell).toBe(BigInt(String(value)));
        // Decimal numbers are texts in JSON.
        else expect(cell, `${name} of row ${index}`).toEqual(type === "number" ? Number(value) : value);
      }
    });
  });

  test("has the cells of Parquet in XLSX, with lists and long integers as text", async () => {
    const parquet = new Uint8Array(await file(requested, "parquet")).buffer;
    const stored = await parquetReadObjects({ file: parquet });
    const csv: Record<string, string>[] = parse(await file(requested, "csv"), { columns: true });
    const { names, rows } = await readWorkbook(await file(requested, "xlsx"));
    expect([names, rows.length]).toEqual([table.columns.map(({ name }) => name), stored.length]);
    rows.forEach((row, index) => {
      for (const { name, type } of table.columns) {
        const cell = stored[index]?.[name] ?? null;
        const text = csv[index]?.[name] ?? "";
        const isLong = typeof cell === "bigint" && text.replace("-", "").length > 15;
        if (cell === null || text === "") expect(row[name], `${name} of row ${index}`).toBeNull();
        else if (type === "list" || type === "json" || isLong || typeof cell === "string")
          expect(isTextOf(row[name], text), `${name} of row ${index}`).toBe(true);
        else if (typeof cell === "bigint") expect(row[name], name).toBe(Number(cell));
        else expect(row[name], `${name} of row ${index}`).toEqual(cell);
      }
    });
  });

  test("is a feed with an entry for each row if its rows have IDs, and a calendar if they have days", async () => {
    const rows = ndjson(await file(requested, "ndjson"));
    const span = spanOf(table);
    if (lackFor("atom", table) !== undefined) return;
    const { entry = [] } = xml.parse(await file(requested, "atom")).feed;
    const { items } = JSON.parse(String(await file(requested, "jsonfeed")));
    const ids = new Set(items.map(({ id }: { id: string }) => id));
    expect([items.length, ids.size, entry.length]).toEqual([rows.length, rows.length, rows.length]);
    expect(entry.map(({ id }: { id: string }) => id)).toEqual([...ids]);
    expect(items.filter(({ title, url }: Row) => !title || !/^http/.test(String(url)))).toEqual([]);
    if (!span || lackFor("ics", table) !== undefined) return;
    const dated = rows.filter((row) => (row[span.start.name] ?? "") !== "");
    const calendar = new ICAL.Component(ICAL.parse(String(await file(requested, "ics"))));
    expect(calendar.getAllSubcomponents("vevent").length).toBe(dated.length);
  });

  test("says in its CSV metadata what each column is", async () => {
    const csv: string[][] = parse(await file(requested, "csv"), { to: 1 });
    const { tableSchema, ...about } = JSON.parse(String(await file(requested, "csvw")));
    expect(tableSchema.columns.map(({ titles }: { titles: string }) => titles)).toEqual(csv[0]);
    expect(about).toMatchObject({
      url: expect.stringContaining("format=csv"),
      "dc:title": expect.stringMatching(/\.$/),
    });
  });
});

describe.each(tables.filter(([, { table }]) => table.latitude))("%s", (_, requested) => {
  const { table } = requested;

  test("is a map in GeoJSON", async () => {
    const rows = ndjson(await file(requested, "ndjson"));
    const { type, features } = JSON.parse(String(await file(requested, "geojson")));
    expect([type, features.length]).toEqual(["FeatureCollection", rows.length]);
    rows.forEach((row, index) => {
      const place = [row[table.longitude?.name ?? ""], row[table.latitude?.name ?? ""]];
      expect(features[index].geometry?.coordinates ?? [null, null]).toEqual(place);
    });
  });
});

test("most tables have rows to compare", () => {
  expect(written).toBeGreaterThan(tables.length * 5);
});

test("a read without rows refuses a format and says why not", async () => {
  const without = examplesSuffice.filter(
    (operation) => operation.queried && offeredFormats(tablesOf(operation)).length === 0,
  );
  expect(without.length).toBeGreaterThan(0);
  for (const operation of without) {
    const path = placedQuery(operation);
    const response = await app.get(`${path}${path.includes("?") ? "&" : "?"}format=csv`, { key });
    expect([response.status, await response.json()], path).toEqual([
      400,
      { violations: [{ field: "format", description: "value must be one of json" }] },
    ]);
  }
});

function ndjson(text: Buffer): Row[] {
  return text
    .toString()
    .split("\n")
    .filter((line) => line !== "")
    .map((line) => JSON.parse(line) as Row);
}

/** Returns whether a cell of a spreadsheet has a text, or the beginning of a text that is too long for a cell. */
function isTextOf(cell: unknown, text: string): boolean {
  if (text.length <= 32_767) return cell === text;
  const [begin = "", end = ""] = String(cell).split("… [shortened from ");
  return begin.length > 32_000 && text.startsWith(begin) && end.startsWith(String(text.length));
}

function asCell(value: JsonValue, type: string): string {
  if (value === null) return "";
  if (type === "list" && Array.isArray(value)) return value.map(String).join("|");
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
