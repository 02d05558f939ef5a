import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import type { InputRow } from "../../../../src/domains/resilience/inputs/series.ts";
import { eurostatEnergy, owidEnergy } from "../../../../src/domains/resilience/inputs/sources/energy.ts";
import { whoGho } from "../../../../src/domains/resilience/inputs/sources/who-gho.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { cellsOf } from "../../../../src/providers/eurostat/json-stat.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/", import.meta.url);
const said = (rows: readonly InputRow[]) => rows.map(({ country, period, value }) => `${country} ${period} ${value}`);

/** An upstream that gives the response of `response` and records its requests. */
function responding(response: (url: URL) => unknown) {
  const requested: URL[] = [];
  const reported = async ({ url }: { url: string }) => {
    requested.push(new URL(url));
    return response(new URL(url));
  };
  const upstream: Upstream = {
    ...{ origin: "live", now, variable: () => "", json: reported },
    text: async (request) => String(await reported(request)),
  };
  return { upstream, requested };
}

/** More than 120 countries, in the schema of the WHO. */
const alpha3s = readFileSync(new URL("../../../../sample/who-gho/WHS8_110-1.json", import.meta.url), "utf8")
  .match(/(?<="SpatialDim":")[A-Z]{3}/g)
  ?.filter((code, place, codes) => codes.indexOf(code) === place) as string[];
const health = (country: string, year: number, value: number | null, group: string | null = null) => ({
  ...{ SpatialDim: country, TimeDim: year, Dim1: group, NumericValue: value },
});
const whole = alpha3s.map((code) => health(code, 2019, 70));
const ofMeasles = (...rows: unknown[]) =>
  whoGho.parse(
    { responses: [{ series: "WHS8_110", answer: [{ value: whole }, { value: rows }] }], gone: ["WHS6_102"] },
    now,
  );

test("the newest year with a value for both sexes counts for the WHO", () => {
  const { rows, rejected } = ofMeasles(
    health("NOR", 2024, 96),
    health("NOR", 2025, null),
    health("NOR", 2023, 95),
    health("SWE", 2024, 88, "SEX_FMLE"),
    health("SWE", 2024, 97, "SEX_BTSX"),
    health("FIN", 2031, 99),
    health("XYZ", 2024, 50),
  );
  expect(said(rows)).toEqual(expect.arrayContaining(["NO 2024 96", "SE 2024 97", "FI 2019 70"]));
  expect(rows).toHaveLength(whole.length);
  expect(rows[0]).toMatchObject({ input: "measlesCoverage", series: "WHS8_110" });
  expect(rejected).toEqual([{ row: "WHS6_102", reason: "there is no such series" }]);
});

test("a row of the WHO in another format is rejected, a series of few countries is missing, another answer throws", () => {
  const { rows, rejected } = ofMeasles({ ...health("NOR", 2024, 96), NumericValue: "96" }, health("NOR", 20, 96));
  expect(rows).toHaveLength(whole.length);
  expect(rejected.map(({ row }) => row)).toEqual([
    "WHS6_102",
    `WHS8_110 #${whole.length}`,
    `WHS8_110 #${whole.length + 1}`,
  ]);
  const reported = (response: unknown) =>
    whoGho.parse({ responses: [{ series: "HWF_0001", answer: response }], gone: [] }, now);
  expect(reported([{ value: [health("NOR", 2022, 52)] }])).toEqual({
    rows: [],
    rejected: [],
    missing: [{ part: "HWF_0001", reason: "1 countries, and at least 120" }],
  });
  for (const response of [{}, [{}], [null], "no"]) expect(() => reported(response)).toThrow(UpstreamError);
});

test("pages of the WHO are requested until one is not full, for countries only", async () => {
  const full = Array.from({ length: 1000 }, () => health("NOR", 2020, 1));
  const { upstream, requested } = responding((url) => ({
    value: url.searchParams.get("$skip") === "0" ? full : [health("SWE", 2020, 1)],
  }));
  await whoGho.fetch(upstream);
  expect(requested.map((url) => `${url.pathname} ${url.searchParams.get("$skip")}`).slice(0, 3)).toEqual([
    ...["/api/UHC_INDEX_REPORTED 0", "/api/UHC_INDEX_REPORTED 1000", "/api/WHS8_110 0"],
  ]);
  expect(requested).toHaveLength(10);
  expect(requested[0]?.searchParams.get("$filter")).toBe("SpatialDimType eq 'COUNTRY'");
  const endless = responding(() => ({ value: full }));
  await expect(whoGho.fetch(endless.upstream)).rejects.toThrow("more than 50 pages");
});

const head = "entity,code,year,low_carbon_share_of_electricity__pct";
const shares = (...lines: string[]) =>
  owidEnergy.parse(
    { responses: [{ series: "share-electricity-low-carbon", answer: `${lines.join("\n")}\n` }], gone: [] },
    now,
  );

test("of OWID's lines those of countries count, the newest of each, and Kosovo has a code of its own", () => {
  const { rows, rejected } = shares(
    ...[head, "Norway,NOR,2023,98.1", "Norway,NOR,2025,98.9", "Africa (Ember),,2025,24.2", "World,OWID_WRL,2025,41"],
    ...[
      "Kosovo,OWID_KOS,2024,6.5",
      "Chad,TCD,2024,0",
      "Mali,MLI,2024,",
      "Peru,PER,2024,140",
      '"Korea, South",KOR,2025,39',
    ],
  );
  expect(said(rows)).toEqual(["NO 2025 98.9", "XK 2024 6.5", "TD 2024 0", "KR 2025 39"]);
  expect(rejected.map(({ row }) => row)).toEqual(["Mali 2024", "Peru 2024"]);
});

test("a table of OWID without its columns, left behind, or no table, throws", () => {
  expect(() => shares(head, "Norway,NOR,2024,98")).not.toThrow();
  expect(() => shares(head, "Norway,NOR,2023,98")).toThrow("ends in 2023");
  expect(() => shares("entity,code,year,share", "Norway,NOR,2025,98")).toThrow("no column low_carbon_share");
  expect(() => shares(head)).toThrow(UpstreamError);
  expect(() => shares("<!doctype html>", "<p>down, for, now", "</p>")).toThrow(UpstreamError);
});

const dataset = (over: object = {}) => {
  const geos = [
    "EU27_2020",
    "EL",
    "UK",
    "NO",
    ..."AT BE BG CY CZ DE DK EE ES FI FR HR HU IE IT LT LU LV MT NL PL".split(" "),
  ];
  const index = (codes: readonly string[]) => ({
    category: { index: Object.fromEntries(codes.map((code, place) => [code, place])) },
  });
  return {
    ...{ version: "2.0", class: "dataset", id: ["siec", "unit", "geo", "time"], size: [1, 1, geos.length, 2] },
    dimension: { siec: index(["TOTAL"]), unit: index(["PC"]), geo: index(geos), time: index(["2023", "2024"]) },
    value: Object.fromEntries(
      geos.flatMap((_, place) => [[2 * place, 50 + place], ...(place % 2 ? [[2 * place + 1, place]] : [])]),
    ),
    ...over,
  };
};
const dependency = (response: unknown) =>
  eurostatEnergy.parse({ responses: [{ series: "nrg_ind_id", answer: response }], gone: [] }, now);

test("Eurostat's cells are placed by their number, groups left out, Greece and the United Kingdom known by its letters", () => {
  const { rows, rejected } = dependency(dataset());
  expect(rejected).toEqual([]);
  expect(said(rows).slice(0, 4)).toEqual(["GR 2024 1", "GB 2023 52", "NO 2024 3", "AT 2023 54"]);
  expect(rows[0]).toMatchObject({ input: "energyImports", series: "nrg_ind_id" });
  const { value, dimension } = dataset();
  const listed = Object.fromEntries(
    Object.entries(dimension).map(([name, { category }]) => [
      name,
      { category: { index: Object.keys(category.index) } },
    ]),
  );
  const dense = Array.from({ length: 50 }, (_, place) => value[place] ?? null);
  expect(dependency(dataset({ dimension: listed, value: dense })).rows).toEqual(rows);
});

test("Eurostat's cells of another product or unit are rejected, with too few countries the series is missing, another format throws", () => {
  const other = { ...dataset().dimension, siec: { category: { index: { O4000XBIO: 0 } } } };
  const { rows, rejected, missing } = dependency(dataset({ dimension: other }));
  expect(rows).toEqual([]);
  expect(rejected.at(-1)?.reason).toContain("O4000XBIO");
  expect(missing?.[0]?.reason).toBe("0 countries, and at least 24");
  for (const over of [{ class: "error" }, { size: [1, 1, 3, 2] }, { size: [1, 1, 25] }, { value: "none" }, { id: [] }])
    expect(() => dependency(dataset(over))).toThrow(UpstreamError);
});

test.runIf(existsSync(captured))(
  "a captured JSON-stat answer of Eurostat is read whole, a place without data is empty",
  () => {
    const response = JSON.parse(readFileSync(new URL("eurostat/prc_hicp_manr-sample.json", captured), "utf8"));
    const cells = cellsOf("Eurostat", response);
    expect(cells).toHaveLength(24);
    expect(cells[12]).toMatchObject({
      at: { geo: "FR", time: "2025-01", coicop: "CP00" },
      value: response.value["12"],
    });
    expect(cells.some(({ at: { geo } }) => geo === "US")).toBe(false);
  },
);
