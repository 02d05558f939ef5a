import { expect, test } from "vitest";
import { openDatabase } from "../../../src/store/database.ts";
import { migrate } from "../../../src/store/migrate.ts";
import { describeEachDatabase } from "../../support/databases.ts";
import { replicaDelay } from "../../support/processes/replica-delay.ts";

describeEachDatabase("A second process on the same Postgres", (_openFresh, freshPlace) => {
  test("serves a new generation within 1 s, and within 3 s when notifications are lost", async ({ skip }) => {
    for (let round = 1; round <= 5; round++) {
      const place = await freshPlace();
      if (place.url === undefined) return skip("one process owns the embedded database");
      const database = await openDatabase(place);
      await migrate(database, () => new Date());
      const { notified, unheard } = await replicaDelay(database, place.url, place.directory);
      await database.close();
      console.log(
        `round ${round}: visible after ${Math.round(notified)} ms, ${Math.round(unheard)} ms without notifications`,
      );
      expect(notified).toBeLessThan(1_000);
      expect(unheard).toBeLessThan(3_000);
    }
  });
});
