import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { DefenseFigureSchema } from "../../../../gen/es/ids/stored/v1/defense_pb.ts";
import { armsSuppliers, supplierConcentration } from "../../../../src/domains/military/defense/arms-suppliers.ts";
import { defenseIndicators } from "../../../../src/domains/military/defense/defense-indicators.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
const parse = (...lines: readonly string[]) =>
  armsSuppliers.parse(["importer,supplier,year,tiv", ...lines].join("\n"), now);
const delivery = (supplierIso2: string, year: number, value: number, supplier = supplierIso2) =>
  create(DefenseFigureSchema, { countryCode: "PL", supplierIso2, supplier, year, value });

test("countries are known by either code and by name; what is not a country stays a supplier in its own words", () => {
  const { rows, rejected } = parse(
    ...["PL,United States,2024,12.5", "POL,KR,2024,3", "poland,DEU,2023,0"],
    ...["PL,unknown supplier(s),2024,1", "PL,NATO**,2024,2", "PL,Soviet Union,2020,2"],
  );
  expect(rejected).toEqual([]);
  expect(
    rows.map(({ countryCode, supplierIso2, supplier, year, value }) => [
      countryCode,
      supplierIso2,
      supplier,
      year,
      value,
    ]),
  ).toEqual([
    ["PL", "US", "United States", 2024, 12.5],
    ["PL", "KR", "KR", 2024, 3],
    ["PL", "DE", "DEU", 2023, 0],
    ["PL", "", "unknown supplier(s)", 2024, 1],
    ["PL", "", "NATO**", 2024, 2],
    ["PL", "", "Soviet Union", 2020, 2],
  ]);
});

test("lines of the same importer, supplier and year add up, however the supplier is written", () => {
  expect(parse("PL,US,2024,1.5", "PL,United States,2024,2").rows.map(({ value }) => value)).toEqual([3.5]);
});

test("columns may have any order, among others, after a byte order mark", () => {
  const { rows } = armsSuppliers.parse("\ufeffTIV,Note,Year,Supplier,Importer\n7,x,2024,FR,GR\n", now);
  expect(rows).toEqual([{ countryCode: "GR", supplier: "FR", supplierIso2: "FR", year: 2024, value: 7 }]);
});

test.each([
  ["an importer that is not a country", "Atlantis,US,2024,1"],
  ["no supplier", "PL,,2024,1"],
  ["no year", "PL,US,24,1"],
  ["a negative amount", "PL,US,2024,-1"],
  ["an amount in words", "PL,US,2024,lots"],
  ["markup", "PL,US,2024,<b>1</b>"],
  ["a statement", "PL,US,2024,1; drop table snapshot"],
])("a line with %s is left out and named", (_title, line) => {
  const { rows, rejected } = parse(line, "PL,US,2024,1");
  expect([rows.length, rejected.map(({ row }) => row)]).toEqual([1, ["line 2"]]);
});

test.each([
  ["without a column", "importer,supplier,year\nPL,US,2024", /column tiv/],
  ["empty", "", /column importer, supplier, year, tiv/],
  ["no table", 'importer,supplier,year,tiv\nPL,"US', /is not CSV/],
])("a file %s is a failure", (_title, text, words) => {
  expect(() => armsSuppliers.parse(text, now)).toThrow(UpstreamError);
  expect(() => armsSuppliers.parse(text, now)).toThrow(words);
});

test("a file that cannot be read is a failure that names the variable, and not the path", async () => {
  const upstream = { origin: "live", now, variable: () => "/nowhere/secret.csv" } as unknown as Upstream;
  await expect(armsSuppliers.fetch(upstream)).rejects.toThrow(
    /^The file of IDS_ARMS_SUPPLIERS_FILE cannot be read: there is no such file$/,
  );
});

test.each([
  [
    "windows-1252",
    Buffer.from("importer,supplier,year,tiv\nPL,C\xf4te d'Ivoire,2024,1\n", "latin1"),
    "not UTF-8, see line 2",
  ],
  ["UTF-16", Buffer.from("\uFEFFimporter,supplier,year,tiv\nPL,US,2024,1\n", "utf16le"), "is UTF-16"],
])("a file in %s is rejected with the remedy", async (_encoding, bytes, words) => {
  const file = join(mkdtempSync(join(tmpdir(), "arms-")), "deliveries.csv");
  writeFileSync(file, bytes);
  const upstream = { origin: "live", now, variable: () => file } as unknown as Upstream;
  await expect(armsSuppliers.fetch(upstream)).rejects.toThrow(words);
  await expect(armsSuppliers.fetch(upstream)).rejects.toThrow("save the file as CSV UTF-8");
});

test("a quotation mark out of place and a row of empty cells leave the other lines", () => {
  const { rows, rejected } = parse("PL,US,2024,1", 'PL,"F"R,2024,1', ",,,", "PL,KR,2024,1", 'PL,DE,2024,5"');
  expect(rows.map(({ supplier }) => supplier)).toEqual(["US", "KR"]);
  expect(rejected.map(({ row }) => row)).toEqual(["line 3", "line 6"]);
});

test("shares are of all deliveries of the five years up to the last, concentration counts those without a country too", () => {
  const deliveries = [
    ...[delivery("US", 2024, 30), delivery("US", 2021, 20), delivery("KR", 2025, 30), delivery("DE", 2022, 10)],
    ...[delivery("", 2023, 10, "unknown supplier(s)"), delivery("RU", 2020, 500)],
  ];
  expect(supplierConcentration(deliveries, 2025)).toEqual({
    suppliers: [
      { supplierIso2: "US", tivShare: 0.5 },
      { supplierIso2: "KR", tivShare: 0.3 },
      { supplierIso2: "DE", tivShare: 0.1 },
    ],
    supplierHhi: 0.36,
    windowStartYear: 2021,
    windowEndYear: 2025,
    supplierSource: "Arms deliveries imported by the operator",
    supplierMappingCoverage: 0.9,
  });
});

test("two unmapped suppliers count as two, a single supplier is a concentration of 1, and no deliveries are unreported", () => {
  const two = supplierConcentration([delivery("", 2024, 5, "NATO**"), delivery("", 2024, 5, "UN**")], 2024);
  expect(two).toMatchObject({ suppliers: [], supplierHhi: 0.5, supplierMappingCoverage: 0 });
  expect(supplierConcentration([delivery("US", 2024, 3)], 2024)).toMatchObject({ supplierHhi: 1 });
  for (const none of [[], [delivery("US", 2024, 0)], [delivery("US", 2010, 9)]])
    expect(supplierConcentration(none, 2024)).toEqual({});
});

test("the least of suppliers has a share, and stands behind those that delivered more", () => {
  const deliveries = [delivery("US", 2024, 1e6), delivery("DE", 2024, 1), delivery("FR", 2024, 2)];
  expect(supplierConcentration(deliveries, 2024).suppliers).toEqual([
    { supplierIso2: "US", tivShare: 0.999997 },
    { supplierIso2: "FR", tivShare: 0.00000199999 },
    { supplierIso2: "DE", tivShare: 9.99997e-7 },
  ]);
});

test("whatever is delivered, shares and concentration stay within 0 and 1, and shares fall and are never 0", () => {
  const any = fc.record({
    code: fc.constantFrom("US", "FR", "DE", "KR", ""),
    year: fc.integer({ min: 2015, max: 2026 }),
    value: fc.oneof(fc.constant(0), fc.double({ min: 1e-9, max: 1e6, noNaN: true })),
  });
  fc.assert(
    fc.property(fc.array(any, { maxLength: 40 }), (rows) => {
      const reported = supplierConcentration(
        rows.map(({ code, year, value }) => delivery(code, year, value)),
        2025,
      );
      if (reported.suppliers === undefined) return;
      const shares = reported.suppliers.map(({ tivShare }) => tivShare);
      expect(shares).toEqual(shares.toSorted((a, b) => b - a));
      for (const ratio of [...shares, reported.supplierHhi, reported.supplierMappingCoverage]) {
        expect(ratio).toBeGreaterThanOrEqual(0);
        expect(ratio).toBeLessThanOrEqual(1);
      }
      expect(shares).not.toContain(0);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(reported.supplierMappingCoverage, 2);
    }),
  );
});

test("both samples yield what they say, of 60 countries and more", async () => {
  for (const source of [defenseIndicators, armsSuppliers]) {
    const { rows, rejected } = source.parse(await source.fetch(sampleUpstream(source.name, () => now)), now);
    expect([rows.length, rejected]).toEqual([sampleIndex(source.name)?.rows, []]);
    expect(new Set(rows.map(({ countryCode }) => countryCode)).size).toBeGreaterThanOrEqual(60);
  }
});
