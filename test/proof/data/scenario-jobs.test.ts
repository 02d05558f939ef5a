import { setTimeout as wait } from "node:timers/promises";
import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { startApp } from "../../support/app.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import {
  countOf,
  faultsOf,
  queueScenarios,
  recordEnds,
  startScenarioWorker,
} from "../../support/processes/scenario-kills.ts";

const jobs = 200;
const kills = 20;

describeEachDatabase("scenario jobs under kill -9", (_openFresh, freshPlace) => {
  test(`${jobs} jobs and ${kills} kills: every job is done exactly once, none is stuck or lost`, async ({ skip }) => {
    const place = await freshPlace();
    if (place.url === undefined) return skip("one process owns the embedded database");
    const database = await openDatabase(place);
    await migrate(database, () => new Date());
    await recordEnds(database);
    {
      await using app = await startApp(database);
      await app.refresh("country-imports");
    }
    const ids: string[] = [];
    let inHand = 0;
    let open = 0;
    for (let round = 0; round < kills; round++) {
      ids.push(...(await queueScenarios(database, jobs / kills)));
      const worker = await startScenarioWorker(place);
      await wait(Math.random() * 250);
      await worker.kill();
      inHand += await countOf(database, "processing");
      open += (jobs / kills) * (round + 1) - (await countOf(database, "done"));
    }
    const started = performance.now();
    const last = await startScenarioWorker(place);
    await expect.poll(() => countOf(database, "done"), { timeout: 180_000 }).toBe(jobs);
    const seconds = Math.round((performance.now() - started) / 1_000);
    await last.kill();
    expect(await faultsOf(database, ids)).toEqual([]);
    expect(inHand).toBeGreaterThan(0);
    console.log(
      `${jobs} scenario jobs, ${kills} kills: ${inHand} were in hand when their worker died, ${Math.round(open / kills)} open at a kill on average; the rest took ${seconds} s`,
    );
    await database.close();
  });
});
