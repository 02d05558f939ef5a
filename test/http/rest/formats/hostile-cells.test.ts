import { create } from "@bufbuild/protobuf";
import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { XMLParser } from "fast-xml-parser";
import { parquetReadObjects } from "hyparquet";
import ICAL from "ical.js";
import { expect, test } from "vitest";
import { Role, TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../../../src/contract/catalog.ts";
import type { Column } from "../../../../src/contract/columns.ts";
import type { FeedFormat } from "../../../../src/contract/file-format.ts";
import { csvStream } from "../../../../src/http/rest/formats/csv.ts";
import { filePlanner } from "../../../../src/http/rest/formats/file-response.ts";
import { geojsonStream } from "../../../../src/http/rest/formats/geojson.ts";
import { ndjsonStream } from "../../../../src/http/rest/formats/ndjson.ts";
import { parquetStream } from "../../../../src/http/rest/formats/parquet.ts";
import { rowPlanner } from "../../../../src/http/rest/formats/row-plan.ts";
import { type RowStreamer, wholeFile } from "../../../../src/http/rest/formats/row-stream.ts";
import { xlsxWhole } from "../../../../src/http/rest/formats/xlsx.ts";
import { hostileCells, nothingSaid, placesOf, tableOf } from "../../../support/hostile-cells.ts";
import { readWorkbook } from "../../../support/workbook.ts";

type Row = [first: string | null, second: string | null, items: string[]];

const text = fc.oneof(
  fc.constantFrom(...hostileCells),
  fc.string({ unit: "binary" }).map((each) => each.toWellFormed()),
  fc.tuple(fc.constantFrom(...hostileCells), fc.constantFrom(...hostileCells)).map((parts) => parts.join("")),
);
const cell = fc.option(text, { freq: 9 });
const rows: fc.Arbitrary<Row[]> = fc.array(fc.tuple(cell, cell, fc.array(text, { maxLength: 3 })), {
  minLength: 1,
  maxLength: 6,
});
/** In every run. */
const examples: [Row[]][] = [[hostileCells.map((each): Row => [each, each, [each, each]])]];

const table = tableOf({ first: "text", second: "text", items: "list" });
const names = table.columns.map(({ name }) => name);
const fileOf = (stream: RowStreamer, cells: Row[], raw = false) =>
  wholeFile(stream(table, nothingSaid, raw), placesOf(cells));
const asTexts = ([first, second, items]: Row) => [first ?? "", second ?? "", items.join("|")];
const asObject = ([first, second, items]: Row) => ({ first, second, items });
const formula = /^(?=[=+\-@\t\r\n＝＋－＠])|(?=[=+\-@＝＋－＠])(?<=[;\t\r\n]"*)(?![+-]?\d[\d.,]*(?:[;\t\r\n]|$))/g;

test("whatever a text holds, a reader of CSV gets it back", () => {
  const property = fc.property(rows, (cells) => {
    expect(parse(fileOf(csvStream, cells, true))).toEqual([names, ...cells.map(asTexts)]);
  });
  fc.assert(property, { examples });
});

test("whatever a text holds, no spreadsheet runs it, and it is the same but for an apostrophe", () => {
  const property = fc.property(rows, (cells) => {
    const safe: string[][] = parse(fileOf(csvStream, cells));
    expect(safe.flat().filter((each) => each.search(formula) >= 0)).toEqual([]);
    const escaped = cells.map((row) => asTexts(row).map((each) => each.replace(formula, "'")));
    expect(safe).toEqual([names, ...escaped]);
  });
  fc.assert(property, { examples });
});

test.each([
  ["x;=HYPERLINK(1)", "x;'=HYPERLINK(1)"],
  ["a\t@SUM(1)\n+1+1", "a\t'@SUM(1)\n'+1+1"],
  ["one\r\n-2+3|calc", "one\r\n'-2+3|calc"],
  ["a;＝1", "a;'＝1"],
  // A program that splits at semicolons drops the quotes in front of such a text.
  [`x;"=1+1;y`, `x;"'=1+1;y`],
  [`x;""@SUM(1)`, `x;""'@SUM(1)`],
  ["5;-6;+7.5", "5;-6;+7.5"],
  ["5;-6+A1", "5;'-6+A1"],
  ["a;b = c-d", "a;b = c-d"],
])("%j is written as %j: no cell of a spreadsheet that splits lists elsewhere is a formula", (given, written) => {
  const [, [first] = []]: string[][] = parse(fileOf(csvStream, [[given, null, []]]));
  expect(first).toBe(written);
  const raw: string[][] = parse(fileOf(csvStream, [[given, null, []]], true));
  expect(raw[1]?.[0]).toBe(given);
});

/** The reader's own drops a byte order mark at the beginning of a text. */
const parsers = { stringFromBytes: (bytes: Uint8Array) => Buffer.from(bytes).toString() };

test("whatever a text holds, a reader of Parquet gets it back, and the items of a list", async () => {
  const property = fc.asyncProperty(rows, async (cells) => {
    const file = new Uint8Array(fileOf(parquetStream, cells)).buffer;
    expect(await parquetReadObjects({ file, parsers })).toEqual(cells.map(asObject));
  });
  await fc.assert(property, { examples });
});

/** Excel shortens longer texts itself when it opens a file. */
const maxCharacters = 32_767;

test("a spreadsheet gets every text of an XLSX file back as text, never as a formula, and a long one with a remark", async () => {
  const property = fc.asyncProperty(rows, async (cells) => {
    const file = await xlsxWhole(table, nothingSaid, false, placesOf(cells));
    const { names: read, rows: written } = await readWorkbook(file);
    expect(read).toEqual(names);
    for (const [index, row] of cells.map(asTexts).entries())
      for (const [column, text] of row.entries()) {
        const cell = written[index]?.[names[column] ?? ""];
        if (text.length <= maxCharacters) expect(cell ?? "").toBe(text);
        else {
          expect(String(cell)).toMatch(new RegExp(`… \\[shortened from ${text.length} characters, which CSV`));
          expect(String(cell).length).toBeLessThanOrEqual(maxCharacters);
          expect(text.startsWith(String(cell).slice(0, 32_000))).toBe(true);
        }
      }
  });
  await fc.assert(property, { examples: [...examples, [[["_x000D_", "a_x0041_b", ["_xFFFF_"]]]]] });
});

test("whatever a text holds, NDJSON has a line for each row, and GeoJSON a feature", () => {
  const property = fc.property(rows, (cells) => {
    const lines = fileOf(ndjsonStream, cells).toString().split("\n");
    expect(lines.pop()).toBe("");
    expect(lines.map((line) => JSON.parse(line))).toEqual(cells.map(asObject));
    const { features } = JSON.parse(String(fileOf(geojsonStream, cells)));
    expect(features.map(({ properties }: { properties: object }) => properties)).toEqual(cells.map(asObject));
  });
  fc.assert(property, { examples });
});

test("whatever a text holds, a feed has an entry for each row, with its ID, and nothing else", async () => {
  const operation = catalog.find(({ name }) => name === "ListTechEvents")!;
  const roles: Record<string, Partial<Column>> = {
    ...{ id: { role: Role.ID }, title: { role: Role.LABEL }, code: { role: Role.SOURCE } },
    day: { role: Role.TIME, time: TimeEncoding.DAY },
  };
  const plain = tableOf({ id: "text", title: "text", code: "text", day: "text", text: "text" });
  const listed = {
    ...plain,
    columns: plain.columns.map((column) => ({ ...column, ...roles[column.name] })),
    key: ["id"],
  };
  const plan = filePlanner(
    rowPlanner(
      operation,
      () => hostileCells,
      () => ({ sources: [], parts: [] }),
    ),
  );
  const places = placesOf(hostileCells.map((each) => [each, each, each, "2026-11-18", each]));
  const feedIn = async (format: FeedFormat) => {
    const file = { format, table: listed, raw: false, all: false, columns: "path" } as const;
    return String(await plan(file, create(operation.method.input), { lasting: [], readAt: undefined }).whole(places));
  };
  const ids = hostileCells.map((each) => `urn:ids:list-tech-events:rows:${encodeURIComponent(each.toWellFormed())}`);
  const { feed } = new XMLParser({ parseTagValue: false }).parse(await feedIn("atom"));
  expect(feed.entry.map(({ id }: { id: string }) => id)).toEqual(ids);
  const { items } = JSON.parse(await feedIn("jsonfeed"));
  expect(items.map(({ id }: { id: string }) => id)).toEqual(ids);
  expect(items.map(({ tags }: { tags: string[] }) => tags[0])).toEqual(hostileCells);
  const calendar = new ICAL.Component(ICAL.parse(await feedIn("ics")));
  const described = calendar.getAllSubcomponents();
  expect(described.map((each) => [each.name, each.getFirstPropertyValue("uid")])).toEqual(
    ids.map((id) => ["vevent", id]),
  );
  expect(new Set(described.flatMap((each) => each.getAllProperties().map(({ name }) => name)))).toEqual(
    new Set(["uid", "summary", "description", "transp", "dtstamp", "dtstart", "url", "categories"]),
  );
  const written = (text: string) =>
    text
      .toWellFormed()
      .replace(/\r\n?/g, "\n")
      .replace(/(?![\t\n])\p{Cc}/gu, "\u{fffd}");
  const short = hostileCells.filter((each) => each.length < 200).map(written);
  const titles = described.map((each) => String(each.getFirstPropertyValue("summary")));
  expect(short.filter((text) => !titles.includes(text))).toEqual([]);
});

test("a row whose one cell is empty is a line that readers do not skip", () => {
  const single = tableOf({ name: "text" });
  const file = wholeFile(csvStream(single, nothingSaid, false), placesOf([["a"], [null], [""]]));
  expect(parse(file, { skip_empty_lines: true })).toEqual([["name"], ["a"], [""], [""]]);
});

test("a negative value is not a formula", () => {
  const figures = tableOf({ change: "number", unknown: "number" });
  const file = wholeFile(csvStream(figures, nothingSaid, false), placesOf([[-1.5, null]]));
  expect(String(file)).toBe("change,unknown\r\n-1.5,\r\n");
});
