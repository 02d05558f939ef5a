import { expect, test } from "vitest";
import { describeEachDatabase } from "../../support/databases.ts";
import { ingestKillRound } from "../../support/processes/ingest-kill-round.ts";

const rounds = 50;

describeEachDatabase("kill -9 during ingest", (_openFresh, freshPlace) => {
  test(`${rounds} times: every restart is clean, every generation whole, nothing acknowledged is lost`, {
    timeout: 900_000,
  }, async () => {
    const place = await freshPlace();
    const reopened: number[] = [];
    let acknowledged = 0;
    for (let round = 0; round < rounds; round++) {
      const result = await ingestKillRound(place, round % 6, (round * 37) % 400);
      expect(result.faults, `round ${round}`).toEqual([]);
      reopened.push(result.reopenMs);
      acknowledged += result.acknowledged;
    }
    reopened.sort((a, b) => a - b);
    console.log(
      `${rounds} kills: ${acknowledged} datasets acknowledged and found, reopening took ${Math.round(reopened[rounds / 2] ?? 0)} ms at the median, ${Math.round(reopened.at(-1) ?? 0)} ms at most`,
    );
  });
});
