import type { Database } from "../../src/store/database.ts";
import { retainPoints } from "../../src/store/history/series-points.ts";
import { testTime } from "./app.ts";

interface Point {
  readonly key: string;
  readonly at: number;
  readonly value: number;
  readonly method?: string;
}

/** Stores live points of a series as if its source had reported them. */
export async function storePoints(
  { kysely }: Database,
  series: string,
  points: readonly Point[],
  recordedAt = testTime.getTime(),
): Promise<void> {
  const reported = [...Map.groupBy(points, ({ method = "a" }) => method)].map(([methodology, own]) => ({
    ...({ series, origin: "live", areSampled: false } as const),
    basis: { methodology, sources: "test" },
    points: own.map(({ key, at, value }) => ({ key, at: new Date(at), value })),
  }));
  await kysely.transaction().execute((transaction) => retainPoints(transaction, reported, new Date(recordedAt)));
}
