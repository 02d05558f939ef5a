import { afterAll, beforeAll, expect, test } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { type FaultBed, failingCalls, type Scenario } from "../support/faults/fault-loop.ts";
import { type FaultyDatabase, startFaultyDatabase } from "../support/faults/faulty-database.ts";
import * as writes from "../support/faults/write-scenarios.ts";

describeEachDatabase("a write whose answer from the database is lost", (openFresh) => {
  let faulty: FaultyDatabase;
  let app: TestApp;
  let bed: FaultBed;
  beforeAll(async () => {
    const database = await openFresh();
    faulty = await startFaultyDatabase(database);
    app = await startApp(faulty.database);
    bed = { database, faulty, app };
  });
  afterAll(async () => {
    await app[Symbol.asyncDispose]();
    await faulty[Symbol.asyncDispose]();
  });

  const each: readonly { readonly name: string }[] = [writes.rotateKey, writes.createRule, writes.admitImpact];
  test.each(each)("is done once, whichever call it was: $name", async (given) => {
    const scenario = { ...(given as Scenario<unknown>), source: { ...faulty, faults: ["cut after"] } };
    let runs = 0;
    for await (const { call, statement, broken } of failingCalls(scenario, bed)) {
      runs += 1;
      expect(broken, `${call}, ${statement}`).toEqual([]);
    }
    expect(runs).toBeGreaterThan(5);
  });
});
