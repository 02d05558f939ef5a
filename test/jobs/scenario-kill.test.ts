import { sql } from "kysely";
import { expect, test } from "vitest";
import { type Database, openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { storeExposures } from "../support/domains/exposure-table.ts";
import {
  countOf,
  faultsOf,
  queueScenarios,
  recordEnds,
  startScenarioWorker,
} from "../support/processes/scenario-kills.ts";

describeEachDatabase("scenario jobs in the hands of workers that are killed", (_openFresh, freshPlace) => {
  test("are each done exactly once", async ({ skip }) => {
    const place = await freshPlace();
    if (place.url === undefined) return skip("one process owns the embedded database");
    const database = await openDatabase(place);
    await migrate(database, () => new Date());
    await storeExposures(database);
    await recordEnds(database);
    const ids = await queueScenarios(database, 10);
    for (let kills = 0; kills < 3; kills++) await killInMidJob(database, place);
    const last = await startScenarioWorker(place);
    await expect.poll(() => countOf(database, "done"), { timeout: 20_000 }).toBe(10);
    await last.kill();
    expect(await faultsOf(database, ids)).toEqual([]);
    await database.close();
  });
});

/** Kills a worker that has taken a job and waits for the exposures, which are locked in the meantime. */
async function killInMidJob(database: Database, place: Parameters<typeof startScenarioWorker>[0]): Promise<void> {
  const held = async () => {
    const { rows } = await database.query("select lease from scenario_job where lease is not null");
    return (rows as { lease: string }[]).map(({ lease }) => lease);
  };
  const before = new Set(await held());
  await database.kysely.transaction().execute(async (transaction) => {
    await sql`lock table chokepoint_exposure in access exclusive mode`.execute(transaction);
    const worker = await startScenarioWorker(place);
    await expect
      .poll(async () => (await held()).filter((lease) => !before.has(lease)).length, { timeout: 10_000 })
      .toBeGreaterThan(0);
    await worker.kill();
  });
}
