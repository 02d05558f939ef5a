import { expect, test } from "vitest";
import { fredTariff } from "../../../../src/domains/trade/tariffs/fred-tariff.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-04T09:00:00Z");
type Quarters = Readonly<Record<string, unknown>>;
const series = (quarters: Quarters) => ({
  observations: Object.entries(quarters).map(([date, value]) => ({ realtime_start: "2026-11-01", date, value })),
});
const parse = (duties: Quarters, imports: Quarters) =>
  fredTariff.parse({ B235RC1Q027SBEA: series(duties), A255RC1Q027SBEA: series(imports) }, now);
const latest = (duties: Quarters, imports: Quarters) => parse(duties, imports).rows[0]?.reported?.value;

test("the latest quarter of both series counts, whatever their order and ends", () => {
  const duties = { "2026-04-01": "331.907", "2026-01-01": "352.46", "2025-10-01": "344.118" };
  const imports = { "2026-07-01": "3391.552", "2026-01-01": "3340.918", "2025-10-01": "3402.663" };
  const expected = { reporter: "840", quarter: "2026-01-01", duties: "352.46", imports: "3340.918" };
  expect(latest(duties, imports)).toEqual(expected);
  expect(latest(Object.fromEntries(Object.entries(duties).reverse()), imports)).toEqual(expected);
});

test.each([
  ["a point", "."],
  ["zero imports", "0"],
])("a quarter with %s in place of imports is passed over", (_title, value) => {
  expect(
    latest({ "2026-04-01": "331", "2026-01-01": "352" }, { "2026-04-01": value, "2026-01-01": "3340" }),
  ).toMatchObject({ quarter: "2026-01-01" });
});

test("duties of zero are measured", () => {
  expect(latest({ "2026-04-01": "0.000" }, { "2026-04-01": "3300" })).toMatchObject({ duties: "0.000" });
});

test("an observation that is none is left out and named", () => {
  const { rejected } = parse({ "2026-04-01": "331", "2026-01-01": "?" }, { "2026-04-01": "3340", soon: "1" });
  expect(rejected.map(({ row }) => row)).toEqual(["B235RC1Q027SBEA #1", "A255RC1Q027SBEA #1"]);
});

test("without a quarter that both have it is a failure", () => {
  expect(() => parse({ "2026-01-01": "1" }, { "2026-04-01": "1" })).toThrow(UpstreamError);
  expect(() => parse({}, {})).toThrow(UpstreamError);
});

test.each([{}, { error_code: 400 }, { observations: "none" }])("another format is a failure: %j", (response) => {
  const good = series({ "2026-01-01": "1" });
  expect(() => fredTariff.parse({ B235RC1Q027SBEA: good, A255RC1Q027SBEA: response }, now)).toThrow(UpstreamError);
});

test("both series are asked for, newest first, with the key", async () => {
  const requested: URL[] = [];
  const upstream: Upstream = {
    origin: "live",
    now,
    variable: (name) => `${name} value`,
    text: () => Promise.reject(new Error("not asked")),
    json: async ({ url }) => {
      requested.push(new URL(url));
      return series({ "2026-01-01": "10" });
    },
  };
  expect(fredTariff.parse(await fredTariff.fetch(upstream), now).rows).toHaveLength(1);
  expect(requested.map(({ searchParams }) => Object.fromEntries(searchParams))).toEqual(
    ["B235RC1Q027SBEA", "A255RC1Q027SBEA"].map((id) => ({
      series_id: id,
      api_key: "FRED_API_KEY value",
      file_type: "json",
      sort_order: "desc",
      limit: "20",
    })),
  );
});

test("the sample has a quarter that both series have, one before the newest of imports", async () => {
  const { rows, rejected } = fredTariff.parse(await fredTariff.fetch(sampleUpstream("fred-tariff", () => now)), now);
  expect(rows[0]?.reported?.value).toMatchObject({ reporter: "840", quarter: "2026-04-01" });
  expect(rejected).toEqual([]);
  expect(fredTariff.observedAt?.(rows[0]!)).toBe(Date.UTC(2026, 3, 1));
});
