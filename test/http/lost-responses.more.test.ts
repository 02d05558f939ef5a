import { beforeAll, expect, test } from "vitest";
import { describeEachDatabase } from "../support/databases.ts";
import { failingCalls, startFaultBed } from "../support/faults/fault-loop.ts";
import type { Scenario } from "../support/faults/fault-scenario.ts";
import * as writes from "../support/faults/write-scenarios.ts";

describeEachDatabase("a write whose answer from the database is lost", (openFresh) => {
  let bed: Awaited<ReturnType<typeof startFaultBed>>;
  beforeAll(async () => {
    bed = await startFaultBed(await openFresh());
    return () => bed[Symbol.asyncDispose]();
  });

  const each: readonly { readonly name: string }[] = [writes.rotateKey, writes.createRule, writes.admitImpact];
  test.each(each)("is done once, whichever call it was: $name", async (given) => {
    const scenario = { ...(given as Scenario<unknown>), source: { ...bed.faulty, faults: ["cut after"] } };
    let runs = 0;
    for await (const { call, statement, broken } of failingCalls(scenario, bed)) {
      runs += 1;
      expect(broken, `${call}, ${statement}`).toEqual([]);
    }
    expect(runs).toBeGreaterThan(5);
  });
});
