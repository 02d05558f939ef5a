import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/economic/v1/get-eu-gas-storage";
const hourMs = 3_600_000;

interface Body {
  readonly fillPct: number;
  readonly fillPctChange1d: number;
  readonly gasDaysConsumption: number;
  readonly trend: string;
  readonly history: readonly { readonly date: string; readonly fillPct: number; readonly gasTwh: number }[];
  readonly seededAt: string;
  readonly updatedAt: string;
  readonly unavailable: boolean;
}

describeEachDatabase("GetEuGasStorage", (openFresh) => {
  test("before the first refresh it is unavailable and never kept, and not an empty store", async () => {
    await using app = await startApp(await openFresh());
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      fillPct: 0,
      fillPctChange1d: 0,
      hasFillPctChange1d: false,
      gasDaysConsumption: 0,
      trend: "",
      history: [],
      seededAt: "0",
      updatedAt: "",
      unavailable: true,
    });
  });

  test("after a refresh the sample's five latest days are there, labelled as samples, oldest first", async () => {
    await using app = await startApp(await openFresh());
    await app.refresh("eu-gas-storage");
    const response = await app.get(path);
    expect(response.headers.get("x-data-origin")).toBe("sample");
    expect(response.headers.get("cache-control")).toContain("max-age=300");
    const body = await app.json<Body>(path);
    expect(body).toMatchObject({ unavailable: false, seededAt: String(testTime.getTime()) });
    expect(body.history).toHaveLength(5);
    expect(body.history.map(({ date }) => date).toSorted()).toEqual(body.history.map(({ date }) => date));
    const [before, latest] = body.history.slice(-2);
    expect(latest).toMatchObject({ date: body.updatedAt, fillPct: body.fillPct });
    expect(body.fillPctChange1d).toBeCloseTo(latest!.fillPct - before!.fillPct, 9);
    expect(body.trend).toBe(body.fillPctChange1d > 0.05 ? "injecting" : "withdrawing");
    expect(Number.isInteger(body.gasDaysConsumption)).toBe(true);
  });

  test("the error of a country names the series with its fill level", async () => {
    await using app = await startApp(await openFresh());
    for (const country of ["DE", "Germany"]) {
      const response = await app.get(`${path}?country=${country}`);
      expect(response.status).toBe(400);
      expect(await response.text()).toContain("get-series?series=gas.country_fill&keys=DE");
    }
  });

  test("a key is needed, and any plan's will do", async () => {
    await using app = await startApp(await openFresh());
    expect((await app.get(path, { key: null })).status).toBe(401);
    expect((await app.get(path, { key: await app.key("free") })).status).toBe(200);
  });
});

describeEachDatabase("GetEuGasStorage live", (openFresh) => {
  const day = (gasDayStart: string, full: string) => ({ gasDayStart, full, gasInStorage: "720.5" });
  let app: TestApp;
  let answer: unknown;
  beforeAll(async () => {
    app = await startApp(await openFresh(), {
      environment: { IDS_DATA: "live", AGSI_API_KEY: "secret" },
      outside: responding(() => answer),
    });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const sourceState = async () => {
    return (await app.condition("eu-gas-storage")).sources[0]?.state;
  };

  test("a level that stayed is a change of zero that was measured", async () => {
    answer = { data: [day("2026-11-17", "81.40"), day("2026-11-16", "81.40")] };
    await app.refresh("eu-gas-storage");
    expect(await app.json<Body>(path)).toMatchObject({
      fillPct: 81.4,
      fillPctChange1d: 0,
      gasDaysConsumption: 40,
      trend: "stable",
      updatedAt: "2026-11-17",
      unavailable: false,
    });
  });

  test("while its source is down the last values stay and health says what happened", async () => {
    answer = undefined;
    app.setTime(new Date(testTime.getTime() + 72 * hourMs));
    await app.refresh("eu-gas-storage");
    expect(await app.json<Body>(path)).toMatchObject({ fillPct: 81.4, unavailable: false });
    expect(await sourceState()).toBe("failed");
  });

  test("a response without days, as for a wrong key, does not mean an empty store", async () => {
    answer = { last_page: 0, total: 0, data: [] };
    const { generation, sources } = await app.refresh("eu-gas-storage");
    expect([generation, sources[0]?.state]).toEqual([undefined, "failed"]);
  });

  test("after 72 hours the last values are stale: unavailable, and still returned", async () => {
    app.setTime(new Date(testTime.getTime() + 72 * hourMs + 10_001));
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({
      unavailable: true,
      fillPct: 81.4,
      trend: "stable",
      seededAt: String(testTime.getTime()),
    });
  });

  test("a source that responds without a day of the last six days is unavailable", async () => {
    answer = { data: [day("2026-11-15", "81.34"), day("2026-11-14", "81.40")] };
    await app.refresh("eu-gas-storage");
    expect(await app.json<Body>(path)).toMatchObject({ unavailable: true, updatedAt: "2026-11-15" });
  });

  test("the next good answer makes them available again", async () => {
    answer = { data: [day("2026-11-20", "81.34"), day("2026-11-19", "81.40")] };
    await app.refresh("eu-gas-storage");
    expect(await app.json<Body>(path)).toMatchObject({
      unavailable: false,
      fillPctChange1d: -0.06,
      trend: "withdrawing",
    });
  });
});
