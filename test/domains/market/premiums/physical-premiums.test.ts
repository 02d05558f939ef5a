import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import {
  dayOf,
  type MetalMarket,
  metalMarket,
  onMarket,
  openDay,
  resetMarket,
} from "../../../support/domains/metal-market.ts";

const path = "/api/market/v1/get-physical-premiums";
/** A Wednesday, on which the day's refresh runs. */
const start = new Date("2026-11-18T08:00:00.000Z");
const nothing = { premiums: [], available: false };

interface Body {
  readonly premiums: readonly { readonly metal: string; readonly premiumPct: number; readonly computedAt: string }[];
  readonly fx?: { readonly rate: number; readonly asOf: string };
  readonly available: boolean;
}

describeEachDatabase("GetPhysicalPremiums", (openFresh) => {
  let database: Database;
  let market: MetalMarket;
  let app: TestApp;
  let now: Date;
  beforeAll(async () => {
    database = await openFresh();
    market = metalMarket(start);
    app = await startApp(database, onMarket(market, start));
  });
  afterAll(() => app[Symbol.asyncDispose]());
  beforeEach(async () => {
    await database.query("truncate source, metal_current, metal_premium");
    resetMarket(market, start);
    now = start;
    app.setTime(now);
  });
  const read = (query = "") => app.json<Body>(`${path}?${query}`);
  const later = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
    app.setTime(now);
  };
  const refresh = () => app.refresh("metal-premiums");

  test("before the first refresh it says that nothing is available", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual(nothing);
  });

  test("after a refresh both premiums are there, gold first, with every price behind them", async () => {
    await refresh();
    const response = await app.get(path);
    expect([response.headers.get("cache-control"), response.headers.get("x-data-origin")]).toEqual(["no-store", null]);
    const leg = (contract: string, price: number, unit: string) => ({
      ...{ price, currency: "CNY", unit, asOf: "2026-11-18" },
      source: `Shanghai Gold Exchange ${contract} PM benchmark`,
    });
    const paper = (future: string, price: number) => ({
      ...{ price, currency: "USD", unit: "troy ounce", asOf: "2026-11-18T07:00:00.000Z" },
      source: `COMEX ${future} futures snapshot`,
    });
    const computedAt = start.toISOString();
    expect(await response.json()).toEqual({
      premiums: [
        {
          ...{ metal: "gold", premiumUsdPerOz: 83.5894, premiumPct: 2.4585, computedAt },
          ...{ physical: leg("SHAU", 800, "gram"), paper: paper("GC=F", 3400) },
        },
        {
          ...{ metal: "silver", premiumUsdPerOz: 2.8676, premiumPct: 7.4484, computedAt },
          ...{ physical: leg("SHAG", 9500, "kilogram"), paper: paper("SI=F", 38.5) },
        },
      ],
      fx: {
        ...{ pair: "CNY/USD", rate: 0.14, asOf: "2026-11-17T14:15:00.000Z" },
        source: "European Central Bank euro reference rates",
      },
      available: true,
    });
  });

  test("metals chooses, in any case and order, repeated or with commas; the exchange rate stays whole", async () => {
    await refresh();
    const { fx } = await read();
    for (const [query, chosen] of [
      ["metals=silver", ["silver"]],
      ["metals=%20Gold%20", ["gold"]],
      ["metals=SILVER,gold,silver", ["gold", "silver"]],
      ["metals=silver&metals=gold&metals=gold", ["gold", "silver"]],
      ["metals=", ["gold", "silver"]],
      ["metals=gold,", ["gold"]],
    ] as const) {
      const body = await read(query);
      expect(body.premiums.map(({ metal }) => metal)).toEqual(chosen);
      expect(body.fx).toEqual(fx);
    }
  });

  test.each(["metals=platinum", "metals=gold,tin", "metals=gold&metals=xau&metals=silver", "metals=g%C3%B6ld"])(
    "%s is refused with the parameter's name, before anything is read",
    async (query) => {
      expect(await app.rejected(`${path}?${query}`)).toEqual(["metals"]);
    },
  );

  test("a premium of exactly nothing is a premium, and not a missing one", async () => {
    market.futures = { ...market.futures, "GC=F": { ...market.futures["GC=F"], price: 3483.589402 } };
    await refresh();
    const { premiums, available } = await read();
    expect(available).toBe(true);
    expect(premiums[0]).toMatchObject({ metal: "gold", premiumPct: 0, premiumUsdPerOz: 0 });
  });

  test("in the week of a holiday the last print is valid for 10 days, against each day's other prices", async () => {
    await refresh();
    const print = market.prints;
    for (let day = 1; day <= 10; day++) {
      later(24);
      openDay(market, now);
      market.prints = print;
      await refresh();
      expect(await read()).toMatchObject({
        premiums: [{ physical: { asOf: "2026-11-18" }, computedAt: now.toISOString() }, {}],
      });
    }
    // Midnight in Shanghai.
    later(8 - 1 / 3_600_000);
    expect((await read()).available).toBe(true);
    later(1 / 3_600_000);
    expect(await read()).toEqual(nothing);
  });

  test("when every source is down the last premiums stay for 3 days, and then nothing is available", async () => {
    await refresh();
    for (const host of ["sge", "yahoo", "ecb"] as const) market.down.add(host);
    const before = await read();
    for (const hours of [24, 24, 24]) {
      later(hours);
      expect((await refresh()).generation).toBeUndefined();
      expect(await read()).toEqual(before);
    }
    later(1 / 3_600_000);
    expect(await read()).toEqual(nothing);
    market.down.clear();
    openDay(market, now);
    await refresh();
    expect((await read()).available).toBe(true);
  });

  describe.each([
    // 07:00 on Wednesday and 36 hours; 14:15 on Tuesday and 60 hours that are not of a weekend.
    ["yahoo", 35],
    ["ecb", 60 - 17.75],
  ] as const)("if only %s is down", (host, hours) => {
    test(`its last price is valid for ${hours} hours, and then no premium is available`, async () => {
      await refresh();
      market.down.add(host);
      later(hours);
      openDay(market, now);
      expect((await refresh()).sources.filter(({ state }) => state !== "ok")).toHaveLength(1);
      expect(await read()).toMatchObject({ available: true, premiums: [{ computedAt: now.toISOString() }, {}] });
      later(1 / 3_600);
      await refresh();
      expect(await read()).toEqual(nothing);
    });
  });

  test("a price of unknown time is not reliable", async () => {
    market.futures = { ...market.futures, "SI=F": { price: 38.5, at: null } };
    expect(await refresh()).toHaveProperty("generation");
    expect(await read()).toEqual(nothing);
    expect(await read("metals=gold")).toEqual(nothing);
  });

  test("without the operator's word Shanghai is not asked, and nothing is available", async () => {
    const { IDS_SGE: _, ...environment } = onMarket(market, start).environment ?? {};
    await using other = await startApp(database, { ...onMarket(market, start), environment });
    expect((await other.refresh("metal-premiums")).sources[0]).toMatchObject({ detail: "not set: IDS_SGE=on" });
    expect(await other.json(path)).toEqual(nothing);
    expect((await other.condition("metal-premiums")).sources[0]).toMatchObject({
      ...{ name: "sge", state: "unconfigured", missingVariables: ["IDS_SGE"] },
    });
  });

  test.each([
    [
      "is not what its prices make",
      "update metal_current set premium_pct = premium_pct + 0.0002 where metal = 'silver'",
    ],
    ["is of other rules", "update metal_current set methodology = 'physical-divergence-v3'"],
    ["is there of one metal only", "delete from metal_current where metal = 'gold'"],
    ["was computed after now", "update metal_current set computed_at = computed_at + interval '1 second'"],
  ])("a stored premium that %s is not served", async (_what, statement) => {
    await refresh();
    await database.query(statement);
    expect(await read()).toEqual(nothing);
  });

  test("a call without a key is rejected, a free account learns where to upgrade, and a pro account is served", async () => {
    await refresh();
    expect((await app.get(path, { key: null })).status).toBe(401);
    const rejected = await app.get(path, { key: await app.key("free") });
    expect(rejected.status).toBe(403);
    expect(await rejected.json()).toEqual({
      error: {
        message: "Upgrade required",
        data: {
          ...{ reason: "upgrade-required", upgradeUrl: expect.any(String) },
          ...{ requiredTier: 1, currentTier: 0, planKey: "free" },
        },
      },
    });
    expect((await app.get(path, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  test("of each print one premium is kept, with the newest prices, and no more than 750 of a metal", async () => {
    await database.query(`
      insert into metal_premium
      select metal, date '2026-11-18' - day, 'physical-divergence-v2', 'live', 1, 's', 1, 's', now(), 1, 's', now(), 0, 0, now()
      from generate_series(1, 755) as day, unnest(array['gold', 'silver']) as metal`);
    expect((await refresh()).rows).toBe(1500);
    later(1);
    market.futures = { ...market.futures, "GC=F": { price: 3500, at: now } };
    expect((await refresh()).rows).toBe(1500);
    const { rows } = await database.query(`
      select print_date::text, paper_price::text, count(*) over ()::int as points, min(print_date) over ()::text as oldest
      from metal_premium where metal = 'gold' order by print_date desc limit 1`);
    const oldest = dayOf(new Date(start.getTime() - 749 * 86_400_000));
    expect(rows).toEqual([{ print_date: "2026-11-18", paper_price: "3500", points: 750, oldest }]);
  });

  // Closes the database, so it comes last.
  test("an unreadable store is a 503 with a message, and not an empty response", async () => {
    await refresh();
    expect((await app.get(path)).status).toBe(200);
    await database.close();
    const response = await app.get(path);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
