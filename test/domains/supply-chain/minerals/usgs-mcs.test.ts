import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import { minerals } from "../../../../src/domains/supply-chain/minerals/minerals.ts";
import { usgsMcs } from "../../../../src/domains/supply-chain/minerals/usgs-mcs.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/usgs-minerals/mcs2026-sample.csv", import.meta.url);
const head =
  "MCS chapter,Section,Commodity,Country,Statistics,Statistics_detail,Unit,Year,Value,Notes,Is critical mineral 2025,Other notes";
const section = "World Mine Production and Reserves";
const line = (country: string, value: string, over: Readonly<Record<string, string>> = {}) => {
  const { chapter = "COBALT", place = section, statistics = "Production", detail = "Mine production" } = over;
  const { year = "2025", notes = "", unit = "metric tons" } = over;
  return `${chapter},${place},x,"${country}",${statistics},${detail},${unit},${year},"${value}",${notes},Yes,"(Data, in tons)"`;
};
const parse = (...lines: readonly string[]) => usgsMcs.parse([head, ...lines].join("\n"), now);

test("a line of world production becomes a figure of its country, stage and year", () => {
  expect(parse(line("Congo (Kinshasa)", "230,000", { notes: "Estimated." }))).toEqual({
    rows: [
      {
        ...{ commodityId: "cobalt", stage: "mine", year: 2025, unit: "metric tons", iso2: "CD" },
        ...{ country: expect.stringContaining("Congo"), output: 230_000 },
        ...{ estimated: true, residual: false, worldTotal: false },
      },
    ],
    rejected: [],
  });
});

test.each([
  ["4,780", { output: 4780 }],
  ["27.5", { output: 27.5 }],
  ["0", { output: 0 }],
  ["—", { output: 0 }],
  ["\uFFFD", { output: 0 }],
  ["--", { output: 0 }],
  ["W", { withheld: true }],
  ["NA", {}],
  ["XX", {}],
  ["E", {}],
  ["s", {}],
  [">95", {}],
  ["(3)", {}],
  ["", {}],
])("the amount %j is read as %j", (text, expected) => {
  const { rows, rejected } = parse(line("Canada", text));
  const { output, withheld } = rows[0] ?? {};
  expect(rejected).toEqual([]);
  expect({ ...(output !== undefined && { output }), ...(withheld && { withheld }) }).toEqual(expected);
});

test.each([
  ["an amount in words", line("Canada", "lots"), /lots/],
  ["a negative amount", line("Canada", "-5"), /not an amount/],
  ["digits in wrong groups", line("Canada", "1,23"), /not an amount/],
  ["markup", line("Canada", "<b>1</b>"), /not an amount/],
  ["a year in words", line("Canada", "5", { year: "last" }), /Year/],
  ["no country", line("", "5"), /Country/],
  ["no unit", line("Canada", "5", { unit: "" }), /Unit/],
  ["no stage", line("Canada", "5", { detail: "Stocks" }), /not a stage/],
])("a line with %s is rejected by its place", (_what, bad, reason) => {
  const { rows, rejected } = parse(line("Cuba", "1"), bad);
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: "line 3", reason: expect.stringMatching(reason) }]);
});

test("other chapters, sections and statistics are passed over", () => {
  const { rows, rejected } = parse(
    line("Canada", "5", { chapter: "GOLD" }),
    line("China", "5", { chapter: "RARE EARTHS (Heavy)" }),
    line("United States", "E", { place: "Salient Statistics—United States" }),
    line("Canada", "5", { statistics: "Reserves" }),
    line("Canada", "5", { statistics: "Capacity", detail: "Production capacity" }),
  );
  expect([rows, rejected]).toEqual([[], []]);
});

test.each([
  ["COPPER", "Refinery production", "copper", "refinery"],
  ["ALUMINUM", "Smelter production", "aluminum", "refinery"],
  ["GALLIUM", "Primary production", "gallium", "refinery"],
  ["HELIUM", "Production", "helium", "mine"],
  ["BAUXITE AND ALUMINA", "Mine production", "bauxite", "mine"],
  ["BAUXITE AND ALUMINA", "Refinery production", "alumina", "refinery"],
  ["GRAPHITE (NATURAL)", "Mine production", "graphite", "mine"],
])("%s, %s is %s of the stage %s", (chapter, detail, commodityId, stage) => {
  expect(parse(line("China", "5", { chapter, detail })).rows[0]).toMatchObject({ commodityId, stage });
});

test("the rest of the world and its rounded total are not countries, and an unknown name stays as it is", () => {
  const { rows } = parse(
    line("Other countries", "9,100"),
    line("World total", "310,000", { detail: "Mine production: rounded" }),
    line("World total (rounded)", "310,000"),
    line("Atlantis", "5"),
  );
  expect(rows.map(({ iso2, country, residual, worldTotal }) => [iso2, country, residual, worldTotal])).toEqual([
    ["", "Other countries", true, false],
    ["", "World total", false, true],
    ["", "World total (rounded)", false, true],
    ["", "Atlantis", false, false],
  ]);
});

test.each([
  ["a page", "<html><body>Please enable JavaScript</body></html>", /no rows with the columns|sent HTML/],
  ["nothing", "", /no rows/],
  ["a table without amounts", head.replace(",Value", ""), /Value/],
  ["half a table", `${head}\nCOBALT,"World`, /is not CSV or was truncated/],
])("%s is a changed format", (_what, text, words) => {
  expect(() => usgsMcs.parse(text, now)).toThrow(UpstreamError);
  expect(() => usgsMcs.parse(text, now)).toThrow(words);
});

test("the sample yields what it says of thirteen minerals, with all that an amount may be", async () => {
  const { rows, rejected } = usgsMcs.parse(await usgsMcs.fetch(sampleUpstream("usgs-mcs", () => now)), now);
  expect([rows.length, rejected]).toEqual([sampleIndex("usgs-mcs")?.rows, []]);
  expect(checkRows(MineralFigureSchema, rows).rejected).toEqual([]);
  expect(new Set(rows.map(({ commodityId }) => commodityId))).toEqual(
    new Set(minerals.map(({ id }) => id).filter((id) => id !== "uranium")),
  );
  for (const kind of ["withheld", "estimated", "residual", "worldTotal"] as const)
    expect(rows.some((row) => row[kind])).toBe(true);
  expect(rows.some(({ output, withheld }) => output === undefined && !withheld)).toBe(true);
});

test.skipIf(!existsSync(captured))("the captured table passes: every line is a figure, and none is rejected", () => {
  const { rows, rejected } = usgsMcs.parse(readFileSync(captured, "utf8"), now);
  expect([rows.length, rejected]).toEqual([140, []]);
  expect(checkRows(MineralFigureSchema, rows).rejected).toEqual([]);
  const of = (id: string) => rows.filter(({ commodityId }) => commodityId === id);
  expect(["cobalt", "copper", "gallium", "lithium"].map((id) => of(id).length)).toEqual([28, 76, 12, 24]);
  expect(of("lithium").filter(({ withheld }) => withheld)).toMatchObject([{ iso2: "US" }, { iso2: "US" }]);
  expect(rows.filter(({ iso2, residual, worldTotal }) => iso2 === "" && !residual && !worldTotal)).toEqual([]);
});
