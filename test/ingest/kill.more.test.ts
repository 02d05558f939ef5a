import { expect, test } from "vitest";
import { describeEachDatabase } from "../support/databases.ts";
import { ingestKillRound } from "../support/processes/ingest-kill-round.ts";

describeEachDatabase("An ingest that is killed", (_openFresh, freshPlace) => {
  test("leaves whole generations only, and every acknowledged one", async () => {
    const place = await freshPlace();
    for (const [generations, afterMs] of [
      [0, 60],
      [2, 20],
    ] as const)
      expect((await ingestKillRound(place, generations, afterMs)).faults).toEqual([]);
  });
});
