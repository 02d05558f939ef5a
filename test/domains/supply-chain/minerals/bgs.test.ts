import { expect, test } from "vitest";
import { MineralFigureSchema } from "../../../../gen/es/ids/stored/v1/minerals_pb.ts";
import { bgs } from "../../../../src/domains/supply-chain/minerals/bgs.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const feature = (over: object = {}, id = 123) => ({
  ...{ type: "Feature", id, geometry: null },
  properties: {
    ...{ bgs_commodity_trans: "uranium", bgs_sub_commodity_trans: null, bgs_statistic_type_trans: "Production" },
    ...{ country_trans: "Namibia", country_iso2_code: "NA", country_iso3_code: "NAM", year: "2023-01-01T00:00:00" },
    ...{ quantity: 6900, units: "tonnes (metal content)", data_precision_description: null },
    ...over,
  },
});
const parse = (...features: readonly unknown[]) => bgs.parse(features, now);

test("a feature becomes a figure; Namibia is a country, and not what is not available", () => {
  expect(parse(feature())).toEqual({
    rows: [
      {
        ...{ commodityId: "uranium", stage: "mine", year: 2023, unit: "tonnes (metal content)", iso2: "NA" },
        ...{ country: "Namibia", output: 6900, estimated: false },
      },
    ],
    rejected: [],
  });
});

test("of each commodity the newest year with an amount is kept, with its countries that have none", () => {
  const { rows } = parse(
    feature({ year: "2022-01-01T00:00:00" }),
    feature({ year: "2023-01-01T00:00:00" }),
    feature({ year: "2023-01-01T00:00:00", country_trans: "Niger", country_iso2_code: "NE", quantity: null }),
    feature({ year: "2024-01-01T00:00:00", quantity: null }),
    feature({ year: "2021-01-01T00:00:00", bgs_commodity_trans: "bauxite", quantity: 0 }),
  );
  expect(rows.map(({ commodityId, iso2, year, output }) => [commodityId, iso2, year, output])).toEqual([
    ["uranium", "NA", 2023, 6900],
    ["uranium", "NE", 2023, undefined],
    ["bauxite", "NA", 2021, 0],
  ]);
});

test("a country without a code is known by its name, an estimate by its description", () => {
  const over = {
    country_trans: "Congo, Democratic Republic",
    country_iso2_code: "CD",
    data_precision_description: "Estimated",
  };
  expect(parse(feature(over)).rows[0]).toMatchObject({ iso2: "CD", estimated: true });
  expect(parse(feature({ country_trans: "South Africa", country_iso2_code: null })).rows[0]?.iso2).toBe("ZA");
  expect(parse(feature({ country_trans: "Soviet Union", country_iso2_code: "SU" })).rows[0]).toMatchObject({
    ...{ iso2: "", country: "Soviet Union" },
  });
});

test.each([
  ["another commodity", { bgs_commodity_trans: "gold, mine" }, /gold/],
  ["another statistic", { bgs_statistic_type_trans: "Exports" }, /statistic_type/],
  ["a year in words", { year: "now" }, /year/],
  ["an amount in words", { quantity: "many" }, /quantity/],
  ["no unit", { units: "" }, /units/],
  ["no country", { country_trans: "" }, /country_trans/],
])("a feature with %s is rejected by its id", (_what, over, reason) => {
  const { rows, rejected } = parse(feature(), feature(over, 77));
  expect(rows).toHaveLength(1);
  expect(rejected).toEqual([{ row: "77", reason: expect.stringMatching(reason) }]);
});

test("a negative amount breaks the rules of a figure", () => {
  expect(checkRows(MineralFigureSchema, parse(feature({ quantity: -1 })).rows).rejected).toHaveLength(1);
});

/** An upstream with `max` features of uranium and none of the others. */
const holding = (max: number, matched = max, perPage = 500) => {
  const requested: URL[] = [];
  const json = async ({ url }: { url: string }) => {
    const { searchParams } = new URL(url);
    requested.push(new URL(url));
    const wanted = searchParams.get("bgs_commodity_trans") === "uranium";
    const from = Number(searchParams.get("offset"));
    const count = wanted ? Math.max(0, Math.min(perPage, max - from)) : 0;
    const features = Array.from({ length: count }, (_, place) => feature({}, from + place));
    return { type: "FeatureCollection", numberMatched: wanted ? matched : 0, numberReturned: count, features };
  };
  const upstream: Upstream = { ...sampleUpstream("none", () => now), json };
  return { upstream, requested };
};

test("pages are asked until every feature is there, by plain parameters", async () => {
  const { upstream, requested } = holding(1_200);
  expect(await bgs.fetch(upstream)).toHaveLength(1_200);
  const uranium = requested.filter(({ searchParams }) => searchParams.get("bgs_commodity_trans") === "uranium");
  expect(uranium.map(({ searchParams }) => searchParams.get("offset"))).toEqual(["0", "500", "1000"]);
  expect(Object.fromEntries(uranium[0]?.searchParams ?? [])).toMatchObject({
    ...{ f: "json", bgs_statistic_type_trans: "Production", limit: "500" },
  });
});

test("pages may be smaller than asked for", async () => {
  expect(await bgs.fetch(holding(90, 90, 40).upstream)).toHaveLength(90);
});

test.each([
  ["fewer features than it matched", holding(30, 31), /30 of 31 rows/],
  ["pages without end", holding(1e9, 1e9), /more rows of uranium/],
])("%s are a failure", async (_what, { upstream }, words) => {
  await expect(bgs.fetch(upstream)).rejects.toThrow(words);
});

test.each([{ features: [] }, { type: "FeatureCollection", features: [] }, "nothing"])(
  "%j instead of a page is a changed format",
  async (page) => {
    await expect(bgs.fetch({ ...sampleUpstream("none", () => now), json: async () => page })).rejects.toThrow(
      UpstreamError,
    );
  },
);

test("the sample yields what it says, all valid", async () => {
  const { rows, rejected } = parse(...((await bgs.fetch(sampleUpstream("bgs", () => now))) as unknown[]));
  expect([rows.length, rejected]).toEqual([sampleIndex("bgs")?.rows, []]);
  expect(checkRows(MineralFigureSchema, rows).rejected).toEqual([]);
});
