import { beforeAll, expect, test } from "vitest";
import type { Database } from "../../../../src/store/database.ts";
import { startApp, type TestApp } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { type InventedWto, inventedKeys, inventedWto } from "../../../support/domains/invented-wto.ts";

const missing = { fetchedAt: "", coverageStartYear: 0, coverageEndYear: 0 };
const operations = [
  {
    name: "GetTariffTrends",
    path: "/api/trade/v1/get-tariff-trends",
    list: "datapoints",
    dataset: "trade-tariffs",
    table: "trade_tariff",
  },
  {
    name: "GetTradeFlows",
    path: "/api/trade/v1/get-trade-flows",
    list: "flows",
    dataset: "trade-flows",
    table: "trade_flow",
  },
] as const;

const of = (years: Readonly<Record<string, Readonly<Record<number, number | string>>>>) => ({
  TP_A_0010: years,
  ITS_MTV_AX: years,
  ITS_MTV_AM: years,
});

for (const { name, path, list, dataset, table } of operations)
  describeEachDatabase(`What ${name} says`, (openFresh) => {
    let app: TestApp;
    let database: Database;
    let wto: InventedWto;
    beforeAll(async () => {
      wto = inventedWto();
      wto.reporters = { "840": "United States of America", "344": "Hong Kong, China", "032": "Argentina" };
      wto.values = of({ 840: { 2024: 3, 2025: 3.3 }, "032": { 2025: "malformed" } });
      database = await openFresh();
      app = await startApp(database, { environment: inventedKeys, outside: wto.outside });
      return () => app[Symbol.asyncDispose]();
    });

    const answer = async (query: string) => {
      const response = await app.get(`${path}?${query}`);
      expect(response.status).toBe(200);
      const isStored = !response.headers.get("cache-control")?.includes("no-store");
      return { ...((await response.json()) as Record<string, unknown>), isStored };
    };
    const withoutTable = async (lost: string, look: () => Promise<void>) => {
      await database.query(`alter table ${lost} rename to lost`);
      await look().finally(() => database.query(`alter table lost rename to ${lost}`));
    };
    const served = { upstreamUnavailable: false, unavailableReason: "UNSPECIFIED", isStored: true };
    const none = (unavailableReason: string, upstreamUnavailable: boolean) => {
      // Only what is certain may be kept by caches.
      return { [list]: [], ...missing, unavailableReason, upstreamUnavailable, isStored: !upstreamUnavailable };
    };

    test("before anything was read: COVERAGE_UNKNOWN, and to be asked again", async () => {
      expect(await answer("")).toEqual(none("COVERAGE_UNKNOWN", true));
      expect(await answer("reporting_country=999")).toEqual(none("COVERAGE_UNKNOWN", true));
    });

    test("rows on record: UNSPECIFIED", async () => {
      await app.refresh(dataset);
      expect(await answer("")).toMatchObject({ ...served, coverageStartYear: 2024, coverageEndYear: 2025 });
    });

    test("no rows, and the source has none: NOT_COVERED, which may be cached", async () => {
      expect(await answer("reporting_country=344")).toEqual(none("NOT_COVERED", false));
      expect(await answer("reporting_country=999")).toEqual(none("NOT_COVERED", false));
    });

    test("a file of no rows would not say why: it is refused with the reason, also once the answer is kept", async () => {
      for (let requested = 0; requested < 3; requested++) {
        const file = await app.get(`${path}?reporting_country=344&format=csv`);
        expect([file.status, await file.text()]).toEqual([404, expect.stringContaining("NOT_COVERED")]);
        await answer("reporting_country=344");
      }
    });

    test("no rows, though the source may have some: SEED_MISSING", async () => {
      expect(await answer("reporting_country=032")).toEqual(none("SEED_MISSING", true));
    });

    test("rows that cannot be read: CACHE_UNAVAILABLE", () =>
      withoutTable(table, async () => {
        expect(await answer("years=2")).toEqual(none("CACHE_UNAVAILABLE", true));
        expect(await answer("reporting_country=031")).toEqual(none("CACHE_UNAVAILABLE", true));
      }));

    test("a coverage that cannot be read: CACHE_UNAVAILABLE where there are no rows, and of no matter where there are", () =>
      withoutTable("trade_coverage", async () => {
        expect(await answer("years=3")).toMatchObject({ ...served, coverageEndYear: 2025 });
        expect(await answer("reporting_country=031&years=3")).toEqual(none("CACHE_UNAVAILABLE", true));
      }));

    test("it recovers at once: such answers were not kept", async () => {
      expect(await answer("years=2")).toMatchObject(served);
      expect(await answer("reporting_country=031&years=3")).toEqual(none("NOT_COVERED", false));
    });

    test("a coverage without advertised data does not count, and is COVERAGE_UNKNOWN without rows", async () => {
      await database.query("update trade_coverage set advertised = false");
      expect(await answer("reporting_country=033")).toEqual(none("COVERAGE_UNKNOWN", true));
      expect(await answer("years=4")).toMatchObject(served);
      await database.query("delete from trade_coverage");
      expect(await answer("reporting_country=034")).toEqual(none("COVERAGE_UNKNOWN", true));
      await app.refresh(dataset);
      expect(await answer("reporting_country=034")).toEqual(none("NOT_COVERED", false));
    });

    test.each([
      "'x', '84', '000', true, 0, null",
      "'x', '840', 'all', true, 0, null",
      "'x', '840', '000', null, 0, null",
      "'x', '840', '000', true, -1, null",
      "null, '840', '000', true, 0, null",
    ])("a malformed row of coverage (%s) is never stored", async (values) => {
      await expect(database.query(`insert into trade_coverage values (${values})`)).rejects.toThrow(/violates/);
    });

    test("a malformed request: 400", async () => {
      expect(await app.rejected(`${path}?reporting_country=US`)).toEqual(["reporting_country"]);
    });

    if (name === "GetTariffTrends")
      test("a sector that is not covered: NOT_COVERED, without a look into the store", () =>
        withoutTable(table, () =>
          withoutCoverage(async () => {
            for (const sector of ["AG", "all-", "_", "0123456789abcdef"])
              expect(await answer(`product_sector=${sector}`)).toEqual(none("NOT_COVERED", false));
          }),
        ));
    else
      test("a single partner is never covered", async () => {
        expect(await answer("partner_country=156")).toEqual(none("NOT_COVERED", false));
        expect(await answer("partner_country=840")).toEqual(none("NOT_COVERED", false));
      });

    async function withoutCoverage(look: () => Promise<void>) {
      await database.query("alter table trade_coverage rename to lost_coverage");
      await look().finally(() => database.query("alter table lost_coverage rename to trade_coverage"));
    }
  });
