import { parse } from "csv-parse/sync";
import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../../../src/contract/catalog.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import { InvalidRequest } from "../../../../src/errors.ts";
import { unitOf } from "../../../../src/http/rest/formats/file-metadata.ts";
import { xlsxWalk, xlsxWhole } from "../../../../src/http/rest/formats/xlsx.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { openOnce } from "../../../support/databases.ts";
import { nothingSaid, placesOf, tableOf } from "../../../support/hostile-cells.ts";
import { readWorkbook } from "../../../support/workbook.ts";

const dayMs = 86_400_000;
const events = `/api/conflict/v1/list-conflict-events?start=${testTime.getTime() - 66 * dayMs}`;
const tenders = "/api/economic/v1/list-global-tenders?page_size=100";

interface Tender {
  readonly publishedAt: string;
  readonly deadline: string;
  readonly money?: { readonly amount?: number; readonly currency?: string };
}

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

const fileOf = async (query: string) => new Uint8Array(await (await app.get(query)).arrayBuffer());
const columnsOf = (operation: string) => tablesOf(catalog.find(({ name }) => name === operation)!)[0]!.columns;

test("1,000 rows are equal in JSON, CSV, Parquet and XLSX", async () => {
  const { events: json } = await app.json<{ events: { id: string; location?: { latitude: number } }[] }>(events);
  expect(json.length).toBeGreaterThan(1_000);
  const csv: Record<string, string>[] = parse(await (await app.get(`${events}&format=csv&raw=true`)).text(), {
    columns: true,
  });
  const parquet = await parquetReadObjects({ file: (await fileOf(`${events}&format=parquet`)).buffer });
  const { names, rows } = await readWorkbook(await fileOf(`${events}&format=xlsx`));
  const columns = columnsOf("ListConflictEvents");
  expect(names).toEqual(columns.map(({ name }) => name));
  expect([rows.map(({ id }) => id), csv.map(({ id }) => id), parquet.map(({ id }) => id)]).toEqual(
    Array.from({ length: 3 }, () => json.map(({ id }) => id)),
  );
  for (const [index, row] of rows.entries())
    for (const { name, type } of columns) {
      const [cell, stored] = [row[name] ?? null, parquet[index]?.[name] ?? null];
      const text = csv[index]?.[name] ?? "";
      if (cell instanceof Date) expect([cell, String(cell.getTime())], name).toEqual([stored, text]);
      else if (cell === null)
        expect([stored === null || stored === "" || type === "list", text], name).toEqual([true, ""]);
      else expect(String(cell), `${name} of row ${index}`).toBe(text);
      if (type === "number" || type === "integer") expect(cell, name).toEqual(stored);
    }
});

test("times and days are dates in UTC, numbers are numbers, and unknown values are empty cells", async () => {
  const { rows } = await readWorkbook(await fileOf(`${tenders}&format=xlsx`));
  const { tenders: json } = await app.json<{ tenders: Tender[] }>(tenders);
  for (const [index, { publishedAt, deadline, money }] of json.entries()) {
    const row = rows[index];
    expect([row?.publishedAt ?? "", row?.deadline]).toEqual([publishedAt && new Date(publishedAt), new Date(deadline)]);
    expect([row?.["money.amount"], row?.["money.currency"]]).toEqual([money?.amount ?? null, money?.currency ?? null]);
  }
  expect(rows.some((row) => row["money.amount"] === null)).toBe(true);
  expect(rows.some((row) => typeof row["money.amount"] === "number")).toBe(true);
  expect(rows.every((row) => row["automationFit.score"] !== null)).toBe(true);
});

test("the second sheet has the title, the terms, the origin, and the unit and description of each column", async () => {
  const { about } = await readWorkbook(await fileOf(`${tenders}&format=xlsx`));
  const properties = new Map(about.map(([name, value]) => [name, value] as const).toReversed());
  expect(properties.get("title")).toBe("Lists open procurement notices.");
  expect(properties.get("attribution")).toContain("CC BY 4.0, European Union, TED");
  expect([properties.get("origin"), properties.get("documentation")]).toEqual(["sample", "/docs/list-global-tenders"]);
  const header = about.findIndex(([first]) => first === "column");
  expect(about[header]).toEqual(["column", "unit", "description"]);
  expect(about.slice(header + 1).map(([name, unit]) => [name, unit ?? undefined])).toEqual(
    columnsOf("ListGlobalTenders").map((column) => [column.name, unitOf(column)]),
  );
  expect(about.find(([name]) => name === "money.amount")).toEqual([
    ...["money.amount", "as in money.currency"],
    "Amount in whole units of the currency, as stated. Absent if only the currency is known.",
  ]);
});

test("CSV metadata, Parquet and XLSX state the same units", async () => {
  const { about } = await readWorkbook(await fileOf(`${tenders}&format=xlsx`));
  const { tableSchema } = await app.json<{ tableSchema: { columns: Record<string, string>[] } }>(
    `${tenders}&format=csvw`,
  );
  const { key_value_metadata: facts } = parquetMetadata((await fileOf(`${tenders}&format=parquet`)).buffer);
  const stored: { name: string; unit?: string }[] = JSON.parse(
    facts?.find(({ key }) => key === "columns")?.value ?? "",
  );
  const unitIn = (name: string) => about.findLast(([first]) => first === name)?.[1] ?? undefined;
  const units = stored.map(({ name, unit }) => [name, unit]);
  expect(units.filter(([, unit]) => unit)).toEqual([["money.amount", "as in money.currency"]]);
  expect(stored.map(({ name }) => [name, unitIn(name)])).toEqual(units);
  const ofCsv = new Map(tableSchema.columns.map((column) => [column.titles, column["schema:unitText"]]));
  expect(stored.map(({ name }) => [name, ofCsv.get(name)])).toEqual(units);
});

test("while a file of many rows is written, other requests run", async () => {
  const places = placesOf(Array.from({ length: 5_000 }, (_, row) => Array.from({ length: 20 }, () => `Text ${row}`)));
  const columns = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`c${index}`, "text" as const]));
  let turns = 0;
  let next = setImmediate(function turn() {
    turns += 1;
    next = setImmediate(turn);
  });
  const file = await xlsxWhole(tableOf(columns), nothingSaid, false, places);
  clearImmediate(next);
  expect((await readWorkbook(file)).rows.length).toBe(5_000);
  expect(turns).toBeGreaterThan(20);
});

test("stale, missing and withheld data is named in the second sheet", async () => {
  const file = await xlsxWhole(
    tableOf({ name: "text" }),
    { ...nothingSaid, isStale: true, missing: ["first", "second"], withheld: ["third"] },
    false,
    [],
  );
  const { about } = await readWorkbook(file);
  expect(
    about.filter(([name]) => /^(stale|missing|withheld)$/.test(String(name))).map((row) => row.slice(0, 2)),
  ).toEqual([
    ["stale", "true"],
    ["missing", "first, second"],
    ["withheld", "third"],
  ]);
});

test("a value that Excel would change is text: a long integer, and a day before 1900", async () => {
  const plain = tableOf({ long: "bigint", short: "bigint", day: "text", flag: "boolean", pi: "number" });
  const table = {
    ...plain,
    columns: plain.columns.map((column) => (column.name === "day" ? { ...column, time: TimeEncoding.DAY } : column)),
  };
  const file = await xlsxWhole(
    table,
    nothingSaid,
    false,
    placesOf([
      ["9007199254740993", "-42", "1848-03-18", true, "3.5"],
      [null, 0, "2026-03-01", false, -1e-7],
    ]),
  );
  expect((await readWorkbook(file)).rows).toEqual([
    { long: "9007199254740993", short: -42, day: "1848-03-18", flag: true, pi: 3.5 },
    { long: null, short: 0, day: new Date("2026-03-01"), flag: false, pi: -1e-7 },
  ]);
});

test("a file has the same bytes for the same data, so that ranges and caches work", async () => {
  const [first, second] = [await app.get(`${events}&format=xlsx`), await app.get(`${events}&format=xlsx&limit=1000`)];
  expect(first.headers.get("content-type")).toBe("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet");
  expect(first.headers.get("content-disposition")).toMatch(
    /^attachment; filename="list-conflict-events_.*\.sample\.xlsx"$/,
  );
  expect(second.status).toBe(200);
  const again = await app.get(`${events}&format=xlsx`, {
    headers: { "If-None-Match": first.headers.get("etag") ?? "" },
  });
  expect(again.status).toBe(304);
});

test("more rows than a sheet has are rejected, with the formats that have room", async () => {
  using walk = xlsxWalk(tableOf({}), nothingSaid, false);
  await walk.begin();
  const places = placesOf(Array.from({ length: 100_000 }, () => null));
  for (let written = 0; written < 1_000_000; written += places.length) await walk.rows(places);
  const failure = await Promise.resolve()
    .then(() => walk.rows(places))
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(InvalidRequest);
  expect((failure as InvalidRequest).violations).toEqual([
    {
      field: "format",
      description: "value must be another format, such as csv: a sheet has at most 1048575 rows",
    },
  ]);
});
