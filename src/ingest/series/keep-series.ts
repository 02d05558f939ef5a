import type { Transaction } from "kysely";
import { forgetSamples, keepPoints } from "../../store/history/series-points.ts";
import type { StoreTables } from "../../store/tables.ts";
import { type DatasetSeries, sourcesOf } from "./series.ts";

/** Keeps the points that a refresh of a dataset brings. */
export async function keepSeries(
  transaction: Transaction<StoreTables>,
  { series: all, read }: DatasetSeries,
  {
    origin,
    sources,
    now,
  }: {
    readonly origin: "live" | "sample";
    /** Those that brought something. */
    readonly sources: readonly string[];
    readonly now: Date;
  },
): Promise<void> {
  // What was invented is no past of what is real.
  if (origin === "live")
    await forgetSamples(
      transaction,
      all.map(({ id }) => id),
    );
  const points = await read(transaction, now);
  const told = [...Map.groupBy(points, (point) => point.series)].flatMap(([series, own]) =>
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
  await keepPoints(transaction, told, now);
}
