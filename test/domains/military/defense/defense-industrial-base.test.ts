import { afterAll, beforeAll, expect, test } from "vitest";
import { countries } from "../../../../src/reference/countries/countries.ts";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { armsDeliveries } from "../../../support/domains/arms-deliveries.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/military/v1/get-defense-industrial-base";
const of = (code: string) => `${path}?country_code=${code}`;
const dayMs = 86_400_000;
const nothing = { available: false, value: 0, year: 0, previousValue: 0, previousYear: 0, source: "" };

interface Indicator {
  readonly available: boolean;
  readonly value: number;
  readonly year: number;
}

interface Body {
  readonly available: boolean;
  readonly personnel: Indicator;
  readonly suppliers: readonly { readonly supplierIso2: string; readonly tivShare: number }[];
  readonly supplierHhi: number;
  readonly industrialState: string;
  readonly supplierState: string;
}

const row = (id: string, code: string, date: string, value: number | null) => ({
  ...{ indicator: { id, value: "" }, country: { id: code.slice(0, 2), value: code }, countryiso3code: code },
  ...{ date, value, unit: "", obs_status: "", decimal: 0 },
});

/** As many more as a whole answer has. */
const others = [...countries.values()].filter(({ alpha2 }) => !["AQ", "CR", "PL"].includes(alpha2)).slice(0, 150);

describeEachDatabase("GetDefenseIndustrialBase", (openFresh) => {
  let app: TestApp;
  let down = false;
  let now = testTime;
  const later = (days: number) => {
    now = new Date(now.getTime() + days * dayMs);
    app.setTime(now);
  };
  const outside = responding((url) => {
    if (down) return undefined;
    const id = url.pathname.split("/").at(-1) ?? "";
    const percent = id === "MS.MIL.XPND.GD.ZS";
    const rows = [
      ...[
        row(id, "POL", "2025", null),
        row(id, "POL", "2024", percent ? 4.1 : 400),
        row(id, "POL", "2022", percent ? 2.2 : 0),
      ],
      ...(percent ? [row(id, "CRI", "2024", 0), ...others.map(({ alpha3 }) => row(id, alpha3, "2024", 1))] : []),
      row(id, "WLD", "2024", 9),
    ];
    return [{ page: 1, pages: 1, per_page: 20_000, total: rows.length }, rows];
  });
  beforeAll(async () => {
    app = await startApp(await openFresh(), { outside });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh nothing is available, each source says that it was not loaded, and nothing is kept", async () => {
    const response = await app.get(of("PL"));
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      countryCode: "PL",
      available: false,
      expenditurePctGdp: nothing,
      expenditureUsd: nothing,
      personnel: nothing,
      armsExportsTiv: nothing,
      armsImportsTiv: nothing,
      suppliers: [],
      supplierHhi: 0,
      windowStartYear: 0,
      windowEndYear: 0,
      supplierSource: "",
      fetchedAt: "",
      industrialFetchedAt: "",
      supplierFetchedAt: "",
      supplierRetained: false,
      supplierMappingCoverage: 0,
      industrialState: "not_loaded",
      supplierState: "not_loaded",
    });
  });

  test.each([
    ["without a country", path, "country_code"],
    ["with an empty one", of(""), "country_code"],
    ["that is assigned to no country", of("ZZ"), "country_code"],
    ["with a digit", of("P1"), "country_code"],
    ["with letters of another alphabet", of("%D0%A0%D0%9B"), "country_code"],
    ["with a statement", of("PL'%20or%201%3D1--"), "country_code"],
    ["with a path", of("..%2F..%2Fetc"), "country_code"],
    ["with a header", of("PL%0d%0aX-A:%20b"), "country_code"],
  ])("%s it is refused with the parameter's name", async (_title, place, field) => {
    expect(await app.rejected(place)).toEqual([field]);
  });

  test("without a key it is a 401, on a free plan a 403 that says where to upgrade, on a pro plan an answer", async () => {
    const free = await app.get(of("PL"), { key: await app.key("free") });
    expect([(await app.get(of("PL"), { key: null })).status, free.status]).toEqual([401, 403]);
    expect(await free.json()).toMatchObject({
      error: {
        data: { reason: "upgrade-required", upgradeUrl: "/plans", requiredTier: 1, currentTier: 0, planKey: "free" },
      },
    });
    expect((await app.get(of("PL"), { key: await app.key("pro_monthly") })).status).toBe(200);
  });

  test("live, the latest value and the one before are returned, whatever years lie between, and suppliers are off", async () => {
    const { sources } = await app.refresh("defense-industrial-base");
    expect(sources.map(({ state }) => state)).toEqual(["ok", "failed"]);
    const response = await app.get(of("pl"));
    expect(response.headers.get("cache-control")).not.toContain("no-store");
    expect(response.headers.get("x-data-origin")).toBeNull();
    const spending = { available: true, value: 400, year: 2024, previousValue: 0, previousYear: 2022 };
    expect(await response.json()).toMatchObject({
      ...{ countryCode: "PL", available: true, industrialState: "ok", supplierState: "not_loaded", suppliers: [] },
      expenditurePctGdp: {
        ...{ available: true, value: 4.1, year: 2024, previousValue: 2.2, previousYear: 2022 },
        source: "World Bank MS.MIL.XPND.GD.ZS",
      },
      expenditureUsd: { ...spending, source: "World Bank MS.MIL.XPND.CD" },
      fetchedAt: now.toISOString(),
    });
  });

  test("a measured 0 is available, and an indicator without a value is not", async () => {
    const body = await app.json<Body & { expenditurePctGdp: Indicator }>(of("CR"));
    expect(body.expenditurePctGdp).toMatchObject({ available: true, value: 0, year: 2024 });
    expect([body.available, body.personnel]).toEqual([true, nothing]);
  });

  test("a country that no source has is reported as no data, and not as not loaded", async () => {
    for (const code of ["AQ"]) {
      const response = await app.get(of(code));
      expect(response.headers.get("cache-control")).toBe("no-store");
      expect(await response.json()).toMatchObject({ countryCode: code, available: false, industrialState: "no_data" });
    }
  });

  test("when the source is down the last values stay, after 28 days they are called stale and are not kept", async () => {
    down = true;
    await app.refresh("defense-industrial-base");
    later(28);
    expect(await app.json<Body>(of("PL"))).toMatchObject({ available: true, industrialState: "ok" });
    later(0.01);
    const response = await app.get(of("PL"));
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      available: true,
      industrialState: "stale",
      fetchedAt: testTime.toISOString(),
    });
    expect(await app.condition("defense-industrial-base")).toMatchObject({
      ...{ state: "stale" },
      sources: [
        { state: "failed" },
        { state: "unconfigured", missingVariables: ["IDS_ARMS_SUPPLIERS_FILE", "IDS_SOURCE_ARMS_SUPPLIERS"] },
      ],
    });
    down = false;
    await app.refresh("defense-industrial-base");
    expect(await app.json<Body>(of("PL"))).toMatchObject({ industrialState: "ok", fetchedAt: now.toISOString() });
  });

  test("suppliers are returned with an imported file and its permission, and the last ones stay without the file", async () => {
    using deliveries = await armsDeliveries();
    const environment = {
      ...{ IDS_DATA: "live", IDS_SOURCE_ARMS_SUPPLIERS: "on" },
      IDS_ARMS_SUPPLIERS_FILE: deliveries.file,
    };
    const database = await openFresh();
    await using importing = await startApp(database, { environment, outside: responding(() => undefined) });
    await importing.refresh("defense-industrial-base");
    const response = await importing.get(of("PL"));
    expect(response.headers.get("cache-control")).toBe("no-store");
    const body = (await response.json()) as Body;
    expect(body).toMatchObject({
      ...{
        available: true,
        industrialState: "not_loaded",
        supplierState: "ok",
        windowStartYear: 2021,
        windowEndYear: 2025,
      },
      ...{ industrialFetchedAt: "", supplierFetchedAt: testTime.toISOString(), fetchedAt: testTime.toISOString() },
      ...{ supplierRetained: false, personnel: nothing },
    });
    expect(body.suppliers.length).toBeGreaterThan(0);
    const gone = { ...environment, IDS_ARMS_SUPPLIERS_FILE: "nowhere.csv" };
    await using without = await startApp(database, { environment: gone, outside });
    await without.refresh("defense-industrial-base");
    expect(await without.json<Body>(of("PL"))).toMatchObject({
      ...{ suppliers: body.suppliers, supplierRetained: true, supplierState: "ok", industrialState: "ok" },
    });
  });

  test("suppliers that are switched on and cannot be read are not loaded, and such an answer is not kept", async () => {
    const environment = { IDS_DATA: "live", IDS_SOURCE_ARMS_SUPPLIERS: "on", IDS_ARMS_SUPPLIERS_FILE: "nowhere.csv" };
    await using unreadable = await startApp(await openFresh(), { environment, outside });
    await unreadable.refresh("defense-industrial-base");
    const response = await unreadable.get(of("PL"));
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ industrialState: "ok", supplierState: "not_loaded" });
  });

  test("the catalog says that the operator's file cannot be read, and does not name it", async () => {
    using binary = await armsDeliveries("importer\0supplier");
    const database = await openFresh();
    for (const file of ["nowhere.csv", binary.file]) {
      const environment = { IDS_DATA: "live", IDS_SOURCE_ARMS_SUPPLIERS: "on", IDS_ARMS_SUPPLIERS_FILE: file };
      await using unreadable = await startApp(database, { environment, outside });
      await unreadable.refresh("defense-industrial-base");
      const { sources } = await unreadable.condition("defense-industrial-base");
      expect(sources[1], file).toMatchObject({ state: "failed", failure: "A file of the operator cannot be read" });
    }
  });

  test("the samples are labeled, have both parts, and a projection accepts them", async () => {
    await using sample = await startApp(await openFresh());
    await sample.refresh("defense-industrial-base");
    const response = await sample.get(of("DE"));
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(await response.json()).toMatchObject({ available: true, industrialState: "ok", supplierState: "ok" });
    expect(
      await sample.json(`${of("CR")}&jmespath=[expenditureUsd.value,expenditureUsd.available,personnel.available]`),
    ).toEqual([0, true, false]);
  });
});
