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

const path = "/api/market/v1/get-physical-divergence-index";
/** A Wednesday, on which the day's refresh runs. */
const start = new Date("2026-11-18T08:00:00.000Z");
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const methodologyVersion = "physical-divergence-v2";

interface Reading {
  readonly metal: string;
  readonly state: string;
  readonly reason: string;
  readonly historyPoints: number;
  readonly index?: number;
}

interface Body {
  readonly readings: readonly Reading[];
  readonly composite: { readonly state: string; readonly reason: string; readonly index?: number };
  readonly evaluatedAt: number;
  readonly available: boolean;
}

describeEachDatabase("GetPhysicalDivergenceIndex", (openFresh) => {
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
  const read = (query = "") => app.json<Body>(`${path}?${query}`);
  const refresh = () => app.refresh("metal-premiums");
  const at = (instant: Date) => {
    now = instant;
    app.setTime(now);
  };
  const later = (hours: number) => at(new Date(now.getTime() + hours * hourMs));
  /** A day of the history, `days` before the start, with these prices of the futures. */
  const dayBefore = async (days: number, paper: { gold: number; silver: number }) => {
    at(new Date(start.getTime() - days * dayMs));
    openDay(market, now);
    const { "GC=F": gold, "SI=F": silver } = market.futures;
    market.futures = { "GC=F": { ...gold, price: paper.gold }, "SI=F": { ...silver, price: paper.silver } };
    await refresh();
  };
  /** Both metals in this state for this reason, and the composite accordingly. */
  const expectBoth = async (state: string, reason: string) => {
    const full = `PHYSICAL_DIVERGENCE_STATE_${state}`;
    const { readings, composite } = await read();
    expect(readings).toMatchObject([
      { metal: "gold", state: full, reason, regime: "PHYSICAL_PREMIUM_REGIME_UNSPECIFIED", historyWindowStart: "" },
      { metal: "silver", state: full, reason, trend5d: "PHYSICAL_PREMIUM_TREND_UNSPECIFIED", historyWindowEnd: "" },
    ]);
    for (const reading of readings)
      for (const graded of ["index", "percentile", "robustZ", "delta5d", "delta20d"])
        expect(reading).not.toHaveProperty(graded);
    expect(composite).toMatchObject({ state: full, reason: `member_not_ok:gold:${state.toLowerCase()}` });
    expect(composite).not.toHaveProperty("index");
  };

  test("before the first refresh every reading is missing, because no data can be evaluated", async () => {
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    const missing = {
      ...{ state: "PHYSICAL_DIVERGENCE_STATE_MISSING_INPUT", reason: "divergence_snapshot_unavailable" },
      methodologyVersion,
    };
    const reading = (metal: string) => ({
      ...{ ...missing, metal, regime: "PHYSICAL_PREMIUM_REGIME_UNSPECIFIED", historyPoints: 0 },
      ...{ trend5d: "PHYSICAL_PREMIUM_TREND_UNSPECIFIED", trend20d: "PHYSICAL_PREMIUM_TREND_UNSPECIFIED" },
      ...{ historyWindowStart: "", historyWindowEnd: "", physicalAsOf: "", paperAsOf: 0 },
      historyKey: `physical-premium:${metal}`,
    });
    expect(await response.json()).toEqual({
      readings: [reading("gold"), reading("silver")],
      composite: {
        ...missing,
        weights: [
          { metal: "gold", weight: 0.7, methodologyVersion },
          { metal: "silver", weight: 0.3, methodologyVersion },
        ],
      },
      evaluatedAt: 0,
      methodologyVersion,
      available: false,
    });
  });

  test("without the operator's permission for Shanghai there is no premium, which differs from never loaded", async () => {
    const { IDS_SGE: _, ...environment } = onMarket(market, start).environment ?? {};
    await using other = await startApp(database, { ...onMarket(market, start), environment });
    await other.refresh("metal-premiums");
    expect(await other.json(path)).toMatchObject({
      readings: Array.from({ length: 2 }, () => ({ reason: "current_premium_missing", historyPoints: 0 })),
      evaluatedAt: start.getTime(),
      available: false,
    });
  });

  test("with 59 prints the history is too short, and the premium is still returned", async () => {
    await database.query("truncate source, metal_current, metal_premium");
    // Premiums of -1 % and 4 % for gold, 1 % and 9 % for silver: half of gold's and 36 of silver's end up at most the current.
    for (let days = 59; days >= 1; days--)
      await dayBefore(days, { gold: days <= 29 ? 3520 : 3350, silver: days <= 35 ? 41 : 38 });
    await database.query("create table first_prints as select * from metal_premium");
    await expectBoth("INSUFFICIENT_HISTORY", "history_points_below_60");
    expect((await read()).readings).toMatchObject([
      { historyPoints: 59, premiumPct: -1.0344, physicalAsOf: "2026-11-17", paperAsOf: now.getTime() - hourMs },
      { historyPoints: 59, provenance: { fxPair: "CNY/USD", historyWindowPoints: 250 } },
    ]);
  });

  test("with 60 prints both metals are graded, and the composite is 0.7 and 0.3 of them", async () => {
    await dayBefore(0, { gold: 3400, silver: 38.5 });
    const { readings, composite, evaluatedAt, available } = await read();
    const window = { historyPoints: 60, historyWindowStart: "2026-09-20", historyWindowEnd: "2026-11-18" };
    expect(readings).toMatchObject([
      {
        ...{ state: "PHYSICAL_DIVERGENCE_STATE_OK", reason: "", regime: "PHYSICAL_PREMIUM_REGIME_ELEVATED" },
        ...{ index: 63.23, premiumPct: 2.4585, premiumUsdPerOz: 83.5894, percentile: 50, ...window },
        ...{ delta5d: 3.4929, trend5d: "PHYSICAL_PREMIUM_TREND_WIDENING" },
      },
      {
        ...{ state: "PHYSICAL_DIVERGENCE_STATE_OK", reason: "", regime: "PHYSICAL_PREMIUM_REGIME_ELEVATED" },
        ...{ index: 57.24, premiumPct: 7.4484, percentile: 60, ...window },
      },
    ]);
    expect(composite).toMatchObject({ state: "PHYSICAL_DIVERGENCE_STATE_OK", reason: "", index: 61.43 });
    expect([evaluatedAt, available]).toEqual([start.getTime(), true]);
  });

  describe("graded on the day of its 60th print", () => {
    beforeEach(async () => {
      await database.query("truncate source, metal_current, metal_premium");
      await database.query("insert into metal_premium select * from first_prints");
      resetMarket(market, start);
      at(start);
      await refresh();
      expect((await read()).composite.state).toBe("PHYSICAL_DIVERGENCE_STATE_OK");
    });

    test("metals chooses readings, once each and in any order; the composite is always of both", async () => {
      const { composite } = await read();
      for (const [query, chosen] of [
        ["metals=silver", ["silver"]],
        ["metals=silver,gold", ["gold", "silver"]],
        ["metals=silver&metals=gold", ["gold", "silver"]],
        ["metals=", ["gold", "silver"]],
      ] as const) {
        const body = await read(query);
        expect(body.readings.map(({ metal }) => metal)).toEqual(chosen);
        expect(body.composite).toEqual(composite);
      }
    });

    test("a premium of exactly nothing is graded 0, and not missing", async () => {
      const { "GC=F": gold, ...futures } = market.futures;
      market.futures = { ...futures, "GC=F": { ...gold, price: 3483.589402 } };
      await refresh();
      expect((await read("metals=gold")).readings).toMatchObject([
        { state: "PHYSICAL_DIVERGENCE_STATE_OK", premiumPct: 0, index: 0, regime: "PHYSICAL_PREMIUM_REGIME_NORMAL" },
      ]);
    });

    test("of one print the newest premium counts, and the window does not grow by it", async () => {
      later(1);
      market.futures = { ...market.futures, "GC=F": { price: 3317, at: now } };
      await refresh();
      expect((await read()).readings).toMatchObject([
        {
          historyPoints: 60,
          premiumPct: 5.0223,
          regime: "PHYSICAL_PREMIUM_REGIME_EXTREME",
          index: 100,
          percentile: 100,
        },
        { historyPoints: 60 },
      ]);
    });

    test("if all sources are down, the index continues until the future's price is 36 hours old at the time of the call", async () => {
      for (const host of ["sge", "yahoo", "ecb"] as const) market.down.add(host);
      later(35);
      expect(await refresh()).not.toHaveProperty("generation");
      expect(await read()).toMatchObject({ composite: { index: 61.43 }, evaluatedAt: now.getTime() });
      later(1 / 3_600_000);
      await expectBoth("STALE_INPUT", "paper_snapshot_older_than_36_hours");
      expect((await read()).readings).toMatchObject([{ premiumPct: 2.4585, historyPoints: 60 }, {}]);
    });

    test("when they are down for over 16 days there is nothing to evaluate any more", async () => {
      later(16 * 24);
      await expectBoth("STALE_INPUT", "physical_print_older_than_12_calendar_days");
      later(1 / 3_600_000);
      expect(await read()).toMatchObject({
        readings: [{ reason: "divergence_snapshot_unavailable" }, { reason: "divergence_snapshot_unavailable" }],
        composite: { reason: "divergence_snapshot_unavailable" },
        ...{ evaluatedAt: 0, available: false },
      });
    });

    test("when the exchange rate's source is down it is stale after 60 hours, and fresh prints are not added", async () => {
      market.down.add("ecb");
      later(48);
      openDay(market, now);
      await refresh();
      await expectBoth("STALE_INPUT", "fx_snapshot_older_than_60_hours");
      expect((await read()).readings[0]).toMatchObject({ historyPoints: 60, physicalAsOf: "2026-11-20" });
    });

    test("Saturday and Sunday make neither the future's price nor the exchange rate older", async () => {
      later(48);
      openDay(market, now);
      await refresh();
      // Friday 07:00 to Monday 19:00 are 36 hours of weekdays.
      later(59 + 24);
      expect((await read()).composite.state).toBe("PHYSICAL_DIVERGENCE_STATE_OK");
      later(1 / 3_600_000);
      await expectBoth("STALE_INPUT", "paper_snapshot_older_than_36_hours");
    });

    test("if only Shanghai is silent, its print is valid for 12 calendar days there", async () => {
      market.down.add("sge");
      for (let day = 1; day <= 12; day++) {
        later(24);
        openDay(market, now);
      }
      await refresh();
      later(8 - 1 / 3_600_000);
      expect((await read()).composite.state).toBe("PHYSICAL_DIVERGENCE_STATE_OK");
      // Midnight in Shanghai.
      later(1 / 3_600_000);
      await expectBoth("STALE_INPUT", "physical_print_older_than_12_calendar_days");
    });

    test("stale input of only one metal sets the state of the composite, and the other is graded", async () => {
      later(40);
      const { "SI=F": silver } = market.futures;
      openDay(market, now);
      market.futures = { ...market.futures, "SI=F": silver };
      await refresh();
      const { readings, composite } = await read();
      expect(readings).toMatchObject([
        { state: "PHYSICAL_DIVERGENCE_STATE_OK", historyPoints: 61 },
        { state: "PHYSICAL_DIVERGENCE_STATE_STALE_INPUT", reason: "paper_snapshot_older_than_36_hours" },
      ]);
      expect(composite).toMatchObject({ reason: "member_not_ok:silver:stale_input" });
    });

    test("a future's price of unknown time is missing, and said to be of no known time", async () => {
      const { "GC=F": gold, "SI=F": silver } = market.futures;
      market.futures = { "GC=F": { ...gold, at: null }, "SI=F": { ...silver, at: null } };
      await refresh();
      await expectBoth("MISSING_INPUT", "paper_snapshot_invalid");
      expect((await read()).readings).toMatchObject([{ paperAsOf: 0, premiumPct: 2.4585 }, { paperAsOf: 0 }]);
    });

    test.each([
      ["physical_print_in_future", "2026-11-17T15:59:59Z"],
      ["paper_snapshot_in_future", "2026-11-18T06:59:59Z"],
    ])("a clock that is set back gives %s at %s", async (reason, instant) => {
      at(new Date(instant));
      await expectBoth("MISSING_INPUT", reason);
    });

    test("an exchange rate of an instant to come is missing, and once it has come its print is not in the window", async () => {
      later(24);
      openDay(market, now);
      market.rates = { ...market.rates, day: dayOf(now) };
      await refresh();
      await expectBoth("MISSING_INPUT", "fx_snapshot_in_future");
      later(7);
      await expectBoth("MISSING_INPUT", "history_window_not_aligned");
      await refresh();
      expect((await read()).composite.state).toBe("PHYSICAL_DIVERGENCE_STATE_OK");
    });

    test("a page that falls back to an earlier print changes nothing of the history", async () => {
      const print = (price: number) => [{ day: "2026-11-12", price }];
      market.prints = { SHAU: print(700), SHAG: print(7000) };
      await refresh();
      await expectBoth("MISSING_INPUT", "history_window_not_aligned");
      const { rows } = await database.query(
        "select distinct physical_price::text as price from metal_premium order by 1",
      );
      expect(rows).toEqual([{ price: "800" }, { price: "9500" }]);
    });

    test.each([
      ["physical_print_invalid", "metal_current set print_date = 'infinity'"],
      ["fx_snapshot_invalid", "metal_current set fx_as_of = 'infinity'"],
      ["history_values_invalid", "metal_premium set premium_pct = 'NaN' where print_date = '2026-10-01'"],
      ["current_premium_missing", "metal_current set premium_pct = 'NaN'"],
    ])("a store with an invalid date or number gives %s", async (reason, change) => {
      await database.query(`update ${change}`);
      await expectBoth("MISSING_INPUT", reason);
    });

    test("premiums under other rules are not compared, and as the current ones not evaluated", async () => {
      const other = "methodology = 'physical-divergence-v1'";
      await database.query(`update metal_premium set ${other} where print_date = '2026-09-20'`);
      await expectBoth("INSUFFICIENT_HISTORY", "history_points_below_60");
      await database.query(`update metal_current set ${other}`);
      const unsupported = { reason: "divergence_methodology_unsupported" };
      expect(await read()).toMatchObject({
        readings: [unsupported, unsupported],
        composite: unsupported,
        ...{ evaluatedAt: 0, available: false },
      });
    });

    test("a call without a key is rejected, a free account learns where to upgrade, and a pro account is served", async () => {
      expect((await app.get(path, { key: null })).status).toBe(401);
      const rejected = await app.get(path, { key: await app.key("free") });
      expect([rejected.status, await rejected.json()]).toMatchObject([
        403,
        { error: { data: { reason: "upgrade-required", upgradeUrl: expect.any(String), requiredTier: 1 } } },
      ]);
      expect((await app.get(path, { key: await app.key("pro_monthly") })).status).toBe(200);
    });
  });

  test.each([
    ["metals=tin", "metals[0]"],
    ["metals=silver,Gold", "metals[1]"],
    ["metals=gold&metals=gold", "metals"],
    ["metals=gold,silver,gold", "metals"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toContain(field);
  });

  // Closes the database, so it comes last.
  test("an unreadable store is a 503 with a message, and not a missing snapshot", async () => {
    expect((await app.get(path)).status).toBe(200);
    await database.close();
    const response = await app.get(path);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });
});
