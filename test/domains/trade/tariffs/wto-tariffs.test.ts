import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import { createValidator } from "@bufbuild/protovalidate";
import { parse as parseCsv } from "csv-parse/sync";
import { expect, test } from "vitest";
import { TariffRowSchema } from "../../../../gen/es/ids/stored/v1/trade_pb.ts";
import { wtoTariffs } from "../../../../src/domains/trade/tariffs/wto-tariffs.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { wtoRow } from "../../../support/domains/invented-wto.ts";

const now = new Date("2026-11-04T09:00:00Z");
const captured = new URL("../../../../../shared/upstream/wto/TP_A_0010.csv", import.meta.url);

const row = (reporter: string, year: unknown, value: unknown, over: object = {}) => ({
  ...wtoRow("TP_A_0010", reporter, year, value),
  ...over,
});
const names: Readonly<Record<string, string>> = { "840": "United States of America", "344": "Hong Kong, China" };

type Given = { readonly body?: string; readonly failure?: string; readonly reporters?: readonly string[] };
const batch = ({ reporters = ["840", "344"], ...given }: Given) => ({ indicator: "TP_A_0010", reporters, ...given });
const parse = (...batches: readonly Given[]) => {
  const reporters = batches.flatMap((one) => batch(one).reporters).map((code) => ({ code, name: names[code] ?? code }));
  return wtoTariffs.parse({ reporters, batches: batches.map(batch) }, now);
};
const parseRows = (...rows: readonly object[]) => parse({ body: JSON.stringify({ Dataset: rows }) });
const reported = ({ rows }: ReturnType<typeof parse>) => rows.map((one) => one.reported?.value);

test("the years of each economy become one row, ascending, with its name", () => {
  expect(reported(parseRows(row("840", 2025, 3.34), row("344", 2025, 0), row("840", 2024, 3.3)))).toEqual([
    {
      reporter: "840",
      name: "United States of America",
      responded: true,
      points: [
        { year: 2024, rate: "3.3" },
        { year: 2025, rate: "3.34" },
      ],
    },
    { reporter: "344", name: "Hong Kong, China", responded: true, points: [{ year: 2025, rate: "0" }] },
  ]);
});

test.each([
  ["numbers", 2024, 3.341207201, "3.341207201"],
  ["texts", " 2024 ", " 3.30 ", "3.30"],
  ["very small", 2024, 1e-7, "0.0000001"],
  ["zero", 2024, 0, "0"],
])("year and value may be %s", (_title, year, value, rate) => {
  expect(reported(parseRows(row("840", year, value)))[0]).toMatchObject({ points: [{ year: 2024, rate }] });
});

test("members may be written in either case", () => {
  const lower = Object.fromEntries(
    Object.entries(row("840", 2024, 3.3)).map(([key, value]) => [key.toLowerCase(), value]),
  );
  expect(reported(parse({ body: JSON.stringify({ dataset: [lower] }) }))[0]).toMatchObject({
    points: [{ rate: "3.3" }],
  });
});

test.each([
  ["a year before those asked for", row("344", 1995, 1), "344 1995"],
  ["a year after them", row("344", 2027, 1), "344 2027"],
  ["an economy that was not requested", row("997", 2024, 1), "997 2024"],
  ["another indicator", row("344", 2024, 1, { IndicatorCode: "TP_B_0090" }), "344 2024"],
  ["another unit", row("344", 2024, 1, { UnitCode: "IDX" }), "344 2024"],
  ["no value", row("344", 2024, null), "344 2024"],
  ["a value that is not a number", row("344", 2024, "n.a."), "344 2024"],
  ["a negative value", row("344", 2024, -1), "344 2024"],
  ["no economy", { Year: 2024, Value: 1 }, "#1"],
])("a row with %s is left out and named", (_title, bad, name) => {
  const parsed = parseRows(row("840", 2024, 3.3), bad);
  expect(parsed.rejected.map((one) => one.row)).toEqual([name]);
  expect(reported(parsed)[0]).toMatchObject({ reporter: "840", points: [{ year: 2024, rate: "3.3" }] });
});

test("economies answered for without data stand together in one row, which says what is empty and what is not", () => {
  const parsed = parse(
    { body: JSON.stringify({ Dataset: [row("840", 2024, 3.3)] }) },
    { body: "", reporters: ["004"] },
  );
  expect(reported(parsed).at(-1)).toEqual({ reporters: ["344", "004"] });
  expect(parsed.rejected).toEqual([]);
});

test("a value that the source does not have is missing, and unreadable rows are rejected", () => {
  expect(reported(parseRows(row("840", 2024, 3.3), row("344", 2024, null))).at(-1)).toEqual({ reporters: ["344"] });
  expect(reported(parseRows(row("840", 2024, 3.3), row("344", 2024, "?"))).at(-1)).toMatchObject({
    reporter: "344",
    responded: false,
    points: [],
  });
});

test.each([
  ["failed", { failure: "api.wto.org answered 503" }, /answered 503/],
  ["isn't JSON", { body: "<html>" }, /expected object/],
  ["has another shape", { body: '{"Data":[]}' }, /dataset: /],
  ["was cut off", { body: JSON.stringify({ Dataset: Array(5_000).fill({}) }) }, /5000 rows/],
])("a batch that %s leaves its economies unanswered, and the others as they are", (_title, bad, reason) => {
  const good = { body: JSON.stringify({ Dataset: [row("840", 2024, 3.3)] }), reporters: ["840"] };
  const parsed = parse(good, { ...bad, reporters: ["344"] });
  expect(reported(parsed)).toMatchObject([
    { reporter: "840", responded: true },
    { reporter: "344", responded: false, points: [] },
  ]);
  expect(parsed.missing).toMatchObject([{ part: "344", reason: expect.stringMatching(reason) }]);
});

test("when most batches fail, the whole answer does", () => {
  const good = { body: JSON.stringify({ Dataset: [row("840", 2024, 3.3)] }) };
  expect(() => parse(good, { failure: "answered 503" }, { failure: "answered 503" })).toThrow(
    new UpstreamError("WTO: 2 of 3 batches failed: answered 503"),
  );
});

test.each([
  ["every economy without data", [{ body: "" }]],
  ["every row malformed", [{ body: JSON.stringify({ Dataset: [row("840", 2024, "?"), row("344", 2024, "?")] }) }]],
])("an answer with %s is a failure, not a coverage of nothing", (_title, batches) => {
  expect(() => parse(...batches)).toThrow(UpstreamError);
});

test("a row has the start of its newest year", () => {
  const [first] = parseRows(row("840", 2024, 3.3)).rows;
  expect(wtoTariffs.observedAt?.(first!)).toBe(Date.UTC(2024, 0, 1));
});

test("the sample has 160 economies or more, the European Union, a zero of Hong Kong, empty ones, and an unknown one", async () => {
  const { rows, rejected } = wtoTariffs.parse(await wtoTariffs.fetch(sampleUpstream("wto-tariffs", () => now)), now);
  expect(rows).toHaveLength(sampleIndex("wto-tariffs")?.rows ?? 0);
  expect(rows.length).toBeGreaterThan(160);
  expect(rejected.map(({ row: name }) => name)).toEqual(["997 2024"]);
  const validator = createValidator();
  const values = rows.map((one) => one.reported?.value);
  for (const one of rows) expect(validator.validate(TariffRowSchema, create(TariffRowSchema, one)).kind).toBe("valid");
  expect(values).toContainEqual(expect.objectContaining({ reporter: "918", name: "European Union" }));
  const years = values.find((value) => value && "reporter" in value && value.reporter === "840");
  expect(years).toMatchObject({ points: { length: 30, 0: { year: 1996 }, 29: { year: 2025 } } });
  expect(values.at(-1)).toMatchObject({ reporters: expect.arrayContaining(["276", "891"]) });
});

test.skipIf(!existsSync(captured))("the captured values are read, every one of them", () => {
  const table: Record<string, string>[] = parseCsv(readFileSync(captured), { columns: true, bom: true });
  const rows = table.map((line) => row(line["Reporting Economy Code"]!, Number(line.Year), Number(line.Value)));
  const reporters = [...new Set(table.map((line) => line["Reporting Economy Code"]!))];
  const parsed = parse({ body: JSON.stringify({ Dataset: rows }), reporters });
  expect(parsed.rejected).toEqual([]);
  const points = reported(parsed).flatMap((value) => (value && "points" in value ? (value.points ?? []) : []));
  expect(points).toHaveLength(table.length);
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  expect(sum(points.map(({ rate }) => Number(rate)))).toBeCloseTo(sum(table.map((line) => Number(line.Value))), 8);
});
