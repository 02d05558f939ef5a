import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { parquetReadObjects } from "hyparquet";
import { expect, test } from "vitest";
import { csvStream } from "../../../../src/http/rest/formats/csv.ts";
import { geojsonStream } from "../../../../src/http/rest/formats/geojson.ts";
import { ndjsonStream } from "../../../../src/http/rest/formats/ndjson.ts";
import { parquetStream } from "../../../../src/http/rest/formats/parquet.ts";
import { type RowStreamer, wholeFile } from "../../../../src/http/rest/formats/row-stream.ts";
import { hostileCells, nothingSaid, placesOf, tableOf } from "../../../support/hostile-cells.ts";

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
const formula = /^(?=[=+\-@\t\r\n＝＋－＠])|(?<=[;\t\r\n])(?=[=+\-@＝＋－＠])(?![+-]?\d[\d.,]*(?:[;\t\r\n]|$))/g;

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
