import { expect, test } from "vitest";
import { yahooMetals } from "../../../../src/domains/market/premiums/yahoo-metals.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";

const now = new Date("2026-07-13T00:00:00Z");
const chart = (meta: object) => ({
  chart: { result: [{ meta, timestamp: [1_783_900_000], indicators: { quote: [{ close: [3400] }] } }], error: null },
});
const gold = { symbol: "GC=F", currency: "USD", regularMarketPrice: 3400, regularMarketTime: 1_783_900_000 };
const silver = { ...gold, symbol: "SI=F", regularMarketPrice: 38.5 };
const parse = (change: object) => yahooMetals.parse([chart({ ...gold, ...change }), chart(silver)], now);

test("each chart becomes the future's last price with its instant", () => {
  expect(parse({})).toEqual({
    rows: [
      { symbol: "GC=F", price: "3400", asOf: "2026-07-12T23:46:40.000Z", source: "COMEX GC=F futures snapshot" },
      { symbol: "SI=F", price: "38.5", asOf: "2026-07-12T23:46:40.000Z", source: "COMEX SI=F futures snapshot" },
    ],
    rejected: [],
  });
});

test.each([
  [3387.60009765625, "3387.600098"],
  [38.504999, "38.504999"],
  [4000.1000000000004, "4000.1"],
])("the float %d is written as %s", (regularMarketPrice, price) => {
  expect(parse({ regularMarketPrice }).rows[0]?.price).toBe(price);
});

test.each([undefined, null])("a price whose time is %s is of unknown time", (regularMarketTime) => {
  expect(parse({ regularMarketTime }).rows[0]).toMatchObject({ price: "3400", asOf: "" });
});

test.each([
  [{ symbol: "GC1!" }, /symbol/],
  [{ currency: "EUR" }, /currency/],
  [{ regularMarketPrice: 0 }, /regularMarketPrice/],
  [{ regularMarketPrice: "3400" }, /regularMarketPrice/],
  [{ regularMarketPrice: undefined }, /regularMarketPrice/],
  [{ regularMarketTime: 1.5 }, /regularMarketTime/],
  [{ regularMarketTime: -1 }, /regularMarketTime/],
])("a chart with %j is rejected by name, and the other one stays", (change, reason) => {
  const { rows, rejected } = parse(change);
  expect(rows.map(({ symbol }) => symbol)).toEqual(["SI=F"]);
  expect(rejected).toEqual([{ row: "GC=F", reason: expect.stringMatching(reason) }]);
});

test.each([
  ["something else", { finance: {} }],
  ["an error", { chart: { result: null, error: { code: "Not Found", description: "No data found" } } }],
])("%s instead of a chart is a failure", (_what, response) => {
  expect(() => yahooMetals.parse([response, chart(silver)], now)).toThrow(UpstreamError);
});

test("a chart without a result is rejected", () => {
  const { rejected } = yahooMetals.parse([{ chart: { result: [], error: null } }, chart(silver)], now);
  expect(rejected).toMatchObject([{ row: "GC=F" }]);
});

test("the sample's charts pass whole", async () => {
  const upstream = sampleUpstream("yahoo-metals", () => now);
  const { rows, rejected } = yahooMetals.parse(await yahooMetals.fetch(upstream), upstream.now);
  expect([rows.length, rejected.length]).toEqual([2, 0]);
});
