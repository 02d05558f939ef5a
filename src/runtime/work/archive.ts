import type { Logger } from "pino";
import { archivable, writeDays } from "../../archive/archive.ts";
import type { ArchiveParts } from "../../archive/day-writer.ts";
import { openArchive } from "../../archive/open-archive.ts";
import type { Config } from "../../config/config.ts";
import { datasets } from "../../domains/index.ts";
import type { Job } from "../../jobs/job.ts";
import type { JobKind } from "../../jobs/queue.ts";
import { programVersion } from "../../reference/program-version.ts";

/** Only one process archives at a time. If it ends early, the next run continues. */
export const archiveKind: JobKind = {
  ...{ name: "archive", onePerKey: true, retries: 0 },
  ...{ expireSeconds: 3_300, cacheSeconds: 86_400 },
};

/** Returns the dependencies of the archive job; undefined if no archive is configured. */
export function archiveParts(
  config: Pick<Config, "archive" | "proxy" | "data">,
  { database, clock }: Pick<ArchiveParts, "database" | "clock">,
): ArchiveParts | undefined {
  const store = openArchive(config);
  return store && { database, store, datasets, data: config.data, clock, program: programVersion() };
}

/** Archives complete days. It runs every hour, so that a failed run is soon repeated. */
export function archiveJob(parts: ArchiveParts | undefined, log: Logger): Job {
  return {
    kind: archiveKind,
    every: "41 * * * *",
    async work(_, { signal }) {
      if (!parts) return;
      for (const dataset of archivable(parts.datasets)) {
        if (signal.aborted) return;
        for await (const { day, tables } of writeDays(dataset, {}, parts)) {
          log.info({ dataset: dataset.name, day, rows: tables.map(({ rows }) => rows) }, "archived");
          if (signal.aborted) return;
        }
      }
    },
  };
}
