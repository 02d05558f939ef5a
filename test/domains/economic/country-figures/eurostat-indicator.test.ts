import { existsSync, readFileSync } from "node:fs";
import { create } from "@bufbuild/protobuf";
import fc from "fast-check";
import { expect, test } from "vitest";
import { EuIndicatorSchema } from "../../../../gen/es/ids/economic/v1/eu_indicators_pb.ts";
import { EuIndicatorRowSchema } from "../../../../gen/es/ids/stored/v1/country_figures_pb.ts";
import { indicatorResponse, members } from "../../../../src/domains/economic/country-figures/eu-indicator.ts";
import {
  eurostatIndicator,
  govDebt,
  housePrices,
  industrialProduction,
} from "../../../../src/domains/economic/country-figures/eu-indicators.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const captured = new URL("../../../../../shared/upstream/eurostat/prc_hicp_manr-sample.json", import.meta.url);
const indicators = [housePrices, govDebt, industrialProduction];

/** A JSON-stat answer of house prices: one row of values a place, null where a cell is missing. */
function prices(
  years: readonly string[],
  cells: Readonly<Record<string, readonly (number | null)[]>>,
  unit = "I15_A_AVG",
) {
  const index = (codes: readonly string[]) => ({
    category: { index: Object.fromEntries(codes.map((c, i) => [c, i])) },
  });
  const value = Object.values(cells).flat();
  return {
    class: "dataset",
    value: Object.fromEntries(value.flatMap((one, place) => (one === null ? [] : [[place, one]]))),
    id: ["freq", "purchase", "unit", "geo", "time"],
    size: [1, 1, 1, Object.keys(cells).length, years.length],
    dimension: {
      ...{ freq: index(["A"]), purchase: index(["TOTAL"]), unit: index([unit]) },
      ...{ geo: index(Object.keys(cells)), time: index(years) },
    },
  };
}
const parsed = (...batches: unknown[]) =>
  eurostatIndicator(housePrices).parse(
    { responses: batches.map((response, place) => ({ series: `batch ${place}`, answer: response })) },
    now,
  );
const places = [...members, "EA21", "EU27_2020"];

test.each(indicators)("the sample of $name has all 29 places, valid in every month", async (terms) => {
  const source = eurostatIndicator(terms);
  for (const at of [
    now,
    new Date("2027-01-01T00:00:00Z"),
    new Date("2027-04-30T23:59:00Z"),
    new Date("2029-12-31T00:00:00Z"),
  ]) {
    const { rows, rejected } = source.parse(await source.fetch(sampleUpstream(terms.name, () => at)), at);
    expect(rejected).toEqual([]);
    expect(checkRows(EuIndicatorRowSchema, rows).rejected).toEqual([]);
    expect(rows.map(({ id }) => id)).toEqual(places);
    const full = rows.filter(({ points = [] }) => points.length === terms.points);
    expect(full.length).toBeGreaterThanOrEqual(28);
    expect(Math.max(...rows.map((row) => source.observedAt?.(row) ?? 0))).toBeLessThanOrEqual(at.getTime());
  }
});

test("there are 27 members, by code with Greece as EL", () => {
  expect(members).toHaveLength(27);
  expect([members[0], members[8], members.at(-1)]).toEqual(["AT", "EL", "SK"]);
});

test("the newest composition of the euro area and of the EU in the table is returned, under its own code", () => {
  const { rows, rejected } = parsed(
    prices(["2024", "2025"], { SK: [90, 91] }),
    prices(["2024", "2025"], {
      ...{ EA: [97, 98], EA19: [98, null], EA20: [99, 100], EA21: [100, 101] },
      ...{ EEA30_2007: [1, 2], EU27_2007: [3, 4], EU27_2020: [102, 103], EU28: [5, 6] },
    }),
  );
  expect(rejected).toEqual([]);
  expect(rows.map(({ id, points = [] }) => [id, ...points.map(({ value }) => value)])).toEqual([
    ["SK", 90, 91],
    ["EA21", 100, 101],
    ["EU27_2020", 102, 103],
  ]);
  expect(checkRows(EuIndicatorRowSchema, rows).rejected).toEqual([]);
});

test.each(["EA20", "EA21", "EA22"])("a request for %s returns the euro area in its newest composition", (code) => {
  const reading = { value: 1, hasPrior: false, date: "2025", unit: "I15_A_AVG", series: [] };
  const stored = create(EuIndicatorSchema, { countries: { DE: reading, EA21: reading }, dataset: "x", label: "x" });
  const request = { countries: [code], summary: false };
  const { indicator } = indicatorResponse(housePrices, stored, request, { freshForMinutes: 1, now });
  expect(Object.keys(indicator.countries ?? {})).toEqual(["EA21"]);
});

test("a batch that fails does not keep the others back, and its places keep their own last values", async () => {
  const source = eurostatIndicator(govDebt);
  const sample = sampleUpstream(govDebt.name, () => now);
  const json: Upstream["json"] = async (request) => {
    if (/geo=AT|geoLevel/.test(request.url)) throw new UpstreamError("ec.europa.eu answered 503", { status: 503 });
    return sample.json(request);
  };
  const { rows, missing } = source.parse(await source.fetch({ ...sample, json }), now);
  expect(rows.map(({ id }) => id)).toEqual(members.slice(4));
  expect(missing?.map(({ part, status }) => [part, status])).toEqual([
    [members.slice(0, 4).join(), 503],
    ["aggregates", 503],
  ]);
  expect([source.partOf?.({ id: "BE" }), source.partOf?.({ id: "EU27_2020" })]).toEqual([
    members.slice(0, 4).join(),
    "aggregates",
  ]);
});

test.each([
  [housePrices, "prc_hpi_a", { unit: "I15_A_AVG", purchase: "TOTAL", sinceTimePeriod: "2013" }],
  [govDebt, "gov_10q_ggdebt", { unit: "PC_GDP", sector: "S13", na_item: "GD", sinceTimePeriod: "2022-Q1" }],
  [industrialProduction, "sts_inpr_m", { unit: "I21", s_adj: "SCA", nace_r2: "B-D", sinceTimePeriod: "2023-01" }],
])("$table is asked for in batches of four members, and then of all aggregates", async (terms, table, places) => {
  const requested: URL[] = [];
  const sample = sampleUpstream(terms.name, () => now);
  await eurostatIndicator(terms).fetch({
    ...sample,
    json: async (request) => {
      requested.push(new URL(request.url));
      return sample.json(request);
    },
  });
  expect(requested.map(({ searchParams }) => searchParams.getAll("geo").length)).toEqual([4, 4, 4, 4, 4, 4, 3, 0]);
  expect(requested.at(-1)?.searchParams.get("geoLevel")).toBe("aggregate");
  expect(requested.flatMap(({ searchParams }) => searchParams.getAll("geo"))).toEqual(members);
  for (const { pathname, searchParams } of requested) {
    expect(pathname).toBe(`/eurostat/api/dissemination/statistics/1.0/data/${table}`);
    expect(Object.fromEntries(searchParams)).toMatchObject({ format: "JSON", lang: "EN", ...places });
  }
});

test("missing cells are absent, a measured zero is a value, values have two decimals", () => {
  const { rows, rejected } = parsed(
    prices(["2023", "2024", "2025"], { DE: [101.256, null, 0], EL: [null, null, null], FR: [1.2351, 2, null] }),
  );
  expect(rejected).toEqual([]);
  expect(rows.map(({ id, points = [] }) => [id, ...points.map(({ date, value }) => `${date} ${value}`)])).toEqual([
    ["DE", "2023 101.26", "2025 0"],
    ["FR", "2023 1.24", "2024 2"],
  ]);
});

test("cells of other places, units, and periods, or duplicates, are rejected with the reason", () => {
  const { rows, rejected } = parsed(
    prices(["2025"], { DE: [1], US: [2] }),
    prices(["2025"], { DE: [3] }),
    prices(["2024"], { FR: [4] }, "RCH_A_AVG"),
    prices(["2027", "2025-Q1"], { SE: [5, 6] }),
  );
  expect(rows).toEqual([{ id: "DE", points: [{ date: "2025", value: 1 }] }]);
  expect(rejected.map(({ row, reason }) => `${row} ${reason}`)).toEqual([
    "US 2025 is of a place that was not requested",
    "DE 2025 occurs twice",
    "FR 2024 is of unit RCH_A_AVG, not of I15_A_AVG",
    "SE 2027 is of a period that has not begun",
    "SE 2025-Q1 has a period of another format",
  ]);
});

test("only the newest cells are stored, oldest first", () => {
  const years = fc.uniqueArray(fc.integer({ min: 1990, max: 2026 }), { minLength: 1 });
  fc.assert(
    fc.property(years, (reported) => {
      const { rows } = parsed(prices(reported.map(String), { DE: reported.map((year) => year / 100) }));
      const stored = reported.toSorted((a, b) => a - b).slice(-10);
      expect(rows[0]?.points?.map(({ date }) => date)).toEqual(stored.map(String));
    }),
  );
});

test.each([null, { error: [{ status: 400 }] }, { ...prices(["2025"], { DE: [1] }), size: [1, 1, 1, 1, 9] }])(
  "a changed format throws (%j)",
  (response) => {
    expect(() => parsed(response)).toThrow(UpstreamError);
    expect(() => eurostatIndicator(housePrices).parse(response, now)).toThrow(UpstreamError);
  },
);

test.runIf(existsSync(captured))(
  "a captured response passes with two places by month and all cells, and one without values has no row",
  () => {
    const response = JSON.parse(readFileSync(captured, "utf8"));
    const inflation = { ...industrialProduction, unit: "RCH_A", places: { coicop: "CP00" } };
    const { rows, rejected } = eurostatIndicator(inflation).parse(
      { responses: [{ series: "DE,FR", answer: response }] },
      now,
    );
    expect(rejected).toEqual([]);
    expect(rows.map(({ id, points }) => [id, points?.length])).toEqual([
      ["DE", 12],
      ["FR", 12],
    ]);
    expect(rows[1]?.points?.[0]).toEqual({ date: "2025-01", value: response.value["12"] });
  },
);
