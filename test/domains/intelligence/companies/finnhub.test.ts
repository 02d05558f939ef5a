import { existsSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import {
  fetchEarnings,
  fetchProfile,
  parseEarnings,
  parseProfile,
} from "../../../../src/domains/intelligence/companies/finnhub.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import { startLoopback } from "../../../upstream/loopback.ts";

const folder = new URL("../../../../../shared/upstream/finnhub/", import.meta.url);
const captured = (name: string) => JSON.parse(readFileSync(new URL(name, folder), "utf8"));

const profile = {
  ...{ name: "Acme Corp", exchange: "NEW YORK STOCK EXCHANGE, INC.", finnhubIndustry: "Machinery", ticker: "ACM" },
  ...{ marketCapitalization: 1234.5, ipo: "1999-01-22", logo: "https://static.example/acm.png", country: "US" },
  ...{ currency: "USD", weburl: "https://www.acme.example/" },
};
const quarter = {
  ...{ actual: 1.4, estimate: 1.25, period: "2026-06-30", quarter: 2, year: 2026 },
  ...{ surprise: 0.15, surprisePercent: 12, symbol: "ACM" },
};

test("a profile becomes the market profile and the company's website", () => {
  expect(parseProfile(profile)).toEqual({
    market: {
      ...{ exchange: "NEW YORK STOCK EXCHANGE, INC.", industry: "Machinery", marketCapMusd: 1234.5 },
      ...{ ipoDate: "1999-01-22", logoUrl: "https://static.example/acm.png", country: "US", currency: "USD" },
    },
    website: "https://www.acme.example/",
  });
});

test.each([
  ["in another currency", { currency: "TWD" }],
  ["that is missing", { marketCapitalization: null }],
])("a capitalization %s is absent, and not 0 dollars", (_what, over) => {
  expect(parseProfile({ ...profile, ...over })?.market).not.toHaveProperty("marketCapMusd");
});

test("a capitalization of 0 is a value", () => {
  expect(parseProfile({ ...profile, marketCapitalization: 0 })?.market.marketCapMusd).toBe(0);
});

test.each(["javascript:alert(1)", "https://user:pw@acme.example/", "acme", "ftp://acme.example/", ""])(
  "the address %j is not returned",
  (address) => {
    const read = parseProfile({ ...profile, weburl: address, logo: address });
    expect([read?.website, read?.market.logoUrl]).toEqual(["", ""]);
  },
);

test("an empty object is a ticker that Finnhub does not know, and anything else without a profile throws", () => {
  expect(parseProfile({})).toBeUndefined();
  for (const response of [[], null, "x", { error: "You don't have access to this resource." }])
    expect(() => parseProfile(response)).toThrow(UpstreamError);
});

test("quarters come newest first, and at most eight", () => {
  const rows = Array.from({ length: 10 }, (_, i) => ({ ...quarter, period: `20${16 + i}-06-30`, year: 2016 + i }));
  expect(parseEarnings(rows).map(({ year }) => year)).toEqual([2025, 2024, 2023, 2022, 2021, 2020, 2019, 2018]);
});

test.each([
  ["without a result", { actual: null }],
  ["without an estimate", { estimate: null }],
  ["without a day", { period: "" }],
])("a quarter %s is left out", (_what, over) => {
  expect(parseEarnings([{ ...quarter, ...over }])).toEqual([]);
});

test("a missing surprise is computed, and never divided by an estimate of 0", () => {
  const missing = { surprise: null, surprisePercent: null };
  expect(parseEarnings([{ ...quarter, ...missing }])[0]).toMatchObject({ surprise: 0.15, surprisePercent: 12 });
  const loss = { ...quarter, ...missing, estimate: -0.5, actual: -0.75 };
  expect(parseEarnings([loss])[0]).toMatchObject({ surprise: -0.25, surprisePercent: -50 });
  expect(parseEarnings([{ ...quarter, ...missing, estimate: 0 }])[0]).toMatchObject({
    surprise: 1.4,
    surprisePercent: 0,
  });
});

test("a result of exactly 0 is one", () => {
  expect(parseEarnings([{ ...quarter, actual: 0, estimate: 0 }])[0]).toMatchObject({ actualEps: 0, estimateEps: 0 });
});

test.each([
  ["a name changed", { actual: undefined, actualEps: 1.4 }],
  ["a number became text", { actual: "1.4" }],
  ["the quarter is gone", { quarter: undefined }],
])("quarters of which %s in all throw, in some are left out", (_what, over) => {
  const changed = { ...quarter, ...over };
  expect(() => parseEarnings([changed, changed])).toThrow(UpstreamError);
  expect(() => parseEarnings([changed, { ...quarter, actual: null }])).toThrow(UpstreamError);
  expect(parseEarnings([changed, quarter])).toHaveLength(1);
});

test.each([[{}], [{ error: "limit reached" }], [null], ["<html>"]])(
  "instead of a list of quarters %j throws",
  (response) => {
    expect(() => parseEarnings(response)).toThrow(UpstreamError);
  },
);

test("the key travels in a header, and classes of shares are asked for with a point", async () => {
  const urls: string[] = [];
  await using outside = await startLoopback([(_request, response) => response.end("{}")], {
    variable: () => "secret",
  });
  const upstream = {
    ...outside.upstream,
    json: (request: { url: string }) => {
      urls.push(request.url);
      return outside.upstream.json(request);
    },
  };
  await fetchProfile(upstream, "BRK-B", {});
  expect(urls).toEqual(["https://finnhub.io/api/v1/stock/profile2?symbol=BRK.B"]);
  expect(outside.requests[0]?.headers["x-finnhub-token"]).toBe("secret");
});

test("the sample knows what it says, is silent of the rest, and its quarters move with the calendar as a whole", async () => {
  const upstream = sampleUpstream("finnhub", () => new Date("2028-02-20T00:00:00Z"));
  const newest = (await fetchEarnings(upstream, "FJLV", {}))[0];
  expect(newest).toMatchObject({ period: "2027-12-31", year: 2027, quarter: 4 });
  expect((await fetchProfile(upstream, "FJLV", {}))?.market).toMatchObject({ ipoDate: "2003-05-21", currency: "USD" });
  expect((await fetchProfile(upstream, "FWMC", {}))?.market).not.toHaveProperty("marketCapMusd");
  expect([await fetchProfile(upstream, "KO", {}), await fetchEarnings(upstream, "KO", {})]).toEqual([undefined, []]);
});

test.skipIf(!existsSync(folder))("the vendor's own samples pass whole", () => {
  expect(parseProfile(captured("stock-profile2-AAPL-vendor-doc.json"))?.market).toMatchObject({
    ...{ marketCapMusd: 1415993, ipoDate: "1980-12-12", country: "US", industry: "Technology" },
  });
  const quarters = parseEarnings(captured("stock-earnings-AAPL-vendor-doc.json"));
  expect(quarters.map(({ period, surprise }) => [period, surprise])).toEqual([
    ["2023-03-31", -0.0944],
    ["2022-12-31", -0.0057],
    ["2022-09-30", 0.0145],
  ]);
});
