import type { Kysely } from "kysely";
import type { Job } from "../../jobs/job.ts";
import type { JobKind } from "../../jobs/queue.ts";
import { logChanges } from "../../store/changes/change-log.ts";
import type { StoreTables } from "../../store/tables.ts";
import { datasetStatuses, type StatusParts } from "../dataset-status.ts";

/** One process at a time checks which datasets became stale or fresh. */
export const stalenessKind: JobKind = { name: "staleness", onePerKey: true, retries: 0, cacheSeconds: 3_600 };

export interface StalenessParts extends StatusParts {
  readonly database: Kysely<StoreTables>;
}

export function stalenessJob(parts: StalenessParts): Job {
  return { kind: stalenessKind, every: "* * * * *", work: () => logStaleness(parts) };
}

/** Each change is logged once, even if several processes check. */
export async function logStaleness({ database, ...parts }: StalenessParts): Promise<void> {
  const fresh = new Map(parts.datasets.map(({ name, freshForMinutes }) => [name, 60 * freshForMinutes]));
  for (const { name, origin, generation, ageSeconds } of await datasetStatuses(database, parts)) {
    if (origin === undefined || generation === undefined || ageSeconds === undefined) continue;
    const isStale = ageSeconds > (fresh.get(name) ?? Number.POSITIVE_INFINITY);
    const at = parts.clock();
    await database.transaction().execute(async (transaction) => {
      const moved = await transaction
        .updateTable("dataset")
        .set({ stale_since: isStale ? at : null })
        .where("name", "=", name)
        // A dataset that was refreshed in the meantime is checked by the next run.
        .where("generation", "=", String(generation))
        .where("stale_since", isStale ? "is" : "is not", null)
        .executeTakeFirst();
      if (moved.numUpdatedRows > 0n)
        await logChanges(transaction, { dataset: name, origin, at }, [{ kind: isStale ? "stale" : "recovered" }]);
    });
  }
}
