import { afterAll, beforeAll, expect, test } from "vitest";
import { storedBudget } from "../../src/ingest/request-limits.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { startUpstreamServer, type UpstreamServer } from "../support/servers/upstream-server.ts";

describeEachDatabase("the requests of a day", (openFresh) => {
  let database: Database;
  let outside: UpstreamServer;
  let now = testTime;

  beforeAll(async () => {
    database = await openFresh();
    outside = await startUpstreamServer(["bls", "eurostat-house-prices"], () => now);
  });
  afterAll(async () => {
    await outside[Symbol.asyncDispose]();
  });

  const start = (environment: Readonly<Record<string, string>> = {}): Promise<TestApp> =>
    startApp(database, {
      environment: { IDS_DATA: "live", ...environment },
      now,
      outside: { transport: outside.transport, wait: async () => undefined, floorOf: () => 1 },
    });
  const sent = () => outside.requests.filter(({ host }) => host === "api.bls.gov").length;
  const bureau = async (app: TestApp) => (await app.condition("labor-stats")).sources[0];

  test("are counted over restarts, and a source without calls keeps its last good data while others continue", async () => {
    let runs = 0;
    for (let spent = false; !spent; runs++) {
      await using app = await start();
      const { sources } = await app.refresh("labor-stats");
      spent = sources[0]?.state !== "ok";
      expect(runs).toBeLessThan(30);
    }
    expect(runs).toBeGreaterThan(2);
    expect(sent()).toBe(25);
    await using app = await start();
    const { sources } = await app.refresh("labor-stats");
    expect(sources[0]).toMatchObject({
      state: "failed",
      detail: "the 25 requests of bls for the day are spent, the next day begins at 2026-11-19T00:00Z",
    });
    expect(sent()).toBe(25);
    expect(await bureau(app)).toMatchObject({
      state: "failed",
      failure: "The source's quota is used up",
      rowsOut: expect.any(Number),
    });
    expect((await app.get("/api/economic/v1/get-labor-stats-series?series_id=USPRIV")).status).toBe(200);
    expect((await app.refresh("eu-housing-cycle")).sources[0]?.state).not.toBe("failed");
  });

  test("are more with a key, and start again with the next day", async () => {
    const before = sent();
    {
      await using app = await start({ BLS_API_KEY: "secret" });
      await app.refresh("labor-stats");
      expect(sent()).toBeGreaterThan(before);
    }
    now = new Date(testTime.getTime() + 86_400_000);
    await using app = await start();
    expect((await app.refresh("labor-stats")).sources[0]?.state).toBe("ok");
    expect(
      (await database.query("select source, day::text, requests from source_request where source = 'bls' order by day"))
        .rows,
    ).toMatchObject([
      { source: "bls", day: "2026-11-18", requests: expect.any(Number) },
      { source: "bls", day: "2026-11-19", requests: expect.any(Number) },
    ]);
  });

  test("are not more when many processes take them at once", async () => {
    const take = storedBudget(database.kysely);
    const taken = await Promise.all(Array.from({ length: 40 }, () => take("shared", "2026-11-18", 17)));
    expect(taken.filter(Boolean)).toHaveLength(17);
    expect(await take("shared", "2026-11-18", 18)).toBe(true);
    expect(await take("other", "2026-11-18", 1)).toBe(true);
  });

  test("are forgotten after a month", async () => {
    const take = storedBudget(database.kysely);
    await take("old", "2026-10-01", 5);
    await take("old", "2026-11-18", 5);
    const { rows } = await database.query("select day::text from source_request where source = 'old'");
    expect(rows).toEqual([{ day: "2026-11-18" }]);
  });
});
