import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { alertCalls } from "../../../support/domains/alerts.ts";
import { type InventedWto, inventedKeys, inventedWto } from "../../../support/domains/invented-wto.ts";

const path = "/api/trade/v1/get-tariff-trends";
const dayMs = 86_400_000;

interface Body {
  readonly datapoints: readonly {
    readonly year: number;
    readonly tariffRate: number;
    readonly reportingCountry: string;
  }[];
  readonly fetchedAt: string;
  readonly upstreamUnavailable: boolean;
  readonly unavailableReason: string;
  readonly coverageStartYear: number;
  readonly coverageEndYear: number;
  readonly effectiveTariffRate?: { readonly tariffRate: number; readonly observationPeriod: string };
}

const yearsOf = ({ datapoints }: Body) => datapoints.map(({ year }) => year);

describeEachDatabase("GetTariffTrends on the sample", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("trade-tariffs");
    return () => app[Symbol.asyncDispose]();
  });

  test("its series has the Union's values for a member, and says so", async () => {
    interface Points {
      readonly points: readonly { readonly key: string; readonly value: number }[];
      readonly unknownKeys: readonly string[];
      readonly note: string;
    }
    const series = (keys: string) =>
      app.json<Points>(`/api/history/v1/get-series?series=tariff.rate&keys=${keys}&from=2000-01-01`);
    const { points, unknownKeys, note } = await series("276,FR,US");
    expect(new Set(points.map(({ key }) => key))).toEqual(new Set(["EU", "US"]));
    expect([unknownKeys, note]).toEqual([[], "276 and FR: as a member of the European Union, with its key EU."]);
    const union = await series("EU");
    expect([union.points, union.note]).toEqual([points.filter(({ key }) => key === "EU"), ""]);
    const { datapoints } = await app.json<Body>(`${path}?reporting_country=918`);
    const recent = union.points.slice(-datapoints.length).map(({ value }) => value);
    expect(recent).toEqual(datapoints.map(({ tariffRate }) => tariffRate));
    expect((await series("918")).points).toEqual(union.points);
    const trigger = { series: { series: "tariff.rate", keys: ["DE", "US"], threshold: 3, direction: "above" } };
    const { call } = alertCalls(app, await app.key("pro_monthly"));
    const { body } = await call("create-rule", { name: "tariff", trigger });
    expect(body).toMatchObject({ rule: { trigger: { series: { keys: ["EU", "US"] } } } });
    expect((await series("GB")).points.every(({ key }) => key === "GB")).toBe(true);
  });

  test("it needs a key of tier 1 or more", async () => {
    expect((await app.get(path, { key: null })).status).toBe(401);
    const rejected = await app.get(path, { key: await app.key("free") });
    expect(rejected.status).toBe(403);
    expect(await rejected.json()).toMatchObject({ error: "Upgrade required", requiredTier: 1, currentTier: 0 });
    expect((await app.get(path, { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  test("without parameters it returns the United States, eleven years up to 2025, as samples, with the rate collected", async () => {
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const body = (await response.json()) as Body;
    expect(yearsOf(body)).toEqual(Array.from({ length: 11 }, (_, i) => 2015 + i));
    expect(body.datapoints[0]).toEqual({
      reportingCountry: "United States of America",
      partnerCountry: "World",
      productSector: "All products",
      year: 2015,
      tariffRate: expect.any(Number),
      indicatorCode: "TP_A_0010",
    });
    expect(body).toMatchObject({
      fetchedAt: testTime.toISOString(),
      upstreamUnavailable: false,
      unavailableReason: "UNSPECIFIED",
      coverageStartYear: 2015,
      coverageEndYear: 2025,
      effectiveTariffRate: {
        sourceName: "FRED (BEA)",
        sourceUrl: "https://fred.stlouisfed.org/series/B235RC1Q027SBEA",
        observationPeriod: "2026-04-01",
        updatedAt: testTime.toISOString(),
        tariffRate: expect.closeTo(10, -1),
      },
    });
  });

  test.each([
    ["years=1", [2024, 2025]],
    ["years=29", [1996, 2025]],
    ["years=30", [1996, 2025]],
    ["years=0", [2015, 2025]],
    ["years=", [2015, 2025]],
  ])("%s covers %j", async (query, [start, end]) => {
    const body = await app.json<Body>(`${path}?${query}`);
    expect([body.coverageStartYear, body.coverageEndYear]).toEqual([start, end]);
    expect(yearsOf(body)).toEqual(Array.from({ length: end! - start! + 1 }, (_, i) => start! + i));
  });

  test("partner_country, the covered sector and empty values never change the answer", async () => {
    const plain = await (await app.get(path)).text();
    for (const query of ["partner_country=156", "product_sector=all", "product_sector=ALL", "productSector=&years=10"])
      expect(await (await app.get(`${path}?${query}`)).text()).toBe(plain);
    const code = "reporting_country=840&partner_country=";
    expect(await (await app.get(`${path}?${code}`)).text()).toBe(plain);
    expect(await (await app.get(`${path}?reportingCountry=840`)).text()).toBe(plain);
  });

  test("a sector that is not covered is marked as sample data too", async () => {
    const response = await app.get(`${path}?product_sector=AG`);
    expect([response.status, response.headers.get("x-data-origin")]).toEqual([200, "sample"]);
  });

  test("a partner country is accepted, and a warning says that only tariffs on all partners are held", async () => {
    const warningOf = async (query: string) => (await app.get(`${path}?${query}`)).headers.get("X-Parameter-Warnings");
    const text = "partner_country has no effect: only tariffs on all partners are held";
    expect(await warningOf("partner_country=156")).toBe(text);
    expect(await warningOf("partnerCountry=156")).toBe(text);
    for (const query of ["", "partner_country=", "partner_country=000"])
      expect(await warningOf(query), query).toBeNull();
  });

  test("an economy with the WTO's own code has its own tariffs, and no rate collected", async () => {
    const body = await app.json<Body>(`${path}?reporting_country=918`);
    expect(body.datapoints[0]?.reportingCountry).toBe("European Union");
    expect(body).not.toHaveProperty("effectiveTariffRate");
  });

  test("a tariff of zero is measured; an economy without its own is not covered", async () => {
    const zero = await app.json<Body>(`${path}?reporting_country=344`);
    expect(zero.datapoints.map(({ tariffRate }) => tariffRate)).toEqual(Array(11).fill(0));
    expect(zero).toMatchObject({ unavailableReason: "UNSPECIFIED", upstreamUnavailable: false });
    const none = await app.json<Body>(`${path}?reporting_country=276`);
    expect(none).toMatchObject({ datapoints: [], unavailableReason: "NOT_COVERED", upstreamUnavailable: false });
  });

  test.each([
    ...["84", "US", "%20840%20"].map((value) => ["reporting_country", value] as const),
    ...["0", "0000", "x00"].map((value) => ["partner_country", value] as const),
    ...["a%20b", "abcdefghijklmnopq", "%C3%A4"].map((value) => ["product_sector", value] as const),
    ...["31", "-1", "10.5", "abc", "1e1"].map((value) => ["years", value] as const),
  ])("%s=%s is refused with the parameter's name", async (name, value) => {
    expect(await app.rejected(`${path}?${name}=${value}`)).toEqual([name]);
  });
});

describeEachDatabase("GetTariffTrends when time passes", (openFresh) => {
  let app: TestApp;
  let wto: InventedWto;
  let now = testTime.getTime();
  beforeAll(async () => {
    wto = inventedWto();
    wto.reporters = { "840": "United States of America", "156": "China" };
    wto.values = { TP_A_0010: { 840: { 2023: 3, 2024: 3.1 }, 156: { 2024: 0 } } };
    app = await startApp(await openFresh(), { environment: inventedKeys, outside: wto.outside });
    await app.refresh("trade-tariffs");
    return () => app[Symbol.asyncDispose]();
  });
  const wait = (milliseconds: number) => {
    now += milliseconds;
    app.setTime(new Date(now));
  };
  const condition = async () => {
    return app.condition("trade-tariffs");
  };

  test("a source that is down leaves the data on record, with the time of its reading, and health reports it", async () => {
    wait(dayMs);
    wto.fails = ({ host }) => host === "api.wto.org";
    const { sources } = await app.refresh("trade-tariffs");
    expect(sources.map(({ state }) => state)).toEqual(["failed", "ok"]);
    const body = await app.json<Body>(path);
    expect(body).toMatchObject({ fetchedAt: testTime.toISOString(), unavailableReason: "UNSPECIFIED" });
    expect(body.datapoints).toHaveLength(2);
    expect(await condition()).toMatchObject({ state: "degraded", sources: [{ state: "failed" }, { state: "ok" }] });
  });

  test("stale data is served as old as it is, and health calls it stale", async () => {
    wait(3 * dayMs);
    expect(await app.json<Body>(path)).toMatchObject({ fetchedAt: testTime.toISOString(), upstreamUnavailable: false });
    expect((await condition()).state).toBe("stale");
  });

  test("with the next good answer new years are added and old ones stay", async () => {
    wto.fails = () => false;
    wto.values = { TP_A_0010: { 840: { 2024: 3.2, 2025: 3.345 }, 156: { 2024: 0 } } };
    await app.refresh("trade-tariffs");
    const body = await app.json<Body>(path);
    expect(body.datapoints.map(({ year, tariffRate }) => [year, tariffRate])).toEqual([
      [2023, 3],
      [2024, 3.2],
      [2025, 3.35],
    ]);
    expect(body.fetchedAt).toBe(new Date(now).toISOString());
  });

  test("an answer without any data has failed and changes nothing", async () => {
    const { effectiveTariffRate: _, ...before } = await app.json<Body>(path);
    wto.values = {};
    wait(dayMs);
    const { sources } = await app.refresh("trade-tariffs");
    expect(sources[0]).toMatchObject({ state: "failed", detail: "WTO has no rows with a tariff of any economy" });
    expect(await app.json<Body>(path)).toMatchObject(before);
  });

  test("the rate collected is left out while it is not known, and stays when its source fails later", async () => {
    expect((await app.json<Body>(path)).effectiveTariffRate).toMatchObject({ tariffRate: 10 });
    wto.fails = ({ host }) => host === "api.stlouisfed.org";
    wto.values = { TP_A_0010: { 840: { 2025: 3.4 } } };
    await app.refresh("trade-tariffs");
    expect((await app.json<Body>(path)).effectiveTariffRate).toMatchObject({ tariffRate: 10 });
    const other = await startApp(await openFresh(), { environment: inventedKeys, outside: wto.outside });
    await other.refresh("trade-tariffs");
    const body = await other.json<Body>(path);
    await other[Symbol.asyncDispose]();
    expect(body.datapoints).toHaveLength(1);
    expect(body).not.toHaveProperty("effectiveTariffRate");
  });
});
