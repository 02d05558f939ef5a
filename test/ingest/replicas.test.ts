import { expect, test } from "vitest";
import { openDatabase } from "../../src/store/database.ts";
import { migrate } from "../../src/store/migrate.ts";
import { describeEachDatabase } from "../support/databases.ts";
import { replicaDelay } from "../support/processes/replica-delay.ts";

describeEachDatabase("A second process on the same Postgres", (_openFresh, freshPlace) => {
  test("serves a new generation soon after its commit, also when notifications are lost", async ({ skip }) => {
    const place = await freshPlace();
    if (place.url === undefined) return skip("one process owns the embedded database");
    const database = await openDatabase(place);
    await migrate(database, () => new Date());
    try {
      const { notified, unheard } = await replicaDelay(database, place.url, place.directory);
      // Ten times what is promised: the figures themselves are those of `make proof`.
      expect(notified).toBeLessThan(10_000);
      expect(unheard).toBeLessThan(30_000);
    } finally {
      await database.close();
    }
  });
});
