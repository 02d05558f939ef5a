import { fromJson } from "@bufbuild/protobuf";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { type Buffer, SupplyBuffersSchema } from "../../gen/es/ids/stored/v1/buffers_pb.ts";
import { bufferVulnerability } from "../../src/domains/supply-chain/vulnerability/supply-buffers.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { responding } from "../support/responding.ts";

test.each([
  ["stocks_to_use", 0, 1],
  ["stocks_to_use", 0.07, 0.8],
  ["stocks_to_use", 0.35, 0],
  ["stocks_to_use", 2, 0],
  ["gas_storage_fill", 0, 1],
  ["gas_storage_fill", 71.3, 0.287],
  ["gas_storage_fill", 100, 0],
  ["gas_storage_fill", 101.5, 0],
  ["fuel_stock_days", 0, 1],
  ["fuel_stock_days", 45, 0.5],
  ["fuel_stock_days", 90, 0],
  ["fuel_stock_days", 199, 0],
  ["something else", 1, undefined],
])("%s of %d leave a vulnerability of %s", (kind, measure, vulnerability) => {
  expect(bufferVulnerability(kind, measure)).toBe(vulnerability);
});

test("more in store never makes more vulnerable, and everything is within 0 and 1", () => {
  const kind = fc.constantFrom("stocks_to_use", "gas_storage_fill", "fuel_stock_days");
  const measure = fc.double({ min: 0, max: 1000, noNaN: true });
  fc.assert(
    fc.property(kind, measure, measure, (of, level, more) => {
      const [less = -1, after = -1] = [level, level + more].map((one) => bufferVulnerability(of, one));
      expect([less <= 1, after >= 0, after <= less]).toEqual([true, true, true]);
    }),
  );
});

const psd = (attributeId: number, value: number) => ({
  ...{ commodityCode: "0410000", countryCode: "JA", marketYear: "2026", calendarYear: "2026", month: "10" },
  ...{ attributeId, unitId: 8, value },
});

describeEachDatabase("The stocks that soften a shock", (openFresh) => {
  let database: Database;
  let app: TestApp;
  const down = new Set<string>();
  const outside = responding(({ host, pathname, searchParams }) => {
    if (down.has(host)) return undefined;
    if (host === "agsi.gie.eu")
      return searchParams.get("country") === "DE"
        ? { data: [{ gasDayStart: "2026-11-17", full: "60", gasInStorage: "150" }] }
        : { data: [] };
    if (pathname.endsWith("/latest")) return { year: "2026", month: "09" };
    if (host === "api.iea.org") return [{ countryName: "Japan", yearMonth: "202609", total: "45" }];
    if (pathname.endsWith("/countries")) return [{ countryCode: "JA", countryName: "Japan" }];
    return pathname.includes("/0410000/") ? [psd(176, 70), psd(125, 900), psd(88, 100)] : [];
  });
  beforeAll(async () => {
    database = await openFresh();
    const environment = { IDS_DATA: "live", AGSI_API_KEY: "secret", USDA_API_KEY: "secret" };
    app = await startApp(database, { environment, outside });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const stored = async (): Promise<Buffer[]> => {
    const { body } = await database.kysely
      .selectFrom("snapshot")
      .select("body")
      .where("type", "=", SupplyBuffersSchema.typeName)
      .executeTakeFirstOrThrow();
    return fromJson(SupplyBuffersSchema, body).buffers;
  };
  const summary = async () =>
    (await stored()).map(({ reading, vulnerability, sourceKey, fetchedAt }) => [
      `${reading?.iso2} ${reading?.commodityId}`,
      vulnerability,
      sourceKey,
      fetchedAt,
    ]);
  const first = testTime.toISOString();

  test("every level is kept with its vulnerability, source and time, one for each country and commodity", async () => {
    await app.refresh("supply-buffers");
    expect(await summary()).toEqual([
      ["DE lng", 0.4, "agsi-countries", first],
      ["JP crude_oil", 0.5, "iea-oil-stocks", first],
      ["JP refined_petroleum", 0.5, "iea-oil-stocks", first],
      ["JP wheat", 0.8, "usda-psd", first],
    ]);
    expect((await stored())[0]).toMatchObject({
      reading: { kind: "gas_storage_fill", measure: 60, asOf: "2026-11-17" },
      ...{ sourceName: "Gas Infrastructure Europe, AGSI", sourceUrl: "https://agsi.gie.eu/" },
    });
  });

  test("a source that is down keeps its levels with the time they were read, and health says which it is", async () => {
    down.add("api.iea.org");
    const later = new Date(testTime.getTime() + 86_400_000);
    app.setTime(later);
    await app.refresh("supply-buffers");
    expect((await summary()).map(([, , source, fetchedAt]) => [source, fetchedAt])).toEqual([
      ["agsi-countries", later.toISOString()],
      ["iea-oil-stocks", first],
      ["iea-oil-stocks", first],
      ["usda-psd", later.toISOString()],
    ]);
    expect(await app.condition("supply-buffers")).toMatchObject({
      ...{ state: "degraded", rows: 4 },
      sources: [{ state: "ok" }, { state: "ok" }, { state: "failed", failure: expect.stringContaining("503") }],
    });
  });

  test("without keys food and gas are not known, and what is missing is said", async () => {
    down.clear();
    const empty = await openFresh();
    await using bare = await startApp(empty, { outside });
    const { sources, rows } = await bare.refresh("supply-buffers");
    expect(sources.map(({ state }) => state)).toEqual(["failed", "failed", "ok"]);
    expect(rows).toBe(2);
    const condition = await bare.condition("supply-buffers");
    expect(condition.sources.map(({ missingVariables }) => missingVariables)).toEqual([
      ["USDA_API_KEY"],
      ["AGSI_API_KEY"],
      [],
    ]);
  });

  test("the samples include 60 countries and more in all three kinds", async () => {
    const fresh = await openFresh();
    await using sample = await startApp(fresh);
    const { sources, rows } = await sample.refresh("supply-buffers");
    expect(sources.map(({ state }) => state)).toEqual(["ok", "ok", "ok"]);
    const { body } = await fresh.kysely
      .selectFrom("snapshot")
      .select("body")
      .where("type", "=", SupplyBuffersSchema.typeName)
      .executeTakeFirstOrThrow();
    const { buffers } = fromJson(SupplyBuffersSchema, body);
    expect(buffers).toHaveLength(rows ?? 0);
    expect(new Set(buffers.map(({ reading }) => reading?.iso2)).size).toBeGreaterThanOrEqual(60);
    expect(new Set(buffers.map(({ reading }) => reading?.kind)).size).toBe(3);
    const keys = buffers.map(({ reading }) => `${reading?.iso2} ${reading?.commodityId}`);
    expect(keys).toEqual([...new Set(keys)].sort((a, b) => (a < b ? -1 : 1)));
  });
});
