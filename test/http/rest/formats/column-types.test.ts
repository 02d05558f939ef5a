import { parquetMetadata } from "hyparquet";
import { expect, test } from "vitest";
import { TimeEncoding } from "../../../../gen/es/ids/options/v1/options_pb.ts";
import { catalog } from "../../../../src/contract/catalog.ts";
import { tablesOf } from "../../../../src/contract/tables.ts";
import { csvwFile } from "../../../../src/http/rest/formats/csvw.ts";
import { fileTable } from "../../../../src/http/rest/formats/file-columns.ts";
import type { FileMetadata } from "../../../../src/http/rest/formats/file-metadata.ts";
import { parquetStream } from "../../../../src/http/rest/formats/parquet.ts";
import { wholeFile } from "../../../../src/http/rest/formats/row-stream.ts";

const facts: FileMetadata = {
  name: "rows",
  title: "Rows.",
  csvUrl: "?format=csv",
  documentation: "/docs/rows",
  attribution: ["Some terms"],
  origin: "sample",
  isStale: true,
  readAt: "2026-11-18T12:00:00.000Z",
  missing: ["First source", "second source"],
  withheld: ["third source"],
};

const contract = catalog.filter(({ read }) => read).flatMap((operation) => tablesOf(operation));
const tables = contract.map((table) => fileTable(table, { format: "csvw", columns: "path" }));

interface Described {
  readonly name: string;
  readonly titles: string;
  readonly datatype: string;
  readonly separator?: string;
}

function describedColumns(table: (typeof tables)[number]): readonly Described[] {
  return JSON.parse(String(csvwFile(table, facts))).tableSchema.columns;
}

test("CSV metadata name every column by a variable of RFC 6570, and each by one of its own", () => {
  const variable = /^(?!_)(\w|%[\dA-F]{2})(\.?(\w|%[\dA-F]{2}))*$/;
  for (const table of tables) {
    const names = describedColumns(table).map(({ name }) => name);
    expect(names.filter((name) => !variable.test(name))).toEqual([]);
    expect(new Set(names).size).toBe(names.length);
    expect(names.map(decodeURIComponent)).toEqual(table.columns.map(({ name }) => name));
  }
});

test("CSV metadata declare a moment as one, a day as one, and the items of a list as what they are", () => {
  const declared = tables.flatMap((table) => {
    const columns = table.columns;
    return describedColumns(table).map((described, index) => ({ ...described, of: columns[index] }));
  });
  const typesOf = (wanted: (each: (typeof declared)[number]) => boolean) => [
    ...new Set(declared.filter(wanted).map(({ datatype }) => datatype)),
  ];
  const isMade = ({ name }: (typeof declared)[number]) => name.endsWith(".iso");
  expect(typesOf(({ of }) => of?.time === TimeEncoding.RFC3339)).toEqual(["dateTime"]);
  expect(typesOf(({ of }) => of?.time === TimeEncoding.DAY)).toEqual(["date"]);
  expect(typesOf(isMade)).toEqual(["dateTime"]);
  expect(typesOf(({ separator }) => separator !== undefined).toSorted((a, b) => a.localeCompare(b))).toEqual([
    "double",
    "string",
  ]);
  expect(declared.find(({ name }) => name === "sparkline")).toMatchObject({ datatype: "double", separator: "|" });
});

test("Parquet has lists as lists, and every time as one, however JSON spells it", () => {
  const columns = tables.flatMap((table) => {
    const { schema } = parquetMetadata(new Uint8Array(wholeFile(parquetStream(table, facts, false), [])).buffer);
    return table.columns.map((column) => ({ column, stored: schema.find(({ name }) => name === column.name) }));
  });
  const timed = (...times: TimeEncoding[]) => columns.filter(({ column }) => times.includes(column.time));
  const moments = timed(TimeEncoding.EPOCH_MS, TimeEncoding.RFC3339);
  const days = timed(TimeEncoding.DAY);
  const lists = columns.filter(({ column }) => column.type === "list");
  expect([moments, days, lists].map(({ length }) => length > 0)).toEqual([true, true, true]);
  for (const { column, stored } of moments)
    expect(stored, column.name).toMatchObject({
      type: "INT64",
      logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true, unit: "MILLIS" },
    });
  for (const { column, stored } of days)
    expect(stored, column.name).toMatchObject({ type: "INT32", converted_type: "DATE" });
  for (const { column, stored } of lists) expect(stored, column.name).toMatchObject({ converted_type: "LIST" });
});

test("metadata of CSV and Parquet state the factor of every column in thousands, millions or billions", () => {
  const scaled = tables.flatMap((table) =>
    table.columns.flatMap(({ name, scale, unit }) =>
      scale >= 1000 ? [{ table, name, text: `${scale} ${unit}` }] : [],
    ),
  );
  expect(new Set(scaled.map(({ name, text }) => `${name}: ${text}`))).toEqual(
    new Set([
      "exportValueUsd: 1000000 USD",
      "importValueUsd: 1000000 USD",
      "market.marketCapMusd: 1000000 USD",
      "populationMillions: 1000000 {people}",
      "realGdpLcuB: 1000000000 {LCU}",
    ]),
  );
  for (const { table, name, text } of scaled) {
    const column = describedColumns(table).find(({ titles }) => titles === name) as Described & Record<string, string>;
    expect(column["schema:unitText"], name).toBe(text);
    const file = new Uint8Array(wholeFile(parquetStream(table, facts, false), []));
    const metadata = JSON.stringify(parquetMetadata(file.buffer).key_value_metadata);
    expect(metadata, name).toContain(text);
  }
});
