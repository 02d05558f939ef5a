import { beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { type InventedWto, inventedKeys, inventedWto } from "../../../support/domains/invented-wto.ts";

const path = "/api/trade/v1/get-trade-flows";
const dayMs = 86_400_000;

interface Flow {
  readonly year: number;
  readonly exportValueUsd: number;
  readonly importValueUsd: number;
  readonly yoyExportChange?: number;
  readonly yoyImportChange?: number;
}

interface Body {
  readonly flows: readonly Flow[];
  readonly fetchedAt: string;
  readonly upstreamUnavailable: boolean;
  readonly unavailableReason: string;
  readonly coverageStartYear: number;
  readonly coverageEndYear: number;
}

describeEachDatabase("GetTradeFlows on the sample", (openFresh) => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startApp(await openFresh());
    await app.refresh("trade-flows");
    return () => app[Symbol.asyncDispose]();
  });

  test("any key will do", async () => {
    expect((await app.get(path, { key: null })).status).toBe(401);
    expect((await app.get(path, { key: await app.key("free") })).status).toBe(200);
  });

  test("without parameters it returns the United States and the world, eleven years up to 2025, as samples", async () => {
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    const body = (await response.json()) as Body;
    expect(body.flows.map(({ year }) => year)).toEqual(Array.from({ length: 11 }, (_, i) => 2015 + i));
    expect(body.flows[0]).toEqual({
      reportingCountry: "United States of America",
      partnerCountry: "World",
      year: 2015,
      exportValueUsd: expect.any(Number),
      importValueUsd: expect.any(Number),
      // 2014 is on record, though it is not listed.
      yoyExportChange: expect.any(Number),
      yoyImportChange: expect.any(Number),
      productSector: "Total merchandise",
    });
    expect(body).toMatchObject({
      fetchedAt: testTime.toISOString(),
      upstreamUnavailable: false,
      unavailableReason: "UNSPECIFIED",
      coverageStartYear: 2015,
      coverageEndYear: 2025,
    });
  });

  test("values are millions of dollars: the United States export for more than a million millions", async () => {
    const { flows } = await app.json<Body>(`${path}?years=1`);
    expect(flows).toHaveLength(2);
    for (const { exportValueUsd } of flows) expect(exportValueUsd).toBeGreaterThan(1e6);
  });

  test("all 30 years are there; of the first the change is not known and left out", async () => {
    const { flows } = await app.json<Body>(`${path}?years=30`);
    expect(flows.map(({ year }) => year)).toEqual(Array.from({ length: 30 }, (_, i) => 1996 + i));
    expect(flows[0]).not.toHaveProperty("yoyExportChange");
    expect(flows[0]).not.toHaveProperty("yoyImportChange");
    for (const flow of flows.slice(1)) expect(flow.yoyExportChange).toEqual(expect.any(Number));
  });

  test("exports of zero are measured, and there is no change from them", async () => {
    const { flows } = await app.json<Body>(`${path}?reporting_country=570&years=30`);
    const zero = flows.find(({ year }) => year === 2021);
    expect(zero).toMatchObject({ exportValueUsd: 0, yoyExportChange: -100 });
    expect(flows.find(({ year }) => year === 2022)).not.toHaveProperty("yoyExportChange");
  });

  test("an economy with exports only, one without data, and an unknown one are not covered", async () => {
    for (const code of ["296", "891", "997"])
      expect(await app.json<Body>(`${path}?reporting_country=${code}`)).toMatchObject({
        flows: [],
        unavailableReason: "NOT_COVERED",
        upstreamUnavailable: false,
      });
  });

  test("the world is the default partner", async () => {
    const plain = await (await app.get(path)).text();
    for (const query of ["partner_country=000", "partner_country=", "reportingCountry=840&years=0", "years=10"])
      expect(await (await app.get(`${path}?${query}`)).text()).toBe(plain);
  });

  test.each([
    ...["84", "US", "%20840%20"].map((value) => ["reporting_country", value] as const),
    ...["0", "0000", "x00"].map((value) => ["partner_country", value] as const),
    ...["31", "-1", "10.5", "abc", "1e1"].map((value) => ["years", value] as const),
  ])("%s=%s is refused with the parameter's name", async (name, value) => {
    expect(await app.rejected(`${path}?${name}=${value}`)).toEqual([name]);
  });
});

describeEachDatabase("GetTradeFlows when time passes", (openFresh) => {
  let app: TestApp;
  let wto: InventedWto;
  let now = testTime.getTime();
  const names = Array.from({ length: 61 }, (_, i) => String(i + 100));
  const years = (codes: readonly string[]) => {
    const values = Object.fromEntries(codes.map((code) => [code, { 2023: 100, 2024: 0 }]));
    return { ITS_MTV_AX: values, ITS_MTV_AM: values };
  };
  beforeAll(async () => {
    wto = inventedWto();
    wto.reporters = Object.fromEntries(names.map((code) => [code, `Economy ${code}`]));
    wto.values = years(names.filter((code) => code !== "101"));
    app = await startApp(await openFresh(), { environment: inventedKeys, outside: wto.outside });
    await app.refresh("trade-flows");
    return () => app[Symbol.asyncDispose]();
  });
  const wait = (milliseconds: number) => {
    now += milliseconds;
    app.setTime(new Date(now));
  };
  const condition = async () => {
    return app.condition("trade-flows");
  };
  const of = (code: string) => app.json<Body>(`${path}?reporting_country=${code}`);

  test("one failed batch does not fail the others: they are new, its economies as they were", async () => {
    wait(dayMs);
    wto.fails = ({ searchParams }) => (searchParams.get("r") ?? "").includes("130");
    const { sources } = await app.refresh("trade-flows");
    expect(sources).toMatchObject([{ state: "partial", detail: expect.stringContaining("without 130, 131, 132") }]);
    expect(await of("100")).toMatchObject({ fetchedAt: new Date(now).toISOString(), unavailableReason: "UNSPECIFIED" });
    expect(await of("131")).toMatchObject({ fetchedAt: testTime.toISOString(), unavailableReason: "UNSPECIFIED" });
    expect((await of("131")).flows).toHaveLength(2);
  });

  test("an economy of a failed batch that was never read is not called uncovered", async () => {
    wto.reporters = { ...wto.reporters, "199": "Economy 199" };
    wto.fails = ({ searchParams }) => (searchParams.get("r") ?? "").includes("199");
    await app.refresh("trade-flows");
    expect(await of("199")).toMatchObject({ unavailableReason: "SEED_MISSING", upstreamUnavailable: true });
  });

  test("it is given up after three answers without data, not before; one that never had data is never listed", async () => {
    wto.fails = () => false;
    for (const reason of ["SEED_MISSING", "SEED_MISSING", "NOT_COVERED"]) {
      await app.refresh("trade-flows");
      expect((await of("199")).unavailableReason).toBe(reason);
      expect((await of("101")).unavailableReason).toBe("NOT_COVERED");
    }
  });

  test("what is on record stays when the source has no data of it any more", async () => {
    wto.values = years(names.filter((code) => code !== "102"));
    for (let run = 0; run < 4; run++) await app.refresh("trade-flows");
    expect((await of("102")).flows).toHaveLength(2);
  });

  test("a source that is down leaves everything as it was, and health reports it", async () => {
    const before = await (await app.get(`${path}?reporting_country=100`)).text();
    wait(dayMs);
    wto.fails = () => true;
    const requested = wto.requested.length;
    const { sources, generation } = await app.refresh("trade-flows");
    expect([sources[0]?.state, generation]).toEqual(["failed", undefined]);
    expect(wto.requested.length - requested).toBe(3);
    expect(await (await app.get(`${path}?reporting_country=100`)).text()).toBe(before);
    expect(await condition()).toMatchObject({ state: "degraded", sources: [{ state: "failed" }] });
  });

  test("a run that read nothing leaves the data to become stale", async () => {
    wait(2 * dayMs);
    await app.refresh("trade-flows");
    expect((await condition()).state).toBe("stale");
    expect(await of("100")).toMatchObject({ upstreamUnavailable: false, unavailableReason: "UNSPECIFIED" });
  });
});

describeEachDatabase("GetTradeFlows from another kind of upstream", (openFresh) => {
  test("live rows are never mixed with samples", async () => {
    const database = await openFresh();
    const sample = await startApp(database);
    await sample.refresh("trade-flows");
    await sample.refresh("trade-tariffs");
    await sample[Symbol.asyncDispose]();
    const wto = inventedWto();
    const values = { 840: { 2024: 1 } };
    wto.values = { ITS_MTV_AX: values, ITS_MTV_AM: values, TP_A_0010: values };
    await using live = await startApp(database, { environment: inventedKeys, outside: wto.outside });
    await live.refresh("trade-flows");
    await live.refresh("trade-tariffs");
    for (const [operation, list] of [
      ["get-trade-flows", "flows"],
      ["get-tariff-trends", "datapoints"],
    ] as const) {
      const response = await live.get(`/api/trade/v1/${operation}?years=30`);
      expect(response.headers.get("x-data-origin")).toBeNull();
      expect(((await response.json()) as Record<string, unknown[]>)[list]).toHaveLength(1);
      const other = await live.json<Body>(`/api/trade/v1/${operation}?reporting_country=156`);
      expect(other.unavailableReason).toBe("NOT_COVERED");
    }
  });
});
