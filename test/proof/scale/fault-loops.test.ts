import { beforeAll, expect, test } from "vitest";
import { describeEachDatabase } from "../../support/databases.ts";
import { type FaultRun, failingCalls, isRejected, startFaultBed } from "../../support/faults/fault-loop.ts";
import type { Scenario } from "../../support/faults/fault-scenario.ts";
import { faultyClock, onClock } from "../../support/faults/faulty-clock.ts";
import * as work from "../../support/faults/work-scenarios.ts";
import * as writes from "../../support/faults/write-scenarios.ts";

const clock = faultyClock();
const timed = [...Object.values(writes), work.batch].map((each) => onClock(each as Scenario<unknown>, clock));
const scenarios: readonly { readonly name: string }[] = [...Object.values(writes), ...Object.values(work), ...timed];

describeEachDatabase("with each call to what is outside failing in turn", (openFresh) => {
  let bed: Awaited<ReturnType<typeof startFaultBed>>;
  beforeAll(async () => {
    bed = await startFaultBed(await openFresh(), { clock, environment: { IDS_ALLOW_LOOPBACK_WEBHOOKS: "on" } });
    return () => bed[Symbol.asyncDispose]();
  });

  test.each(scenarios)(
    "$name loses nothing that was acknowledged, and does nothing twice",
    {
      timeout: 1_800_000,
    },
    async (given) => {
      const scenario = given as Scenario<unknown>;
      const runs: FaultRun[] = [];
      for await (const run of failingCalls(scenario, bed)) runs.push(run);
      const rejected = runs.filter(({ first }) => isRejected(first)).length;
      console.log(`${scenario.name}: ${runs.length} faults, ${rejected} refused`);
      const broken = runs.filter((run) => run.broken.length > 0);
      expect(broken.map((run) => `${run.fault} ${run.call}, ${run.statement}: ${run.broken.join("; ")}`)).toEqual([]);
    },
  );
});
