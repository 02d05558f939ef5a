import type { Transaction } from "kysely";
import { forgetSamples, keysOf, retainPoints } from "../../store/history/series-points.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { DatasetSeries, SeriesPoint } from "./dataset-series.ts";
import { sourcesOf } from "./series.ts";

export async function retainSeries(
  transaction: Transaction<StoreTables>,
  { series: all, read, absentIsZero }: DatasetSeries,
  {
    origin,
    sources,
    now,
  }: {
    readonly origin: "live" | "sample";
    readonly sources: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  // The points of samples are deleted, because they are not the past of live data.
  if (origin === "live")
    await forgetSamples(
      transaction,
      all.map(({ id }) => id),
    );
  const known = await read(transaction, now);
  const points = absentIsZero ? [...known, ...(await zeros(transaction, known, origin))] : known;
  const reported = [...Map.groupBy(points, (point) => point.series)].flatMap(([series, own]) =>
    [...Map.groupBy(own, ({ missing = [] }) => missing.join(", "))].map(([missing, alike]) => ({
      series: series.id,
      origin,
      basis: {
        methodology: series.methodology,
        sources: [...sourcesOf(series, sources), ...(missing === "" ? [] : [`without ${missing}`])].join(", "),
      },
      areSampled: series.step === "refresh",
      points: alike.map(({ key, at, value }) => ({ key, at, value })),
    })),
  );
  await retainPoints(transaction, reported, now);
}

async function zeros(
  transaction: Transaction<StoreTables>,
  points: readonly SeriesPoint[],
  origin: "live" | "sample",
): Promise<SeriesPoint[]> {
  const added: SeriesPoint[] = [];
  for (const [series, own] of Map.groupBy(points, (point) => point.series)) {
    const counted = new Set(own.map(({ key }) => key));
    const days = [...new Set(own.map(({ at }) => at.getTime()))];
    for (const key of await keysOf(transaction, { series: series.id, origin }))
      if (!counted.has(key)) added.push(...days.map((day) => ({ series, key, at: new Date(day), value: 0 })));
  }
  return added;
}
