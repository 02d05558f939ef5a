import { afterAll, beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";

const path = "/api/supply-chain/v1/get-multi-sector-cost-shock";

interface Body {
  readonly iso2: string;
  readonly chokepointId: string;
  readonly closureDays: number;
  readonly warRiskTier: string;
  readonly sectors: readonly (Readonly<Record<string, number>> & { readonly hs2: string; readonly hs2Label: string })[];
  readonly totalAddedCost: number;
  readonly fetchedAt: string;
  readonly unavailableReason: string;
  readonly upstreamUnavailable: boolean;
  readonly assumptions: Readonly<Record<string, number | string>>;
}

describeEachDatabase("GetMultiSectorCostShock", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeAll(async () => {
    database = await openFresh();
    app = await startApp(database);
  });
  afterAll(() => app[Symbol.asyncDispose]());
  const read = (query: string) => app.json<Body>(`${path}?${query}`);

  test("before the first refresh ten sectors are at zero, with the reason", async () => {
    const response = await app.get(`${path}?iso2=DE&chokepointId=suez`);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as Body;
    expect(body.unavailableReason).toBe("No seeded import data available for this country");
    expect(body.upstreamUnavailable).toBe(true);
    expect(body.warRiskTier).toBe("WAR_RISK_TIER_HIGH");
    expect(body.sectors.map(({ hs2 }) => hs2)).toEqual(["27", "84", "85", "87", "30", "72", "39", "29", "10", "62"]);
    expect(body.sectors.every((sector) => sector.importValueAnnual === 0 && sector.totalCostShock === 0)).toBe(true);
    expect(body.totalAddedCost).toBe(0);
  });

  test("after it the sectors come dearest first, and their costs add up", async () => {
    await app.refresh("country-imports");
    const body = await read("iso2=DE&chokepoint_id=suez&closure_days=10");
    expect(body).toMatchObject({ iso2: "DE", chokepointId: "suez", closureDays: 10, unavailableReason: "" });
    expect(body.fetchedAt).toBe(testTime.toISOString());
    const aDay = body.sectors.map((sector) => sector.totalCostShockPerDay ?? 0);
    expect(aDay).toEqual(aDay.toSorted((a, b) => b - a));
    expect(body.totalAddedCost).toBe(body.sectors.reduce((sum, { totalCostShock = 0 }) => sum + totalCostShock, 0));
    expect(body.totalAddedCost).toBeGreaterThan(0);
    for (const sector of body.sectors)
      expect(sector).toMatchObject({
        freightAddedPctPerTon: 0.05,
        warRiskPremiumBps: 50,
        addedTransitDays: 2,
        closureDays: 10,
      });
  });

  test("imports of 36.5 billion of energy cost what the formula says", async () => {
    await database.query(`
      insert into imported_product select 'GL', '2709', 2024, 36.5e9, '[]', fetched_at from imported_product limit 1`);
    const suez = (await read("iso2=GL&chokepointId=suez")).sectors[0];
    expect(suez).toMatchObject({
      ...{ hs2: "27", hs2Label: "Energy", importValueAnnual: 36_500_000_000, totalCostShockPerDay: 5_500_000 },
      ...{ totalCostShock30Days: 165_000_000, totalCostShock90Days: 495_000_000, totalCostShock: 165_000_000 },
    });
    const of = async (id: string) => (await read(`iso2=GL&chokepointId=${id}`)).sectors[0]?.totalCostShockPerDay;
    expect([await of("hormuz_strait"), await of("panama"), await of("gibraltar")]).toEqual([
      ...[13_000_000, 55_050_000, 50_000],
    ]);
  });

  test.each([
    ["hormuz_strait", { bypassId: "btc_pipeline", bypassCargoShare: 1, freightAdded: 0.1, warRiskPremiumBps: 300 }],
    ["suez", { bypassId: "sumed_pipeline", bypassCargoShare: 1, freightAdded: 0.05, warRiskPremiumBps: 50 }],
    ["gibraltar", { bypassId: "", bypassCargoShare: 0, freightAdded: 0, warRiskPremiumBps: 5 }],
  ])("the response for %s states the assumptions from which every cost follows", async (id, constants) => {
    const { assumptions, sectors } = await read(`iso2=GL&chokepointId=${id}`);
    expect(assumptions).toEqual({ transitShare: 1, ...constants });
    for (const { importValueAnnual = 0, totalCostShockPerDay = 0 } of sectors) {
      const share = constants.freightAdded + constants.warRiskPremiumBps / 10_000;
      expect(totalCostShockPerDay).toBeCloseTo(Math.round((importValueAnnual * share) / 365), 0);
    }
  });

  test.each([
    ["", 30],
    ["closureDays=", 30],
    ["closureDays=0", 1],
    ["closureDays=-5", 1],
    ["closureDays=365", 365],
    ["closure_days=400", 365],
    ["closureDays=99999999999", 365],
  ])("%j is read as %i days", async (query, days) => {
    const body = await read(`iso2=DE&chokepointId=suez&${query}`);
    expect([body.closureDays, body.sectors[0]?.closureDays]).toEqual([days, days]);
  });

  test.each(["abc", "1.5", "1e1", "%2B3x"])("closureDays=%s is refused", async (days) => {
    expect(await app.rejected(`${path}?iso2=DE&chokepointId=suez&closureDays=${days}`)).toEqual(["closure_days"]);
  });

  test.each([
    ["iso2=DE", "value is required"],
    ["iso2=DE&chokepointId=%20", "value is required"],
    [
      "iso2=DE&chokepointId=atlantis",
      expect.stringMatching(/^Unknown chokepointId: atlantis; use one of suez, .*hormuz_strait/),
    ],
  ])("%j is refused for its chokepoint", async (query, description) => {
    const response = await app.get(`${path}?${query}`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      violations: expect.arrayContaining([{ field: "chokepoint_id", description }]),
    });
  });

  test.each(["", "iso2=D", "iso2=ZZ", "iso2=1"])("%j is refused for its country", async (query) => {
    expect(new Set(await app.rejected(`${path}?chokepointId=suez&${query}`))).toEqual(new Set(["iso2"]));
  });

  test("a country that is not covered has no imports while those of others can be read", async () => {
    const body = await read("iso2=XK&chokepointId=suez");
    expect([body.unavailableReason === "", body.upstreamUnavailable]).toEqual([false, false]);
  });

  test("imports of more than 45 days ago are counted with, called out and not kept", async () => {
    const query = `${path}?iso2=FR&chokepointId=suez`;
    expect(await (await app.get(query)).json()).toMatchObject({ upstreamUnavailable: false });
    app.setTime(new Date(testTime.getTime() + 46 * 86_400_000));
    const response = await app.get(query);
    app.setTime(testTime);
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as Body;
    expect([body.upstreamUnavailable, body.unavailableReason, body.totalAddedCost > 0]).toEqual([true, "", true]);
  });

  test("codes and ids are read in either case", async () => {
    const body = await read("iso2=de&chokepointId=%20SUEZ%20");
    expect([body.iso2, body.chokepointId]).toEqual(["DE", "suez"]);
  });

  test("each chokepoint has the tier of its threat", async () => {
    const tier = async (id: string) =>
      (await read(`iso2=DE&chokepointId=${id}`)).warRiskTier.replace("WAR_RISK_TIER_", "");
    const ids = ["kerch_strait", "bab_el_mandeb", "suez", "bosphorus", "panama"];
    expect(await Promise.all(ids.map(tier))).toEqual(["WAR_ZONE", "CRITICAL", "HIGH", "ELEVATED", "NORMAL"]);
  });

  test("the older path serves the same, says that it is deprecated and names the new one", async () => {
    const response = await app.get("/api/supply-chain/v1/multi-sector-cost-shock?iso2=DE&chokepointId=suez");
    expect(response.headers.get("deprecation")).toMatch(/^@\d+$/);
    expect(response.headers.get("link")).toContain(`<${path}>; rel="successor-version"`);
    expect(await response.json()).toEqual(await read("iso2=DE&chokepointId=suez"));
  });

  test("a call without a key is rejected, a free account is rejected for its tier, and a pro account is served", async () => {
    const query = `${path}?iso2=DE&chokepointId=suez`;
    expect((await app.get(query, { key: null })).status).toBe(401);
    expect((await app.get(query, { key: await app.key("free") })).status).toBe(403);
    expect((await app.get(query, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  // Closes the database, so it comes last.
  test("an unreadable store is a 503, and no zero", async () => {
    await database.close();
    expect((await app.get(`${path}?iso2=SE&chokepointId=suez`)).status).toBe(503);
  });
});
