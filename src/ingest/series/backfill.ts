import { ConfigurationError } from "../../errors.ts";
import { isoDay } from "../../reference/calendar.ts";
import { retainPoints } from "../../store/history/series-points.ts";
import type { Store } from "../../store/tables.ts";
import type { ScheduledDataset } from "../schedule/scheduled.ts";
import type { Upstreams } from "../upstreams.ts";

export interface BackfillParts {
  readonly database: Store;
  readonly upstreams: Upstreams;
  /** UTC days, YYYY-MM-DD. Both days are included. By default, the backfill starts at the first day of the source. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export interface Backfilled {
  readonly received: number;
  readonly added: number;
}

/**
 * Requests earlier points of a dataset's series and stores those that are missing. Stored points remain, because they
 * are newer. Reads of a past state don't include the added points. The series only has a break where its sources or its
 * method changed.
 */
export async function backfill(
  { name, series: own }: ScheduledDataset,
  { database, upstreams, from, to }: BackfillParts,
): Promise<Backfilled> {
  const past = own?.backfill;
  if (!past) throw new ConfigurationError(`${name} has no source with earlier points`);
  if (upstreams.origin === "sample")
    throw new ConfigurationError("Samples have a history of their own: a backfill is for live data (IDS_DATA=live)");
  const missing = upstreams.missingOf(past.source);
  if (missing.length > 0) throw new ConfigurationError(`${past.source.name} cannot be read: set ${missing.join(", ")}`);
  const now = upstreams.now();
  const span = { from: from ?? past.begins, to: to ?? isoDay(now) };
  const points = (await past.read(upstreams.upstreamOf(past.source), span)).filter(({ at }) => {
    const day = isoDay(at);
    return day >= span.from && day <= span.to;
  });
  return database.transaction().execute(async (transaction) => {
    const reported = [...Map.groupBy(points, (point) => point.series)].map(([series, some]) => ({
      ...({ series: series.id, origin: "live", areSampled: false, onlyMissing: true } as const),
      basis: { methodology: series.methodology, sources: past.source.name },
      points: some.map(({ key, at, value }) => ({ key, at, value })),
    }));
    const added = await retainPoints(transaction, reported, now);
    return { received: points.length, added };
  });
}
