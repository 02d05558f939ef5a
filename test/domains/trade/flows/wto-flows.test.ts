import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { parse as parseCsv } from "csv-parse/sync";
import { expect, test } from "vitest";
import { FlowRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { wtoFlows } from "../../../../src/domains/trade/flows/wto-flows.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { wtoRow } from "../../../support/domains/invented-wto.ts";

const now = new Date("2026-11-04T09:00:00Z");
const folder = new URL("../../../../../shared/upstream/wto/", import.meta.url);

type Values = Readonly<Record<string, Readonly<Record<number, unknown>>>>;
const bodyOf = (indicator: string, values: Values, over: object = {}) =>
  JSON.stringify({
    Dataset: Object.entries(values).flatMap(([reporter, years]) =>
      Object.entries(years).map(([year, value]) => ({ ...wtoRow(indicator, reporter, Number(year), value), ...over })),
    ),
  });

const reporters = ["840", "156"];
const batch = (indicator: string, body: string) => ({ indicator, reporters, body });
const parseBatches = (...batches: readonly object[]) =>
  wtoFlows.parse({ reporters: reporters.map((code) => ({ code, name: `Economy ${code}` })), batches }, now);
const parse = (exports: Values, imports: Values) =>
  parseBatches(batch("ITS_MTV_AX", bodyOf("ITS_MTV_AX", exports)), batch("ITS_MTV_AM", bodyOf("ITS_MTV_AM", imports)));
const reported = ({ rows }: ReturnType<typeof parse>) => rows.map((one) => one.reported?.value);

test("both sides of a year become one point, ascending, in millions", () => {
  expect(reported(parse({ 840: { 2025: 110, 2024: 100.5 } }, { 840: { 2024: 200, 2025: 0 } }))[0]).toEqual({
    reporter: "840",
    partner: "000",
    name: "Economy 840",
    responded: true,
    points: [
      { year: 2024, exports: "100.5", imports: "200" },
      { year: 2025, exports: "110", imports: "0" },
    ],
  });
});

test("a year with one side only is dropped and named, never filled with zero", () => {
  const parsed = parse({ 840: { 2023: 1, 2024: 2 } }, { 840: { 2024: 3, 2025: 4 } });
  expect(reported(parsed)[0]).toMatchObject({ points: [{ year: 2024 }] });
  expect(parsed.rejected).toEqual([
    { row: "840 2023", reason: "has one side only" },
    { row: "840 2025", reason: "has one side only" },
  ]);
});

test("an economy without data on one side or both is empty", () => {
  expect(reported(parse({ 840: { 2024: 1 }, 156: { 2024: 1 } }, { 840: { 2024: 1 } })).at(-1)).toEqual({
    reporters: ["156"],
  });
});

test("an economy with a failed side has no response, and its years are not served one-sided", () => {
  const parsed = parse({ 840: { 2024: 1 }, 156: { 2024: 1 } }, { 840: { 2024: 1 }, 156: { 2024: "?" } });
  expect(reported(parsed)[1]).toMatchObject({ reporter: "156", responded: false, points: [] });
  expect(parsed.rejected.map(({ row }) => row)).toEqual(["156 2024"]);
});

test("when one indicator fails for all, everything does", () => {
  const failed = { indicator: "ITS_MTV_AM", reporters, failure: "answered 503" };
  expect(() => parseBatches(batch("ITS_MTV_AX", bodyOf("ITS_MTV_AX", { 840: { 2024: 1 } })), failed)).toThrow(
    new UpstreamError("WTO: 1 of 1 batches failed: answered 503"),
  );
});

test.each([
  ["another partner", { PartnerEconomyCode: "156" }],
  ["another product", { ProductOrSectorCode: "AG" }],
  ["another unit", { UnitCode: "USD" }],
])("rows of %s are left out", (_title, over) => {
  const exports = bodyOf("ITS_MTV_AX", { 840: { 2024: 1 } }, over);
  const both = { 840: { 2023: 5, 2024: 6 }, 156: { 2024: 7 } };
  const good = JSON.parse(bodyOf("ITS_MTV_AX", { 840: { 2023: 4 }, 156: { 2024: 7 } }));
  const mixed = JSON.stringify({ Dataset: [...good.Dataset, ...JSON.parse(exports).Dataset] });
  const parsed = parseBatches(batch("ITS_MTV_AX", mixed), batch("ITS_MTV_AM", bodyOf("ITS_MTV_AM", both)));
  expect(reported(parsed)[0]).toMatchObject({ points: [{ year: 2023, exports: "4", imports: "5" }] });
});

test("without both sides of any economy it is a failure, not a coverage of nothing", () => {
  expect(() => parse({ 840: { 2024: 1 } }, { 840: { 2023: 1 } })).toThrow(UpstreamError);
  expect(() => parseBatches(batch("ITS_MTV_AX", ""), batch("ITS_MTV_AM", ""))).toThrow(UpstreamError);
});

test("the sample has 210 pairs or more, with a zero, years of one side, empty ones, and an unknown one", async () => {
  const { rows, rejected } = wtoFlows.parse(await wtoFlows.fetch(sampleUpstream("wto-flows", () => now)), now);
  expect(rows).toHaveLength(sampleIndex("wto-flows")?.rows ?? 0);
  expect(rows.length).toBeGreaterThan(210);
  const validator = createValidator();
  for (const one of rows) expect(validator.validate(FlowRowSchema, create(FlowRowSchema, one)).kind).toBe("valid");
  const reasons = rejected.map(({ row, reason }) => (row === "997 2024" ? "unknown" : reason));
  expect(new Set(reasons)).toEqual(new Set(["unknown", "has one side only"]));
  const points = rows.flatMap(({ reported: one }) => (one?.case === "series" ? (one.value.points ?? []) : []));
  expect(points.filter(({ exports }) => exports === "0").length).toBeGreaterThan(0);
  expect(rows.at(-1)?.reported?.case).toBe("empty");
});

test("both samples list the same economies", () => {
  const list = (source: string) =>
    readFileSync(new URL(`../../../../sample/${source}/reporters.json`, import.meta.url));
  expect(list("wto-flows")).toEqual(list("wto-tariffs"));
});

test.skipIf(!existsSync(new URL("ITS_MTV_AX.csv", folder)))("the captured answers pass, every row of them", () => {
  const table = (name: string): Record<string, string>[] =>
    parseCsv(readFileSync(new URL(`${name}.csv`, folder)), { columns: true, bom: true });
  const listed = new Map(table("ITS_MTV_AX").map((row) => [row.ReportingEconomyCode, row.ReportingEconomy]));
  const batches = ["ITS_MTV_AX", "ITS_MTV_AM"].map((indicator) => ({
    indicator,
    reporters: [...listed.keys()],
    body: JSON.stringify({ Dataset: table(indicator) }),
  }));
  const response = { reporters: [...listed].map(([code, name]) => ({ code, name })), batches };
  const { rows, rejected } = wtoFlows.parse(response, now);
  expect(rejected).toEqual([]);
  const series = rows.flatMap(({ reported: one }) => (one?.case === "series" ? one.value : []));
  expect(series.map(({ points = [] }) => points.length)).toEqual(Array(11).fill(19));
  const byYear = series.find(({ reporter }) => reporter === "840")?.points;
  const exports = table("ITS_MTV_AX").find((row) => row.ReportingEconomyCode === "840" && row.Year === "2024");
  expect(byYear?.find(({ year }) => year === 2024)?.exports).toBe(exports?.Value);
});
