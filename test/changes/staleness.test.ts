import { beforeEach, expect, test } from "vitest";
import { datasets } from "../../src/domains/index.ts";
import { logStaleness } from "../../src/ingest/states.ts";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp, testTime } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { changesOf, outage, outageBed } from "./listed-changes.ts";

describeEachDatabase("datasets that become stale", (openFresh) => {
  let database: Database;
  let app: TestApp;
  let now = testTime;
  beforeEach(async () => {
    now = testTime;
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const look = (data: "live" | "sample" = "live") =>
    logStaleness({ database: database.kysely, datasets, missingOf: () => [], data, clock: () => now });
  const later = (hours: number) => {
    now = new Date(now.getTime() + hours * 3_600_000);
  };
  const kinds = async () =>
    (await changesOf(app, "kinds=stale,recovered")).changes.map(({ dataset, kind }) => `${dataset} ${kind}`);

  test("passing its age is one entry and the next reading another, however often it is requested", async () => {
    const { refresh } = outageBed(database, { name: "cloudflare-radar" }, () => now);
    await refresh([outage("a")]);
    await look();
    expect(await kinds()).toEqual([]);
    later(100);
    await Promise.all([look(), look(), look()]);
    expect(await kinds()).toEqual(["internet-outages stale"]);
    await refresh([outage("a")]);
    await Promise.all([look(), look()]);
    expect(await kinds()).toEqual(["internet-outages stale", "internet-outages recovered"]);
  });

  test("samples that are stale are none of live mode's, and the live data after them have not recovered", async () => {
    const { refresh } = outageBed(database, { name: "cloudflare-radar" }, () => now);
    await refresh([outage("a")], { origin: "sample" });
    later(100);
    await look();
    await look("sample");
    await refresh([outage("b")]);
    await look();
    expect(await kinds()).toEqual([]);
  });
});
