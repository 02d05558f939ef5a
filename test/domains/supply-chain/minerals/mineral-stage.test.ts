import { existsSync, readFileSync } from "node:fs";
import { create, type MessageInitShape } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import { factorBetween, stageOf } from "../../../../src/domains/supply-chain/minerals/mineral-production.ts";
import { usgsMcs } from "../../../../src/domains/supply-chain/minerals/usgs-mcs.ts";

const captured = new URL("../../../../../shared/upstream/usgs-minerals/mcs2026-sample.csv", import.meta.url);
type Over = MessageInitShape<typeof MineralFigureSchema>;
const figure = (iso2: string, output?: number, over: Over = {}) =>
  create(MineralFigureSchema, {
    ...{
      commodityId: "cobalt",
      stage: "mine",
      year: 2025,
      unit: "metric tons",
      iso2,
      country: iso2 || "Other countries",
    },
    ...(output !== undefined && { output }),
    ...over,
  });
const usgs = (...figures: readonly ReturnType<typeof figure>[]) => ({ source: "usgs-mcs", figures });
const second = (...figures: readonly ReturnType<typeof figure>[]) => ({ source: "bgs", figures });
const rest = (output?: number) => figure("", output, { residual: true });

test("the concentration of 50, 30 and 20 is 3800", () => {
  const stage = stageOf([usgs(figure("CN", 30), figure("CD", 50), figure("ID", 20))]);
  expect(stage).toMatchObject({ available: true, hhi: 3800, year: 2025, unit: "metric tons", source: "usgs-mcs" });
  expect(stage?.countries?.map(({ iso2, output, share }) => [iso2, output, share])).toEqual([
    ["CD", 50, 50],
    ["CN", 30, 30],
    ["ID", 20, 20],
  ]);
});

test("the rest of the world counts in the whole and not as a producer: 50, 30 and a rest of 20 are 3400", () => {
  const stage = stageOf([usgs(figure("CD", 50), figure("CN", 30), rest(20))]);
  expect(stage?.hhi).toBe(3400);
  expect(stage?.countries?.[2]).toMatchObject({ iso2: "", residual: true, share: 20 });
});

test("the whole is the sum of the outputs, and not the published total", () => {
  const total = figure("", 1000, { worldTotal: true, country: "World total" });
  expect(stageOf([usgs(figure("CD", 50), figure("CN", 50), total)])).toMatchObject({
    ...{ hhi: 5000, worldTotal: 1000, countries: [{ share: 50 }, { share: 50 }] },
  });
});

test("a withheld figure and one that is not known have no output and no share, come last and are never 0", () => {
  const withheld = figure("US", undefined, { withheld: true });
  const stage = stageOf([usgs(withheld, figure("ZA"), figure("CD", 10), figure("DE", 0))]);
  expect(stage).toMatchObject({ withheldCount: 1, hhi: 10_000 });
  const [cd, de, us, za] = stage?.countries ?? [];
  expect(cd).toMatchObject({ iso2: "CD", hasOutput: true, output: 10, share: 100 });
  expect(de).toMatchObject({ iso2: "DE", hasOutput: true, output: 0, share: 0, withheld: false });
  expect(us).toMatchObject({ iso2: "US", hasOutput: false, withheld: true });
  expect(za).toMatchObject({ iso2: "ZA", hasOutput: false, withheld: false });
  for (const one of [us, za]) expect(Object.keys(one ?? {})).not.toEqual(expect.arrayContaining(["output"]));
});

test("where nothing was produced outputs are 0 and there are no shares; where nothing is known the stage is not available", () => {
  const nil = stageOf([usgs(figure("CD", 0), figure("CN", 0))]);
  expect([nil?.available, nil?.hhi, nil?.countries?.map(({ share }) => share)]).toEqual([
    true,
    0,
    [undefined, undefined],
  ]);
  expect(stageOf([usgs(figure("US", undefined, { withheld: true }))])).toMatchObject({ available: false, hhi: 0 });
  expect(stageOf([usgs(), second()])).toBeUndefined();
});

test("the newest year with an output is returned", () => {
  const before = figure("CD", 7, { year: 2024 });
  expect(stageOf([usgs(before, figure("CD", 9))])).toMatchObject({ year: 2025, countries: [{ output: 9 }] });
  const unknown = stageOf([usgs(before, figure("CD", undefined, { withheld: true }))]);
  expect(unknown).toMatchObject({ year: 2024, countries: [{ output: 7 }], withheldCount: 0 });
});

test("figures of the same country add up; one that is withheld hides the sum", () => {
  expect(stageOf([usgs(figure("US", 67), figure("US", 12), figure("QA", 63))])?.countries?.[0]).toMatchObject({
    ...{ iso2: "US", output: 79 },
  });
  const hidden = stageOf([usgs(figure("US", 67), figure("US", undefined, { withheld: true }), figure("QA", 63))]);
  expect(hidden?.countries?.[1]).toMatchObject({ iso2: "US", hasOutput: false, withheld: true });
});

test("a stage that the first source lacks is the second one's", () => {
  expect(stageOf([usgs(), second(figure("KZ", 3), figure("CA", 1))])).toMatchObject({ source: "bgs", hhi: 6250 });
});

test("a country that only the second source names is returned in the stage's unit, without share, as part of the rest", () => {
  const thousands = { unit: "thousand metric tons" };
  const first = [
    figure("CL", 60, thousands),
    figure("CN", 20, thousands),
    figure("", 20, { ...thousands, residual: true }),
  ];
  const only = stageOf([usgs(...first)]);
  const content = { unit: "tonnes (metal content)", year: 2023 };
  const stage = stageOf([
    usgs(...first),
    second(figure("CL", 1, content), figure("MN", 45_000, content), figure("LA", undefined, content)),
  ]);
  expect([stage?.hhi, stage?.withheldCount]).toEqual([only?.hhi, 0]);
  const added = stage?.countries?.filter(({ source }) => source === "bgs");
  expect(added).toMatchObject([{ iso2: "MN", output: 45, year: 2023, hasOutput: true }]);
  expect(Object.keys(added?.[0] ?? {})).not.toContain("share");
});

test("what the second source counts in a unit that cannot be compared is left out", () => {
  const gas = figure("MN", 5, { unit: "million cubic metres" });
  expect(stageOf([usgs(figure("CL", 60)), second(gas)])?.countries).toHaveLength(1);
});

test.each([
  ["tonnes (metal content)", "metric tons", 1],
  ["tonnes", "thousand metric tons", 0.001],
  ["kilograms", "metric tons", 0.001],
  ["million metric tons", "Thousand metric tons", 1000],
  ["kilograms", "kilograms", 1],
  ["cubic metres", "metric tons", undefined],
  ["tons", "metric tons", undefined],
  ["", "metric tons", undefined],
])("from %j to %j it is %s", (from, to, factor) => {
  expect(factorBetween(from, to)).toBe(factor);
});

test("the concentration is within 0 and 10,000 and shares add up to the whole, whatever the input", () => {
  const any = fc.record({
    iso2: fc.constantFrom("CN", "CD", "ID", "AU", ""),
    output: fc.option(fc.double({ min: 0, max: 1e9, noNaN: true }), { nil: undefined }),
    residual: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(any, { minLength: 1, maxLength: 12 }), (rows) => {
      const stage = stageOf([
        usgs(...rows.map(({ iso2, output, residual }) => figure(iso2, output, { residual, country: iso2 || "x" }))),
      ]);
      expect(stage?.hhi).toBeGreaterThanOrEqual(0);
      expect(stage?.hhi).toBeLessThanOrEqual(10_000);
      const shares = stage?.countries?.flatMap(({ share }) => share ?? []) ?? [];
      if (shares.length > 0) expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(100, 2);
    }),
  );
});

test.skipIf(!existsSync(captured))(
  "of the captured table, cobalt's mines are as concentrated as its amounts make them",
  () => {
    const { rows } = usgsMcs.parse(readFileSync(captured, "utf8"), new Date());
    const stage = stageOf([
      usgs(
        ...rows.filter(({ commodityId }) => commodityId === "cobalt").map((row) => create(MineralFigureSchema, row)),
      ),
    ]);
    const outputs = [300, 3700, 3500, 2000, 230_000, 2000, 44_000, 3900, 2800, 3700, 7700, 1900];
    const whole = outputs.reduce((sum, output) => sum + output, 9_100);
    expect(stage?.hhi).toBeCloseTo(
      outputs.reduce((sum, output) => sum + ((100 * output) / whole) ** 2, 0),
      2,
    );
    expect(stage).toMatchObject({ year: 2025, worldTotal: 310_000 });
    expect(stage?.countries?.slice(0, 2)).toMatchObject([{ iso2: "CD", output: 230_000 }, { iso2: "ID" }]);
  },
);
