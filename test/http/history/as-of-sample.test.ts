import { expect, onTestFinished, test } from "vitest";
import { datasets } from "../../../src/domains/index.ts";
import { dayMs } from "../../../src/reference/duration.ts";
import { startApp, testTime } from "../../support/app.ts";
import { openOnce } from "../../support/databases.ts";

/** Every dataset is read once. */
const patienceMs = 120_000;
const yesterday = new Date(testTime.getTime() - dayMs).toISOString().slice(0, 10);

interface Scores {
  readonly ciiScores: readonly { readonly region: string; readonly combinedScore: number }[];
}

interface Points {
  readonly points: readonly { readonly key: string; readonly value?: number }[];
}

test(
  "a sample answers as of a day before it began what its series say of that day, not what is left when nothing is told",
  async () => {
    const database = await openOnce();
    onTestFinished(database.close);
    await using app = await startApp(database);
    for (const { name } of datasets) await app.refresh(name);
    const asOf = `as_of=${yesterday}`;
    const { ciiScores } = await app.json<Scores>(`/api/intelligence/v1/get-risk-scores?${asOf}`);
    const { points } = await app.json<Points>(
      `/api/history/v1/get-series?series=risk.score&keys=UA,RU,IL,SY,SD&interval=day&from=${yesterday}&to=${yesterday}`,
    );
    const told = new Map(ciiScores.map(({ region, combinedScore }) => [region, combinedScore]));
    expect(points.length).toBeGreaterThan(3);
    expect(points.map(({ key }) => [key, told.get(key)])).toEqual(points.map(({ key, value }) => [key, value]));
  },
  patienceMs,
);
