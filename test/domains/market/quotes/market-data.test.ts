import { Response } from "undici";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { DatasetName } from "../../../../src/domains/index.ts";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, type TestAppOptions } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import {
  type MetalMarket,
  metalMarket,
  onMarket,
  openDay,
  resetMarket,
} from "../../../support/domains/metal-market.ts";

const path = "/api/market/v1/get-market-data";
const start = new Date("2026-11-18T08:00:00.000Z");
const minuteMs = 60_000;

interface Quote {
  readonly symbol: string;
  readonly changePct?: number;
}

interface Body {
  readonly cached_at?: string;
  readonly stale: boolean;
  readonly data: { readonly quotes: readonly Quote[] };
  readonly unavailable: boolean;
  readonly unavailableAssetClasses: readonly string[];
}

const shares = ["BDRY", "ZIM", "MATX", "SBLK", "GNK"];
const legs = ["GC=F", "SHAU", "SI=F", "SHAG"];

describeEachDatabase("GetMarketData", (openFresh) => {
  let database: Database;
  let market: MetalMarket;
  let app: TestApp;
  let now: Date;
  /** The last two closes of each share. A share with undefined closes has no response. */
  let closes: Record<string, readonly [number, number] | undefined>;

  const exchange = (): TestAppOptions => {
    const { environment, ...options } = onMarket(market, start);
    return {
      ...options,
      environment: { ...environment, IDS_SOURCE_YAHOO_CARRIERS: "on" },
      outside: {
        ...options.outside,
        async transport(url, request) {
          const symbol = new URL(url).pathname.split("/").at(-1) ?? "";
          if (!(symbol in closes)) return market.transport(url, request);
          const close = closes[symbol];
          if (!close) return new Response("", { status: 503 });
          const meta = { symbol, currency: "USD", regularMarketPrice: close[1], regularMarketTime: 1_794_949_200 };
          return Response.json({ chart: { result: [{ meta, indicators: { quote: [{ close }] } }], error: null } });
        },
      },
    };
  };
  beforeAll(async () => {
    database = await openFresh();
    market = metalMarket(start);
    closes = {};
    app = await startApp(database, exchange());
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.query("truncate source, metal_current, metal_premium");
    resetMarket(market, start);
    closes = Object.fromEntries(shares.map((symbol) => [symbol, [100, 98] as const]));
    now = start;
    app.setTime(now);
  });
  const read = (query = "") => app.json<Body>(`${path}?${query}`);
  const symbols = async (query = "") => (await read(query)).data.quotes.map(({ symbol }) => symbol);
  const later = (minutes: number) => {
    now = new Date(now.getTime() + minutes * minuteMs);
    app.setTime(now);
  };
  const refresh = async (...names: DatasetName[]) => {
    for (const name of names) await app.refresh(name);
  };
  const refreshAll = () => refresh("shipping-stress", "metal-premiums");

  // First, for what a process once served stays.
  test("before the first refresh every class is unavailable, and nothing is kept", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      ...{ stale: true, data: { quotes: [] }, unavailable: true },
      unavailableAssetClasses: ["equity", "etf", "commodity"],
    });
  });

  test("with only the shares, the metals are named as unavailable, and the whole has no age", async () => {
    await refresh("shipping-stress");
    const body = await read();
    expect(body.data.quotes.map(({ symbol }) => symbol)).toEqual(shares);
    expect(body).not.toHaveProperty("cached_at");
    expect(body).toMatchObject({ stale: true, unavailable: true, unavailableAssetClasses: ["commodity"] });
    expect(await read("asset_class=equity,etf")).toMatchObject({
      ...{ cached_at: start.toISOString(), stale: false, unavailable: false, unavailableAssetClasses: [] },
    });
  });

  test("shares come as what they are, metals with both their prices and what these are for", async () => {
    await refreshAll();
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBeNull();
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({ cached_at: start.toISOString(), stale: false, unavailable: false });
    expect(body.data.quotes.map(({ symbol }) => symbol)).toEqual([...shares, ...legs]);
    // The close of the evening before, whenever it is read.
    const share = { price: 98, currency: "USD", changePct: -2, asOf: "2026-11-17T21:00:00.000Z" };
    const future = { assetClass: "commodity", currency: "USD", unit: "troy ounce", asOf: "2026-11-18T07:00:00.000Z" };
    const print = { assetClass: "commodity", currency: "CNY", asOf: "2026-11-18" };
    expect(body.data.quotes.filter(({ symbol }) => !["MATX", "SBLK", "GNK"].includes(symbol))).toEqual([
      { symbol: "BDRY", name: "Breakwave Dry Bulk ETF", assetClass: "etf", ...share },
      { symbol: "ZIM", name: "ZIM Integrated Shipping", assetClass: "equity", ...share },
      { symbol: "GC=F", name: "Gold future, COMEX", price: 3400, ...future },
      { symbol: "SHAU", name: "Gold benchmark, Shanghai Gold Exchange", price: 800, unit: "gram", ...print },
      { symbol: "SI=F", name: "Silver future, COMEX", price: 38.5, ...future },
      { symbol: "SHAG", name: "Silver benchmark, Shanghai Gold Exchange", price: 9500, unit: "kilogram", ...print },
    ]);
  });

  test("symbols and asset_class choose, in any case, repeated or with commas, and both hold together", async () => {
    await refreshAll();
    for (const [query, chosen] of [
      ["symbols=zim", ["ZIM"]],
      ["symbols=gc%3Df,%20Zim&symbols=GNK&symbols=zim", ["ZIM", "GNK", "GC=F"]],
      ["symbols=GC=F", ["GC=F"]],
      ["symbols=NONE,zim", ["ZIM"]],
      ["asset_class=etf", ["BDRY"]],
      ["asset_class=EQUITY", ["ZIM", "MATX", "SBLK", "GNK"]],
      ["asset_class=commodity,etf", ["BDRY", ...legs]],
      ["assetClass=etf&asset_class=commodity", ["BDRY", ...legs]],
      ["asset_class=equity&symbols=ZIM,BDRY,GC=F", ["ZIM"]],
      ["asset_class=&symbols=", [...shares, ...legs]],
    ] as const)
      expect(await symbols(query), query).toEqual(chosen);
    expect(await read("symbols=NONE")).toMatchObject({ data: { quotes: [] }, unavailable: false });
  });

  test("a class without data is an empty list that says so, next to classes with data", async () => {
    await refreshAll();
    const body = await read("asset_class=sentiment,crypto,sentiment");
    expect(body).toEqual({
      ...{ stale: true, data: { quotes: [] }, unavailable: true },
      unavailableAssetClasses: ["sentiment", "crypto"],
    });
    expect(await read("asset_class=gulf,etf,sectors")).toMatchObject({
      ...{ cached_at: start.toISOString(), stale: false, data: { quotes: [{ symbol: "BDRY" }] } },
      ...{ unavailable: true, unavailableAssetClasses: ["gulf", "sectors"] },
    });
  });

  test("limit cuts after the filters; 0 and what is absent cut nothing of nine", async () => {
    await refreshAll();
    expect(await symbols("limit=2")).toEqual(["BDRY", "ZIM"]);
    expect(await symbols("limit=1&asset_class=commodity")).toEqual(["GC=F"]);
    expect(await symbols("limit=0")).toEqual([...shares, ...legs]);
    expect(await symbols()).toEqual([...shares, ...legs]);
    expect(await read("limit=1&asset_class=equity,commodity")).toMatchObject({ unavailable: false });
  });

  test("the first 30 of more symbols are returned, and all with 0, and an index of freight rates is not a quote", async () => {
    await refresh("shipping-stress");
    await database.query(`
      update snapshot set body = jsonb_set(body, '{carriers}', (
        select jsonb_agg(body->'carriers'->1 || jsonb_build_object('symbol', 'S' || place,
          'carrierType', case when place = 1 then 'index' else 'carrier' end) order by place)
        from generate_series(1, 36) as place))
      where type = 'ids.supply_chain.v1.GetShippingStressResponse'`);
    await using many = await startApp(database, exchange());
    const reported = async (query: string) =>
      (await many.json<Body>(`${path}?${query}`)).data.quotes.map(({ symbol }) => symbol);
    const numbered = (last: number) => Array.from({ length: last - 1 }, (_, place) => `S${place + 2}`);
    expect(await reported("")).toEqual(numbered(31));
    expect(await reported("limit=0")).toEqual(numbered(36));
    expect(await reported("limit=34")).toEqual(numbered(35));
  });

  test.each([
    ["limit=-1", "limit"],
    ["limit=all", "limit"],
    ["asset_class=bonds", "asset_class[0]"],
    ["asset_class=equity,index", "asset_class[1]"],
    [`symbols=${"X".repeat(33)}`, "symbols[0]"],
    [`symbols=${Array.from({ length: 101 }, (_, place) => `S${place}`).join()}`, "symbols"],
    ["summary=perhaps", "summary"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });

  test("a measured change of zero is returned as 0, and an unmeasured one is absent", async () => {
    closes = { ...closes, ZIM: [98, 98] };
    await refreshAll();
    const [share, metal] = (await read("symbols=ZIM,GC=F")).data.quotes;
    expect(share).toHaveProperty("changePct", 0);
    expect(metal).not.toHaveProperty("changePct");
  });

  test("a summary has only the symbol, the price, and the measured change", async () => {
    await refreshAll();
    expect((await read("summary=true&symbols=ZIM,SHAG")).data.quotes).toEqual([
      { symbol: "ZIM", price: 98, changePct: -2 },
      { symbol: "SHAG", price: 9500 },
    ]);
  });

  test("the age is that of the oldest source, and shares that are overdue make the whole stale", async () => {
    await refresh("metal-premiums");
    later(30);
    await refresh("shipping-stress");
    expect(await read()).toMatchObject({ cached_at: start.toISOString(), stale: false });
    const readAt = now.toISOString();
    later(45);
    expect(await read("asset_class=etf")).toMatchObject({ cached_at: readAt, stale: false });
    later(1 / 60);
    expect(await read("asset_class=etf")).toMatchObject({ cached_at: readAt, stale: true, unavailable: false });
    expect(await read()).toMatchObject({ cached_at: start.toISOString(), stale: true });
    expect(await read("asset_class=commodity")).toMatchObject({ stale: false });
  });

  test.each(["sge", "yahoo"] as const)(
    "a source of metals that is down (%s) makes them stale after 3 days, and they stay",
    async (host) => {
      await refresh("metal-premiums");
      market.down.add(host);
      later(3 * 24 * 60);
      openDay(market, now);
      await refresh("metal-premiums");
      expect(await read("asset_class=commodity")).toMatchObject({ cached_at: start.toISOString(), stale: false });
      later(1 / 60);
      const body = await read("asset_class=commodity");
      expect(body).toMatchObject({ cached_at: start.toISOString(), stale: true, unavailable: false });
      expect(body.data.quotes).toHaveLength(4);
    },
  );

  test("a price of unknown time is returned without one", async () => {
    market.futures = { ...market.futures, "SI=F": { price: 38.5, at: null } };
    await refresh("metal-premiums");
    const [quote] = (await read("symbols=SI=F")).data.quotes;
    expect(quote).toMatchObject({ price: 38.5 });
    expect(quote).not.toHaveProperty("asOf");
  });

  test("a share without data is left out, and its class is there all the same", async () => {
    closes = { ...closes, ZIM: undefined };
    await refresh("shipping-stress");
    expect(await symbols("asset_class=equity")).toEqual(["MATX", "SBLK", "GNK"]);
    expect(await read("asset_class=equity&symbols=ZIM")).toMatchObject({ data: { quotes: [] }, unavailable: false });
  });

  test("any key may ask, none may not", async () => {
    expect((await app.get(path, { key: null })).status).toBe(401);
    expect((await app.get(path, { key: await app.key("free") })).status).toBe(200);
  });

  test("quotes of the samples are labelled, and a projection finds its way in", async () => {
    await using sample = await startApp(await openFresh());
    for (const name of ["shipping-stress", "metal-premiums"] as const) await sample.refresh(name);
    const found = await sample.get(`${path}?jmespath=[length(data.quotes),stale,unavailable]`);
    expect(found.headers.get("x-data-origin")).toBe("sample");
    expect(await found.json()).toEqual([9, false, false]);
  });

  // Closes the database, so it comes last.
  test("while the store is unreachable, shares are served from memory, and metals are a 503 instead of an empty list", async () => {
    await refreshAll();
    expect(await read()).toMatchObject({ unavailable: false });
    await database.close();
    expect(await symbols("asset_class=etf")).toEqual(["BDRY"]);
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(await response.json()).toEqual({ message: expect.any(String) });
  });
});
