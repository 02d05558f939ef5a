import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp, testTime } from "../../../support/app.ts";
import { describeEachDatabase } from "../../../support/databases.ts";
import { responding } from "../../../support/responding.ts";

const path = "/api/economic/v1/get-economic-stress";
const hourMs = 3_600_000;

interface Body {
  readonly compositeScore: number;
  readonly label: string;
  readonly components: readonly Component[];
  readonly seededAt: string;
  readonly unavailable: boolean;
}

interface Component {
  readonly id: string;
  readonly label: string;
  readonly rawValue: number;
  readonly score: number;
  readonly weight: number;
  readonly missing: boolean;
}

describeEachDatabase("GetEconomicStress", (openFresh) => {
  test("before the first refresh it is unavailable and never kept, and not calm", async () => {
    await using app = await startApp(await openFresh());
    const response = await app.get(path);
    expect([response.status, response.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(await response.json()).toEqual({
      compositeScore: 0,
      label: "",
      components: [],
      seededAt: "",
      unavailable: true,
    });
  });

  test("after a refresh the sample's six components are there, labelled as samples, and make the composite", async () => {
    await using app = await startApp(await openFresh());
    await app.refresh("economic-stress");
    expect((await app.get(path)).headers.get("x-data-origin")).toBe("sample");
    const { compositeScore, components, seededAt, unavailable } = await app.json<Body>(path);
    expect({ seededAt, unavailable }).toEqual({ seededAt: testTime.toISOString(), unavailable: false });
    expect(components.map(({ id }) => id)).toEqual(["T10Y2Y", "T10Y3M", "VIXCLS", "STLFSI4", "GSCPI", "ICSA"]);
    expect(components.filter(({ missing }) => missing)).toEqual([]);
    expect(compositeScore).toBeCloseTo(
      components.reduce((sum, { score, weight }) => sum + score * weight, 0),
      1,
    );
  });
});

describeEachDatabase("GetEconomicStress live", (openFresh) => {
  const values: Record<string, string> = {
    T10Y2Y: "0.10",
    T10Y3M: "-0.25",
    VIXCLS: "22",
    STLFSI4: "0.2",
    ICSA: "230000",
  };
  const gscpi = "Date,46296,46327\r\n30-Sep-2026,0.5,0.6\r\n31-Oct-2026,#N/A,0.4\r\n";
  let down: string[] = [];
  const outside = responding(({ host, searchParams }) => {
    if (host === "www.newyorkfed.org") return down.includes("GSCPI") ? undefined : gscpi;
    const id = searchParams.get("series_id") ?? "";
    const value = down.includes(id) ? undefined : values[id];
    return (
      value && {
        observations: [
          { date: "2026-11-13", value: "." },
          { date: "2026-11-12", value },
        ],
      }
    );
  });
  const start = async (environment: Readonly<Record<string, string>> = {}) => {
    const live = { IDS_DATA: "live", FRED_API_KEY: "secret", ...environment };
    return startApp(await openFresh(), { environment: live, outside });
  };
  let app: TestApp;
  beforeAll(async () => {
    app = await start({ IDS_SOURCE_VIXCLS: "on" });
  });
  afterAll(() => app[Symbol.asyncDispose]());

  const stress = async () => {
    const body = await app.json<Body>(path);
    return { score: body.compositeScore, label: body.label, unavailable: body.unavailable, seededAt: body.seededAt };
  };

  test("without the supply chain index there is an index of five, scaled", async () => {
    down = ["GSCPI"];
    await app.refresh("economic-stress");
    expect(await stress()).toMatchObject({ score: 22.6, label: "Moderate", unavailable: false });
    const { components } = await app.json<Body>(path);
    expect(components[4]).toEqual({
      id: "GSCPI",
      label: "Supply Chain",
      rawValue: 0,
      score: 0,
      weight: 0.15,
      missing: true,
    });
  });

  test("with it there are six", async () => {
    down = [];
    app.setTime(new Date(testTime.getTime() + 24 * hourMs));
    await app.refresh("economic-stress");
    expect(await stress()).toMatchObject({ score: 25.2, label: "Moderate", unavailable: false });
  });

  test("a value at its calm end is a score of zero that was measured", async () => {
    values.VIXCLS = "15";
    await app.refresh("economic-stress");
    const { components } = await app.json<Body>(path);
    expect(components[2]).toMatchObject({ id: "VIXCLS", rawValue: 15, score: 0, missing: false });
    values.VIXCLS = "22";
    await app.refresh("economic-stress");
  });

  const before = new Date(testTime.getTime() + 24 * hourMs).toISOString();

  test("while one series of FRED is missing no new index is made, and health says why", async () => {
    down = ["ICSA"];
    app.setTime(new Date(testTime.getTime() + 30 * hourMs));
    await app.refresh("economic-stress");
    expect(await stress()).toMatchObject({ score: 25.2, unavailable: false, seededAt: before });
    const condition = await app.condition("economic-stress");
    expect(condition.sources.find(({ name }) => name === "fred-stress")?.state).toBe("failed");
  });

  test("after 6 hours the last values are stale: unavailable and still returned, though the other source responds", async () => {
    down = ["T10Y2Y"];
    app.setTime(new Date(testTime.getTime() + 49 * hourMs));
    const { sources } = await app.refresh("economic-stress");
    expect(sources.map(({ state }) => state)).toEqual(["failed", "ok"]);
    const response = await app.get(path);
    expect(response.headers.get("cache-control")).toBe("no-store");
    expect(await response.json()).toMatchObject({ compositeScore: 25.2, unavailable: true, seededAt: before });
  });

  test("when both sources are down nothing changes, and the next good answers bring it back", async () => {
    down = ["T10Y2Y", "GSCPI"];
    await app.refresh("economic-stress");
    expect(await stress()).toMatchObject({ score: 25.2, unavailable: true });
    down = [];
    await app.refresh("economic-stress");
    expect(await stress()).toMatchObject({ score: 25.2, unavailable: false });
  });

  test("without permission the restricted series is missing: no value of it is served, live", async () => {
    await using open = await start();
    await open.refresh("economic-stress");
    const { compositeScore, components } = await open.json<Body>(path);
    expect(compositeScore).toBe(28.8);
    expect(components[2]).toEqual({
      id: "VIXCLS",
      label: "Volatility",
      rawValue: 0,
      score: 0,
      weight: 0.2,
      missing: true,
    });
  });

  test("without FRED from the start the supply chain is not enough for an index", async () => {
    await using only = await start({ FRED_API_KEY: "" });
    await only.refresh("economic-stress");
    expect(await only.json<Body>(path)).toMatchObject({
      compositeScore: 0,
      label: "",
      components: [],
      unavailable: true,
    });
  });
});
