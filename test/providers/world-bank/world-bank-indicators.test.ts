import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { UpstreamError } from "../../../src/egress/upstream-error.ts";
import { fetchIndicator, readIndicator } from "../../../src/providers/world-bank/world-bank-indicators.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const captured = new URL("../../../../shared/upstream/worldbank-indicators/", import.meta.url);

const row = (over: object = {}) => ({
  indicator: { id: "MS.MIL.XPND.CD", value: "Military expenditure (current USD)" },
  country: { id: "PL", value: "Poland" },
  countryiso3code: "POL",
  date: "2024",
  value: 38_000_000_000,
  ...{ unit: "", obs_status: "", decimal: 0 },
  ...over,
});
const page = (rows: readonly unknown[] | null, pages: number | string = 1) => [
  { page: 1, pages, per_page: 20_000 },
  rows,
];

/** Plays pages in turn, and writes down what was asked. */
function playing(pages: readonly unknown[]) {
  const requested: URL[] = [];
  const upstream: Upstream = {
    origin: "live",
    now: new Date(0),
    variable: () => "",
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url }) => pages[requested.push(new URL(url)) - 1],
  };
  return { upstream, requested };
}

test("all pages of an indicator and its years are asked for", async () => {
  const pages = [page([row()], 2), page([row()], "2")];
  const { upstream, requested } = playing(pages);
  expect(await fetchIndicator(upstream, "MS.MIL.XPND.CD", { from: 2018, to: 2026 })).toEqual(pages);
  expect(requested.map(({ pathname }) => pathname)).toEqual(Array(2).fill("/v2/country/all/indicator/MS.MIL.XPND.CD"));
  expect(requested.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual(
    ["1", "2"].map((number) => ({ format: "json", date: "2018:2026", per_page: "20000", page: number })),
  );
});

test("an upstream whose pages never end is given up", async () => {
  const { upstream } = playing(Array(50).fill(page([row()], 1_000)));
  await expect(fetchIndicator(upstream, "X", { from: 1, to: 2 })).rejects.toThrow(UpstreamError);
});

test("values of countries are read, a measured 0 among them; empty years and aggregates are none", () => {
  const { values, rejected } = readIndicator([
    page([row(), row({ countryiso3code: "CRI", value: 0 }), row({ countryiso3code: "XKX", value: 1.5 })]),
    page([row({ value: null }), row({ countryiso3code: "WLD" }), row({ countryiso3code: "" })]),
    page(null),
  ]);
  const same = { indicator: "MS.MIL.XPND.CD", year: 2024 };
  expect(values).toEqual([
    { ...same, country: "PL", value: 38_000_000_000 },
    { ...same, country: "CR", value: 0 },
    { ...same, country: "XK", value: 1.5 },
  ]);
  expect(rejected).toEqual([]);
});

test("rows of another format are left out and named; the others stay", () => {
  const { values, rejected } = readIndicator([
    page([row({ date: "2024Q1" }), row({ value: "38" }), row({ countryiso3code: 7 }), row()]),
  ]);
  expect(values).toHaveLength(1);
  expect(rejected.map(({ row: name }) => name)).toEqual(["POL 2024Q1", "POL 2024", "?"]);
});

test("what a wrong question is answered with is a failure in the upstream's words", () => {
  const response = [
    { message: [{ id: "120", key: "Invalid value", value: "The provided parameter value is not valid" }] },
  ];
  expect(() => readIndicator([response])).toThrow(
    new UpstreamError("World Bank: The provided parameter value is not valid", { status: 404 }),
  );
});

test.each([[[]], [{}], ["text"], [[{}, []]], [[{ pages: "many" }, []]], [[{ pages: 1 }, "rows"]]])(
  "an answer like %j is a failure",
  (response) => {
    expect(() => readIndicator([response])).toThrow(UpstreamError);
  },
);

test.skipIf(!existsSync(captured)).each([
  ["NY.GDP.PCAP.CD", 5_286, 104, { indicator: "NY.GDP.PCAP.CD", country: "DE", year: 2022, value: 48_717.9911402128 }],
  ["SP.POP.TOTL", 6_693, 107, { indicator: "SP.POP.TOTL", country: "DE", year: 2022, value: 83_797_985 }],
])("the captured first page of %s passes: %i values of %i countries", (id, count, countries, one) => {
  const { values, rejected } = readIndicator([JSON.parse(readFileSync(new URL(`${id}.json`, captured), "utf8"))]);
  expect(rejected).toEqual([]);
  expect([values.length, new Set(values.map(({ country }) => country)).size]).toEqual([count, countries]);
  expect(values).toContainEqual(one);
});
