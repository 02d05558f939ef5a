import { expect, test } from "vitest";
import { BufferReadingSchema } from "../../../gen/es/ids/stored/v1/buffers_pb.ts";
import { ieaOilStocks } from "../../../src/domains/supply-chain/iea-oil-stocks.ts";
import { UpstreamError } from "../../../src/errors.ts";
import { checkRows } from "../../../src/ingest/row-check.ts";
import { sampleIndex, sampleUpstream } from "../../../src/upstream/sample.ts";
import type { Upstream } from "../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const member = (countryName: string, total: unknown, over: object = {}) => ({
  ...{
    countryName,
    yearMonth: "202602",
    total,
    industry: "80",
    publicData: "119",
    abroadIndustry: "0",
    abroadPublic: "0",
  },
  ...over,
});
const parse = (...rows: readonly unknown[]) => ieaOilStocks.parse(rows, now);

test("a member's days are a level of crude oil and of its products, as of the last day of the month", () => {
  const level = {
    ...{ iso2: "JP", kind: "fuel_stock_days", measure: 199, asOf: "2026-02-28" },
    detail: "Oil stocks in days of net imports, 2026-02",
  };
  expect(parse(member("Japan", "199"))).toEqual({
    rows: [
      { ...level, commodityId: "crude_oil" },
      { ...level, commodityId: "refined_petroleum" },
    ],
    rejected: [],
  });
});

test.each([
  ["Korea", "KR"],
  ["The Republic of Türkiye", "TR"],
  ["Republic of Türkiye", "TR"],
  ["Slovak Republic", "SK"],
  ["Czech Republic", "CZ"],
  ["The Netherlands", "NL"],
])("%s is %s", (name, iso2) => {
  expect(parse(member(name, "90")).rows[0]?.iso2).toBe(iso2);
});

test("a net exporter's stocks are not known, and averages are no countries: both are passed over", () => {
  const averages = ["Total IEA", "Total IEA net importers", "IEA Europe"].map((name) => member(name, "140"));
  expect(parse(member("Norway", "Net Exporter"), ...averages)).toEqual({ rows: [], rejected: [] });
});

test("no days at all are measured, and 500 are possible", () => {
  expect(parse(member("Japan", "0"), member("Estonia", 500)).rows.map(({ measure }) => measure)).toEqual([
    0, 0, 500, 500,
  ]);
});

test.each([
  ["Denmark", member("Denmark", "501"), /up to 500/],
  ["Denmark", member("Denmark", "-1"), /up to 500/],
  ["Denmark", member("Denmark", "n/a"), /up to 500/],
  ["Denmark", member("Denmark", ""), /up to 500/],
  ["Atlantis", member("Atlantis", "90"), /no country/],
  ["#0", member("Denmark", null), /total/],
  ["#0", member("Denmark", "90", { yearMonth: "202613" }), /yearMonth/],
])("%s is rejected by name where it is %j", (name, row, reason) => {
  const { rows, rejected } = parse(row, member("Japan", "199"));
  expect(rows).toHaveLength(2);
  expect(rejected).toEqual([{ row: name, reason: expect.stringMatching(reason) }]);
});

const upstreamOf = (latest: unknown, asked: string[] = []): Upstream => ({
  ...sampleUpstream("none", () => now),
  json: async ({ url }) => {
    asked.push(url);
    return url.endsWith("/latest") ? latest : [];
  },
});

test("the newest month is asked for once it is known", async () => {
  const asked: string[] = [];
  await ieaOilStocks.fetch(upstreamOf({ year: "2026", month: "4" }, asked));
  expect(asked).toEqual([
    "https://api.iea.org/netimports/latest",
    "https://api.iea.org/netimports/monthly/?year=2026&month=04",
  ]);
});

test.each([{ year: "2026" }, { year: "2026", month: "13" }, [], "soon"])(
  "%j as the newest month is a changed format",
  async (latest) => {
    await expect(ieaOilStocks.fetch(upstreamOf(latest))).rejects.toThrow(UpstreamError);
  },
);

test("something else than a list is a changed format", () => {
  expect(() => ieaOilStocks.parse({ error: "x" }, now)).toThrow(UpstreamError);
});

test("the sample yields what it says, all valid, but for one country with too many days", async () => {
  const { rows, rejected } = ieaOilStocks.parse(
    await ieaOilStocks.fetch(sampleUpstream("iea-oil-stocks", () => now)),
    now,
  );
  expect([rows.length, rejected.map(({ row }) => row)]).toEqual([sampleIndex("iea-oil-stocks")?.rows, ["Estonia"]]);
  expect(checkRows(BufferReadingSchema, rows).rejected).toEqual([]);
});
