import { expect, test } from "vitest";
import { countriesOf, readImports } from "../../../../src/domains/supply-chain/imports/comtrade.ts";
import { unComtrade, unComtradePreview } from "../../../../src/domains/supply-chain/imports/un-comtrade.ts";
import { UpstreamError } from "../../../../src/egress/upstream-error.ts";
import { recordsOf } from "../../../../src/providers/comtrade/comtrade.ts";
import { partnerIso2, reporters } from "../../../../src/providers/comtrade/comtrade-codes.ts";
import { sampleIndex, sampleUpstream } from "../../../../src/upstream/sample/sample.ts";
import type { Upstream, UpstreamRequest } from "../../../../src/upstream/upstream.ts";

const now = new Date("2026-11-18T12:00:00Z");

/** A whole record, as Türkiye might report it. */
const record = (over: object = {}) => ({
  ...{ typeCode: "C", freqCode: "A", refPeriodId: 20240101, refYear: 2024, refMonth: 52, period: "2024" },
  ...{ reporterCode: 792, reporterISO: "TUR", reporterDesc: "Türkiye", flowCode: "M", flowDesc: "Import" },
  ...{ partnerCode: 643, partnerISO: "RUS", partnerDesc: "Russian Federation", partner2Code: 0, partner2ISO: "W00" },
  ...{
    partner2Desc: "World",
    classificationCode: "H6",
    classificationSearchCode: "HS",
    isOriginalClassification: true,
  },
  ...{ cmdCode: "2709", cmdDesc: "Crude", aggrLevel: 4, isLeaf: false, customsCode: "C00", mosCode: "0", motCode: 0 },
  ...{ motDesc: "TOTAL MOT", qtyUnitCode: 8, qty: 31e9, netWgt: 31e9, grossWgt: 0, cifvalue: 15.2e9, fobvalue: null },
  ...{ primaryValue: 15.2e9, legacyEstimationFlag: 0, isReported: true, isAggregate: true },
  ...over,
});
const envelope = (data: readonly object[], over: object = {}) => ({
  ...{ elapsedTime: "0.42 secs", count: data.length, data, error: "", ...over },
});
const read = (...overs: readonly object[]) => readImports(792, overs.map(record));
const row = (iso2: string) => ({ iso2, reported: { case: "imports", value: expect.anything() } });

interface Requested {
  readonly requests: UpstreamRequest[];
  readonly pauses: number[];
}

function upstreamOf(
  response: (url: URL, count: number) => unknown,
  variables: Record<string, string> = {},
): Upstream & Requested {
  const requests: UpstreamRequest[] = [];
  const pauses: number[] = [];
  return {
    ...{ requests, pauses, origin: "live", now },
    variable: (name, fallback) => variables[name] ?? fallback ?? "",
    text: () => Promise.reject(new Error("not asked")),
    json: async (request) => {
      requests.push(request);
      return response(new URL(request.url), requests.length);
    },
    pause: async (milliseconds) => {
      pauses.push(milliseconds);
    },
  };
}

test("a heading is the sum over its partners, with the five largest of them", () => {
  const partners = [643, 682, 368, 398, 566, 826].map((partnerCode, place) => ({
    partnerCode,
    primaryValue: (6 - place) * 10,
  }));
  const { products, rejected } = read(...partners, { partnerCode: 0, primaryValue: 210 });
  expect(rejected).toEqual([]);
  expect(products).toEqual([
    {
      ...{ hs4: "2709", description: "Crude oil", totalValue: 210, year: 2024 },
      topExporters: [
        { partnerCode: 643, partnerIso2: "RU", value: 60, share: 0.286 },
        { partnerCode: 682, partnerIso2: "SA", value: 50, share: 0.238 },
        { partnerCode: 368, partnerIso2: "IQ", value: 40, share: 0.19 },
        { partnerCode: 398, partnerIso2: "KZ", value: 30, share: 0.143 },
        { partnerCode: 566, partnerIso2: "NG", value: 20, share: 0.095 },
      ],
    },
  ]);
});

test.each([
  ["the world", { partnerCode: 0 }],
  ["the reporter itself", { partnerCode: 792 }],
  ["a part by transport", { motCode: 2100 }],
  ["a part by customs procedure", { customsCode: "C04" }],
  ["a part by second partner", { partner2Code: 276 }],
])("%s does not count twice", (_title, over) => {
  expect(read({}, { partnerCode: 682, ...over }).products[0]?.totalValue).toBe(15.2e9);
});

test("a duplicate partner counts once, and is named", () => {
  const { products, rejected } = read({}, {});
  expect(products[0]?.totalValue).toBe(15.2e9);
  expect(rejected).toEqual([{ row: "792 #1", reason: "2024 643 occurs twice" }]);
});

test("of several years the newest of each heading counts", () => {
  const { products } = read(
    { refYear: 2022 },
    { refYear: 2023, primaryValue: 7 },
    { cmdCode: 203, refYear: 2021, primaryValue: 5 },
  );
  expect(products.map(({ hs4, year, totalValue }) => [hs4, year, totalValue])).toEqual([
    ["2709", 2023, 7],
    ["0203", 2021, 5],
  ]);
});

test("a heading of which nothing was imported is none", () => {
  expect(read({ primaryValue: 0 }).products).toEqual([]);
});

test("records of another shape, heading, flow or reporter are left out and named", () => {
  const { products, rejected } = read(
    { primaryValue: null },
    { cmdCode: "9999" },
    { flowCode: "X" },
    { reporterCode: 276 },
  );
  expect(products).toEqual([]);
  expect(rejected.map((one) => one.row)).toEqual(["792 #0", "792 #1", "792 #2", "792 #3"]);
});

test.each([
  ["an error as a 200", envelope([], { error: "Invalid subscription" })],
  ["fewer rows than counted", envelope([record()], { count: 2 })],
  ["another format", { rows: [] }],
])("%s is a failure of the upstream", (_title, body) => {
  expect(() => recordsOf(body)).toThrow(UpstreamError);
});

test("Comtrade's own codes and the UN's become alpha-2, and areas are not countries", () => {
  expect([757, 251, 699, 381, 579, 490, 842, 643, 36].map(partnerIso2)).toEqual([
    ...["CH", "FR", "IN", "IT", "NO", "TW", "US", "RU", "AU"],
  ]);
  expect([899, 568, 0, 97].map(partnerIso2)).toEqual(["", "", "", ""]);
  expect(reporters.size).toBe(196);
  expect(
    ["CH", "FR", "IN", "IT", "NO", "TW", "US"].map((iso2) => [...reporters].find(([, code]) => code === iso2)?.[0]),
  ).toEqual([...[757, 251, 699, 381, 579, 490, 842]]);
});

test("with a key every country is asked for once, four years in one call, and the key is not in the address", async () => {
  const upstream = upstreamOf(
    (url) => envelope([record({ reporterCode: Number(url.searchParams.get("reporterCode")), partnerCode: 4 })]),
    {
      COMTRADE_API_KEY: "secret",
    },
  );
  const { rows } = unComtrade.parse(await unComtrade.fetch(upstream), now);
  expect(upstream.requests).toHaveLength(196);
  expect(unComtrade.pace).toEqual({ spacingMs: 1_500 });
  const [request] = upstream.requests;
  expect(request?.headers).toEqual({ "Ocp-Apim-Subscription-Key": "secret" });
  expect(request?.url).not.toContain("secret");
  expect(new URL(request!.url).searchParams.get("period")).toBe("2024,2023,2022,2021");
  expect(new URL(request!.url).searchParams.get("cmdCode")?.split(",")).toHaveLength(36);
  // Afghanistan's code is the partner's too: it does not import from itself.
  expect(rows).toHaveLength(195);
  expect(rows[0]).toEqual(row("BE"));
});

test("the budget of calls is the operator's", async () => {
  const upstream = upstreamOf(() => envelope([]), { COMTRADE_CALLS: "7" });
  await unComtrade.fetch(upstream);
  expect(upstream.requests).toHaveLength(7);
});

test("an overload is retried once, a broken server twice with pauses, and five failures in a row stop the requests", async () => {
  const overloaded = upstreamOf(() => Promise.reject(new UpstreamError("answered 429", { status: 429 })));
  await expect(unComtrade.fetch(overloaded)).rejects.toThrow("answered 429");
  // The client waits until the host may be asked again.
  expect(overloaded.pauses).toEqual([]);
  expect(overloaded.requests).toHaveLength(10);
  const broken = upstreamOf(
    (_url, count) => (count < 3 ? Promise.reject(new UpstreamError("500", { status: 500 })) : envelope([])),
    {
      COMTRADE_CALLS: "1",
    },
  );
  await unComtrade.fetch(broken);
  expect(broken.pauses).toEqual([5_000, 15_000]);
});

test("a country without a response is missing, and the others continue", () => {
  const products = [{ hs4: "2709" }];
  const { rows, missing } = countriesOf(
    [
      { reporter: 792, imports: { products, rejected: [] } },
      { reporter: 276, failure: "answered 500" },
      { reporter: 826, imports: { products: [], rejected: [] } },
    ],
    now,
  );
  expect(rows).toEqual([row("TR")]);
  expect(missing).toEqual([{ part: "DE", reason: "answered 500" }]);
});

test("imports on record stay for 400 days", () => {
  const [one] = countriesOf([{ reporter: 792, imports: { products: [{ hs4: "2709" }], rejected: [] } }], now).rows;
  const { key, retains } = unComtrade.remember!;
  expect(key(one!)).toBe("TR");
  expect(retains(one!, new Date(now.getTime() + 399 * 86_400_000))).toBe(true);
  expect(retains(one!, new Date(now.getTime() + 400 * 86_400_000))).toBe(false);
});

test("the preview is not used if there is a key", async () => {
  const upstream = upstreamOf(() => envelope([]), { COMTRADE_API_KEY: "secret" });
  expect(await unComtradePreview.fetch(upstream)).toEqual([]);
  expect(upstream.requests).toEqual([]);
});

test("without a key nine days ask for every country once, one year and four headings at a time", async () => {
  const requested = new Set<string>();
  for (let day = 0; day < 9; day++) {
    const upstream = { ...upstreamOf(() => envelope([])), now: new Date(now.getTime() + day * 86_400_000) };
    await unComtradePreview.fetch(upstream);
    const reportersRequested = upstream.requests.map(({ url }) => new URL(url).searchParams.get("reporterCode") ?? "");
    expect(upstream.requests.length).toBeLessThanOrEqual(9 * 22);
    for (const { url } of upstream.requests) expect(new URL(url).searchParams.get("period")).toBe("2024");
    for (const reporter of new Set(reportersRequested)) {
      expect(requested.has(reporter)).toBe(false);
      requested.add(reporter);
    }
  }
  expect(requested.size).toBe(196);
});

test("a full answer of the preview may be cut off, so that its headings are asked for in halves", async () => {
  const full = Array.from({ length: 500 }, () => record());
  const upstream = upstreamOf((_url, count) => envelope(count === 1 ? full : []));
  await unComtradePreview.fetch(upstream);
  const headings = upstream.requests.slice(0, 3).map(({ url }) => new URL(url).searchParams.get("cmdCode"));
  expect(headings).toEqual(["8542,8703,2709,2711", "8542,8703", "2709,2711"]);
});

test("the sample yields the imports of at least 120 countries, in most headings, each newest year only", async () => {
  const upstream = sampleUpstream("un-comtrade", () => now);
  const { rows, rejected } = unComtrade.parse(await unComtrade.fetch(upstream), now);
  expect(rejected).toEqual([]);
  expect(rows).toHaveLength(sampleIndex("un-comtrade")!.rows);
  expect(rows.length).toBeGreaterThanOrEqual(120);
  const products = rows.flatMap(({ reported }) =>
    reported?.case === "imports" ? (reported.value.products ?? []) : [],
  );
  expect(new Set(products.map(({ hs4 }) => hs4)).size).toBe(36);
  expect(products.length / rows.length).toBeGreaterThan(20);
});
