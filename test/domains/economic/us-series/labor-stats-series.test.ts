import { parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/economic/v1/get-labor-stats-series";

interface Body {
  readonly series: {
    readonly seriesId: string;
    readonly title: string;
    readonly units: string;
    readonly observations: readonly Observation[];
  };
}

interface Observation {
  readonly year: string;
  readonly period: string;
  readonly periodName: string;
  readonly value: string;
}

describeEachDatabase("GetLaborStatsSeries", (openFresh) => {
  let app: TestApp;
  let all: readonly Observation[];
  beforeAll(async () => {
    app = await startApp(await openFresh());
  });
  afterAll(() => app[Symbol.asyncDispose]());

  test("before the first refresh it says that there is no data, and not that there are no observations", async () => {
    const response = await app.get(`${path}?series_id=USPRIV`);
    expect(response.status).toBe(503);
    expect(await response.json()).toEqual({ message: expect.any(String) });
    expect(response.headers.get("retry-after")).toMatch(/^\d+$/);
    expect(response.headers.get("cache-control")).toBe("no-store");
  });

  test("after a refresh the sample is there, labelled as a sample, the newest 60 of it, oldest first", async () => {
    await app.refresh("labor-stats");
    const response = await app.get(`${path}?series_id=USPRIV`);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    all = (await app.json<Body>(`${path}?series_id=USPRIV&limit=500`)).series.observations;
    const { series } = await app.json<Body>(`${path}?series_id=USPRIV`);
    expect(series).toMatchObject({ title: "Total Private Nonfarm Payrolls", units: "Thousands of Persons" });
    expect(series.observations).toEqual(all.slice(-60));
    expect(all.length).toBeGreaterThanOrEqual(96);
    const places = all.map(({ year, period }) => `${year}-${period}`);
    expect(places).toEqual(places.toSorted());
    expect(places.at(-1)).toBe("2026-M10");
  });

  test.each(["USPRIV", "ECIALLCIV"])("values of %s are text in JSON, and numbers in files", async (id) => {
    const { observations } = (await app.json<Body>(`${path}?series_id=${id}`)).series;
    const parquet = await app.get(`${path}?series_id=${id}&format=parquet`);
    const rows = await parquetReadObjects({ file: await parquet.arrayBuffer() });
    expect(rows.map(({ value }) => value)).toEqual(observations.map(({ value }) => Number(value)));
    const csvw = await app.get(`${path}?series_id=${id}&format=csvw`);
    const { tableSchema } = (await csvw.json()) as {
      tableSchema: { columns: { titles: string; datatype: string }[] };
    };
    expect(tableSchema.columns.find(({ titles }) => titles === "value")?.datatype).toBe("double");
    const csv = await (await app.get(`${path}?series_id=${id}&format=csv`)).text();
    expect(csv.split("\r\n")[1]).toContain(`,${observations[0]!.value}`);
  });

  test.each([1, 12, 61])("limit=%i returns that number of the newest periods", async (limit) => {
    const { series } = await app.json<Body>(`${path}?series_id=USPRIV&limit=${limit}`);
    expect(series.observations).toEqual(all.slice(-limit));
  });

  test("an empty limit is none, and the id is taken in either case and by either name", async () => {
    const usual = await (await app.get(`${path}?series_id=USPRIV`)).text();
    for (const query of ["series_id=USPRIV&limit=", "series_id=uspriv", "seriesId=%20USPRIV%20"])
      expect(await (await app.get(`${path}?${query}`)).text()).toBe(usual);
  });

  test("the quarterly series has quarters, up to the last one that is over", async () => {
    const { series } = await app.json<Body>(`${path}?series_id=ECIALLCIV&limit=2`);
    expect(series).toMatchObject({
      seriesId: "ECIALLCIV",
      units: "Index (Dec 2005=100)",
      observations: [
        { year: "2026", period: "Q02", periodName: "2nd Quarter" },
        { year: "2026", period: "Q03", periodName: "3rd Quarter" },
      ],
    });
  });

  test.each([
    ["", "series_id"],
    ["series_id=", "series_id"],
    ["series_id=PAYEMS", "series_id"],
    ["series_id=USPRIV%20X", "series_id"],
    ["series_id=USPRIV&limit=0", "limit"],
    ["series_id=USPRIV&limit=-1", "limit"],
    ["series_id=USPRIV&limit=501", "limit"],
    ["series_id=USPRIV&limit=12.5", "limit"],
    ["series_id=USPRIV&limit=abc", "limit"],
  ])("%s is refused with the parameter's name", async (query, field) => {
    expect(await app.rejected(`${path}?${query}`)).toEqual([field]);
  });
});

describeEachDatabase("GetLaborStatsSeries live", (openFresh) => {
  let app: TestApp;
  let bls: unknown;
  let fred: ((id: string) => unknown) | undefined;
  const observations = (month: string, value: string) => [{ year: "2026", period: month, value }];
  const ofBls = (month: string, value: string) => ({
    status: "REQUEST_SUCCEEDED",
    Results: {
      series: [
        { seriesID: "CES0500000001", data: observations(month, value) },
        { seriesID: "CIS1010000000000I", data: observations("Q02", "170.0") },
      ],
    },
  });
  const ofFred = (date: string, value: string) => (id: string) => ({
    observations: id === "USPRIV" ? [{ date, value }] : [{ date: "2026-04-01", value: "170.1" }],
  });
  beforeAll(async () => {
    app = await startApp(await openFresh(), {
      // No variable of the Bureau's: it answers without.
      environment: { IDS_DATA: "live", FRED_API_KEY: "secret" },
      outside: responding(({ host, searchParams }) =>
        host === "api.bls.gov" ? bls : fred?.(searchParams.get("series_id") ?? ""),
      ),
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const latest = async () => (await app.json<Body>(`${path}?series_id=USPRIV&limit=1`)).series.observations[0]?.value;

  test("while no source answers there is no data: 503", async () => {
    await app.refresh("labor-stats");
    expect((await app.get(`${path}?series_id=USPRIV`)).status).toBe(503);
  });

  test("FRED is served while the Bureau is down, and health says what happened", async () => {
    fred = ofFred("2026-09-01", "136000");
    await app.refresh("labor-stats");
    expect(await latest()).toBe("136000");
    const states = (await app.condition("labor-stats")).sources.map(({ state }) => state);
    expect(states).toEqual(["failed", "ok"]);
  });

  test("the Bureau is preferred if both know the same month, and a value of zero is returned as it is", async () => {
    bls = ofBls("M09", "0.0");
    await app.refresh("labor-stats");
    expect(await latest()).toBe("0.0");
  });

  test("FRED is served where it knows a later month", async () => {
    fred = ofFred("2026-10-01", "136100");
    await app.refresh("labor-stats");
    expect(await latest()).toBe("136100");
  });

  test("an answer with one of the two series replaces nothing", async () => {
    bls = {
      status: "REQUEST_SUCCEEDED",
      Results: { series: [{ seriesID: "CES0500000001", data: observations("M11", "1") }] },
    };
    fred = undefined;
    const { generation } = await app.refresh("labor-stats");
    expect([generation, await latest()]).toEqual([undefined, "136100"]);
  });

  test("when every source is silent for days the last observations stay and are called stale; after four they are not served", async () => {
    app.setTime(new Date(testTime.getTime() + 3 * 86_400_000));
    expect(await latest()).toBe("136100");
    app.setTime(new Date("2027-02-01T00:00:00Z"));
    const response = await app.get(`${path}?series_id=USPRIV`);
    expect([response.status, response.headers.get("cache-control")]).toEqual([503, "no-store"]);
    expect(((await response.json()) as { message: string }).message).toContain(testTime.toISOString());
    expect((await app.condition("labor-stats")).state).toBe("expired");
  });
});
