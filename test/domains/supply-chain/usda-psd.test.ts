import { expect, test } from "vitest";
import { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { usdaPsd } from "../../../src/domains/supply-chain/usda-psd.ts";
import { UpstreamError } from "../../../src/errors.ts";
import { checkRows } from "../../../src/ingest/row-check.ts";
import { europeanUnion } from "../../../src/reference/european-union.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample.ts";
import type { UpstreamRequest } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const countries = [
  { countryCode: "TU", countryName: "Turkey", regionCode: "R05", gencCode: "TUR" },
  { countryCode: "KS", countryName: "Korea, South", regionCode: "R11", gencCode: null },
  { countryCode: "CG", countryName: "Congo (Kinshasa)", regionCode: "R06" },
  { countryCode: "E4", countryName: "European Union", regionCode: "R16", gencCode: "" },
  { countryCode: "PO", countryName: "Portugal", regionCode: "R16", gencCode: "PRT" },
  { countryCode: "UR", countryName: "Union of Soviet Socialist Republics", regionCode: "R07" },
];
const row = (countryCode: string, attributeId: number, value: unknown, over: object = {}) => ({
  ...{ commodityCode: "0410000", countryCode, marketYear: "2026", calendarYear: "2026", month: "10" },
  ...{ attributeId, unitId: 8, value, ...over },
});
const balance = (code: string, [stocks, use, exports]: readonly number[], over: object = {}) => [
  row(code, 20, 1, over),
  row(code, 88, exports, over),
  row(code, 125, use, over),
  row(code, 176, stocks, over),
];
const parse = (...releases: readonly unknown[][]) => usdaPsd.parse({ countries, releases }, now);

test("stocks to use are the ending stocks over consumption and exports; TU is Turkey", () => {
  expect(parse(balance("TU", [5_200, 20_000, 6_000]))).toEqual({
    rows: [
      {
        ...{ iso2: "TR", commodityId: "wheat", kind: "stocks_to_use", measure: 0.2, asOf: "2026-10-01" },
        detail: "Ending stocks over consumption and exports, marketing year 2026/27, as Turkey",
      },
    ],
    rejected: [],
  });
});

test("reporters are known by their code of three letters or by name", () => {
  const { rows } = parse(balance("KS", [1, 10, 0]), balance("CG", [1, 10, 0], { commodityCode: "4243000" }));
  expect(rows.map(({ iso2, commodityId }) => [iso2, commodityId])).toEqual([
    ["KR", "wheat"],
    ["CD", "palm_oil"],
  ]);
});

test("empty stores are measured: 0 and not nothing", () => {
  expect(parse(balance("TU", [0, 10, 0])).rows).toMatchObject([{ measure: 0 }]);
});

test("the European Union reports for each of its members, but not for one that reports for itself", () => {
  const { rows } = parse(balance("PO", [5, 10, 0]), balance("E4", [1, 10, 0]));
  expect(new Set(rows.map(({ iso2 }) => iso2))).toEqual(new Set(europeanUnion));
  expect(rows).toHaveLength(27);
  const of = (code: string) => rows.find(({ iso2 }) => iso2 === code);
  expect(of("PT")).toMatchObject({ measure: 0.5, detail: expect.stringMatching(/as Portugal$/) });
  expect(of("DE")).toMatchObject({ measure: 0.1, detail: expect.stringMatching(/as European Union$/) });
});

test("of every revision the newest counts, and of the marketing years the newest that is told whole", () => {
  const older = balance("TU", [1, 10, 0], { month: "09" });
  const before = balance("TU", [9, 10, 0], { marketYear: "2025" });
  expect(parse(balance("TU", [3, 10, 0]), older, before).rows).toMatchObject([{ measure: 0.3 }]);
  const halfTold = [row("TU", 125, 10, { marketYear: "2027" }), row("TU", 176, 3, { marketYear: "2027" })];
  expect(parse(halfTold, before).rows).toMatchObject([{ measure: 0.9, detail: expect.stringContaining("2025/26") }]);
});

test.each([
  ["uses and exports nothing", balance("TU", [5, 0, 0]), "0410000 TU", /no stocks and use/],
  ["tells of no stocks", balance("TU", [5, 1, 0]).slice(0, 3), "0410000 TU", /no stocks and use/],
  ["is no country any more", balance("UR", [5, 1, 0]), "0410000 UR", /no country/],
  ["has a code that is not listed", balance("ZZ", [5, 1, 0]), "0410000 ZZ", /no country/],
])("a reporter that %s is rejected by its code", (_what, bad, name, reason) => {
  const { rows, rejected } = parse(bad, balance("KS", [1, 10, 0]));
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: name, reason: expect.stringMatching(reason) }]);
});

test.each([
  ["an amount in words", row("TU", 176, "many"), /value/],
  ["a negative amount", row("TU", 176, -1), /value/],
  ["no month of the year", row("TU", 176, 1, { month: "13" }), /month/],
  ["no country", row("TU", 176, 1, { countryCode: undefined }), /countryCode/],
])("a row with %s is rejected by its place", (_what, bad, reason) => {
  const { rejected } = parse([bad], balance("KS", [1, 10, 0]));
  expect(rejected).toEqual([{ row: "#0", reason: expect.stringMatching(reason) }]);
});

test.each([
  ["a release that is no list", { countries, releases: [{ error: "x" }] }],
  ["a list of countries that is empty", { countries: [], releases: [] }],
  ["something else", { countries: "x", releases: [] }],
])("%s is a changed format", (_what, answer) => {
  expect(() => usdaPsd.parse(answer, now)).toThrow(UpstreamError);
});

test("the list of countries and two marketing years of six commodities are asked for, with the key in its header", async () => {
  const asked: UpstreamRequest[] = [];
  const json = async (request: UpstreamRequest) => asked.push(request);
  await usdaPsd.fetch({ ...sampleUpstream("none", () => now), json, variable: () => "k" });
  expect(asked.map(({ url }) => url.replace("https://api.fas.usda.gov/api/psd/", "")).slice(0, 3)).toEqual([
    "countries",
    "commodity/0410000/country/all/year/2026",
    "commodity/0410000/country/all/year/2025",
  ]);
  expect([asked.length, new Set(asked.map(({ headers }) => headers?.["X-Api-Key"]))]).toEqual([13, new Set(["k"])]);
});

test("the sample yields what it says of 60 countries and more, all valid", async () => {
  const { rows, rejected } = usdaPsd.parse(await usdaPsd.fetch(sampleUpstream("usda-psd", () => now)), now);
  expect([rows.length, rejected]).toEqual([sampleIndex("usda-psd")?.rows, []]);
  expect(checkRows(BufferReadingSchema, rows).rejected).toEqual([]);
  expect(new Set(rows.map(({ iso2 }) => iso2)).size).toBeGreaterThanOrEqual(60);
});
