import type { Logger } from "pino";
import { accessRetention } from "../../access/retention.ts";
import type { Config } from "../../config/config.ts";
import { datasets, domainRetention } from "../../domains/index.ts";
import { versionedTables } from "../../ingest/dataset.ts";
import { sourceRetention } from "../../ingest/responses/source-reads.ts";
import { stateRetention } from "../../ingest/states.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobKind } from "../../jobs/queue.ts";
import { dayMs } from "../../reference/duration.ts";
import { changeRetention } from "../../store/changes/change-log.ts";
import { seriesRetention } from "../../store/history/series-points.ts";
import { versionRetention } from "../../store/history/versions.ts";
import type { Retention } from "../../store/retention.ts";
import type { Store } from "../../store/tables.ts";

export const retentions: readonly Retention<keyof Config["retain"]>[] = [
  ...accessRetention,
  ...domainRetention,
  ...versionRetention(versionedTables(datasets)),
  seriesRetention,
  changeRetention,
  stateRetention,
  ...sourceRetention,
];

/** Only one process deletes old rows at a time. */
export const retentionKind: JobKind = { name: "retention", onePerKey: true, retries: 0, cacheSeconds: 86_400 };

/** Maximum number of rows per statement. A concurrent request waits for at most one statement. */
const atOnce = 1_000;

export interface RetentionParts {
  readonly database: Store;
  readonly retain: Config["retain"];
  readonly clock: () => Date;
  readonly log: Logger;
  readonly max?: number;
}

/** Deletes expired rows in small steps. If the process ends early, the next run continues. */
export function retentionJob(parts: RetentionParts): Job {
  const { retain, clock, log } = parts;
  return {
    kind: retentionKind,
    every: "23 * * * *",
    async work(_, { signal }) {
      const failures: unknown[] = [];
      for (const retention of retentions) {
        const days = typeof retention.stored === "number" ? retention.stored : retain[retention.stored];
        if (days === Number.POSITIVE_INFINITY) continue;
        const before = new Date(clock().getTime() - days * dayMs);
        try {
          const rows = await forgetAll(retention, before, signal, parts);
          if (rows > 0) log.info({ table: retention.table, rows, before }, "expired rows deleted");
        } catch (error) {
          failures.push(error);
        }
      }
      if (failures.length > 0) throw new AggregateError(failures, failures.join("; "));
    },
  };
}

async function forgetAll(
  { forget }: Retention,
  before: Date,
  signal: AbortSignal,
  { database, clock, max = atOnce }: RetentionParts,
): Promise<number> {
  let rows = 0;
  while (!signal.aborted) {
    const ended = await forget(database, before, { max, now: clock() });
    if (ended === 0) break;
    rows += ended;
  }
  return rows;
}
