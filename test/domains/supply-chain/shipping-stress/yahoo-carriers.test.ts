import { expect, test } from "vitest";
import { ShippingCarrierSchema } from "../../../../gen/es/ids/supply_chain/v1/shipping_stress_pb.ts";
import { yahooCarriers } from "../../../../src/domains/supply-chain/shipping-stress/yahoo-carriers.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { checkRows } from "../../../../src/ingest/refresh/fetch.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");
const symbols = ["BDRY", "ZIM", "MATX", "SBLK", "GNK"];
const chart = (symbol: string, close: readonly (number | null)[], meta: object = {}) => ({
  chart: {
    result: [
      {
        meta: {
          symbol,
          currency: "USD",
          regularMarketPrice: 17.5,
          regularMarketTime: 1_783_900_000,
          chartPreviousClose: 1,
          ...meta,
        },
        timestamp: close.map((_, day) => 1_794_000_000 + 86_400 * day),
        indicators: { quote: [{ close, volume: close }], adjclose: [{ adjclose: close }] },
      },
    ],
    error: null,
  },
});
const gone = { chart: { result: null, error: { code: "Not Found", description: "No data found" } } };
const parse = (charts: Readonly<Record<string, unknown>>) =>
  yahooCarriers.parse(
    symbols.map((symbol) => ({ symbol, chart: charts[symbol] ?? chart(symbol, [16, 17.5]) })),
    now,
  );

test("the change is that of the last two closes, whatever the price is and the range began with; the closes are the sparkline", () => {
  const { rows, rejected } = parse({ ZIM: chart("ZIM", [15, null, 16, 17, null]) });
  expect(rejected).toEqual([]);
  expect(rows.map(({ symbol }) => symbol)).toEqual(symbols);
  expect(rows[1]).toEqual({
    ...{ symbol: "ZIM", name: "ZIM Integrated Shipping", carrierType: "carrier" },
    ...{ price: 17.5, asOf: "2026-07-12T23:46:40.000Z", changePct: 6.25, sparkline: [15, 16, 17] },
  });
});

test("a price of unknown time has none", () => {
  expect(parse({ ZIM: chart("ZIM", [16, 17], { regularMarketTime: null }) }).rows[1]).toMatchObject({ asOf: "" });
});

test("the sample's prices are never of a weekend, and never of tomorrow", async () => {
  for (let day = 0; day < 14; day++) {
    const then = new Date(now.getTime() + day * 86_400_000);
    const upstream = sampleUpstream(yahooCarriers.name, () => then, 0);
    const { rows } = yahooCarriers.parse(await yahooCarriers.fetch(upstream), then);
    for (const { asOf = "" } of rows) {
      expect([1, 2, 3, 4, 5]).toContain(new Date(asOf).getUTCDay());
      expect(Date.parse(asOf)).toBeLessThan(then.getTime());
    }
  }
});

test("the last 30 closes are kept, oldest first", () => {
  const closes = Array.from({ length: 40 }, (_, day) => day + 1);
  expect(parse({ GNK: chart("GNK", closes) }).rows[4]?.sparkline).toEqual(closes.slice(-30));
});

test("a day without change is a change of 0", () => {
  expect(parse({ SBLK: chart("SBLK", [17, 17]) }).rows[3]?.changePct).toBe(0);
});

test.each([
  ["that is delisted", gone, /no chart/],
  ["with only one close", chart("ZIM", [null, 17]), /two closes/],
  ["without a close", chart("ZIM", []), /two closes/],
  ["in another currency", chart("ZIM", [16, 17], { currency: "NOK" }), /currency/],
  ["without a price", chart("ZIM", [16, 17], { regularMarketPrice: null }), /regularMarketPrice/],
  ["that is another", chart("ZIMV", [16, 17]), /symbol/],
])("a carrier %s is left out by name, and the others stay", (_what, response, reason) => {
  const { rows, rejected } = parse({ ZIM: response });
  expect(rows.map(({ symbol }) => symbol)).toEqual(["BDRY", "MATX", "SBLK", "GNK"]);
  expect(rejected).toEqual([{ row: "ZIM", reason: expect.stringMatching(reason) }]);
});

test.each([{ finance: {} }, "nothing", { chart: { result: "many", error: null } }])(
  "%j instead of a chart is a changed format",
  (response) => {
    expect(() => parse({ ZIM: response })).toThrow(UpstreamError);
  },
);

const upstreamOf = (json: Upstream["json"]): Upstream => ({ ...sampleUpstream("none", () => now), json });

test("a month of daily bars is asked of each symbol, by what looks like a browser and says who it is", async () => {
  const requested: UpstreamRequest[] = [];
  await yahooCarriers.fetch(upstreamOf(async (request) => requested.push(request)));
  expect(requested.map(({ url }) => url)).toEqual(
    symbols.map((symbol) => `https://query1.finance.yahoo.com/v8/finance/chart/${symbol}?interval=1d&range=1mo`),
  );
  expect(requested.every(({ likeBrowser }) => likeBrowser)).toBe(true);
});

test("one symbol that fails is the only missing one, and if all fail, the source is down", async () => {
  const failing = (fails: (url: string) => boolean) =>
    upstreamOf(async ({ url }) => {
      if (fails(url)) throw new UpstreamError("query1.finance.yahoo.com answered 404", { status: 404 });
      return chart(url.split("/").at(-1)?.split("?")[0] ?? "", [16, 17]);
    });
  const response = await yahooCarriers.fetch(failing((url) => url.includes("/GNK?")));
  expect(yahooCarriers.parse(response, now)).toMatchObject({
    rows: { length: 4 },
    rejected: [{ row: "GNK", reason: "query1.finance.yahoo.com answered 404" }],
  });
  await expect(yahooCarriers.fetch(failing(() => true))).rejects.toThrow(/404/);
});

test.each([401, 403, 429])("when it is turned away with %d no further symbol is asked", async (status) => {
  let requested = 0;
  const json = async () => {
    requested++;
    throw new UpstreamError(`query1.finance.yahoo.com answered ${status}`, { status });
  };
  await expect(yahooCarriers.fetch(upstreamOf(json))).rejects.toThrow(String(status));
  expect(requested).toBe(1);
});

test("the sample yields what it says, all valid", async () => {
  const { rows, rejected } = yahooCarriers.parse(
    await yahooCarriers.fetch(sampleUpstream("yahoo-carriers", () => now)),
    now,
  );
  expect([rows.length, rejected]).toEqual([sampleIndex("yahoo-carriers")?.rows, []]);
  expect(checkRows(ShippingCarrierSchema, rows).rejected).toEqual([]);
});
