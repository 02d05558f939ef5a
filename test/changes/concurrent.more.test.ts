import { beforeEach, expect, test } from "vitest";
import type { Database } from "../../src/store/database.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { describeOnce } from "../support/databases.ts";
import { followWhileWriting, missedBySequence } from "./concurrent-changes.ts";

describeOnce("changes by several writers at the same time", (openFresh) => {
  let database: Database;
  let app: TestApp;
  beforeEach(async () => {
    database = await openFresh();
    app = await startApp(database, { environment: { IDS_DATA: "live" } });
    return app[Symbol.asyncDispose];
  });
  const scene = { changes: 3_000, writers: 4, readers: 5, kills: 20 };

  test("every reader sees each once and in order, however often it is cut and resumes", async () => {
    await followWhileWriting(database, app, await app.key("operator"), scene);
  });

  test("positions of a sequence would lose some, those of the log none", async ({ skip }) => {
    skip(database.kind !== "postgres", "one transaction at a time");
    expect(await missedBySequence(database, scene, true)).toBeGreaterThan(0);
    await database.query("truncate change");
    expect(await missedBySequence(database, scene, false)).toBe(0);
  });
});
