import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { datasets } from "./domains/index.ts";
import { createUpstreams, type Outside } from "./ingest/upstreams.ts";
import { ingestJob, startWork, type Work } from "./ingest/work.ts";
import { openQueue } from "./jobs/queue.ts";
import type { Database } from "./store/database.ts";

/** Everything that happens without a request: what `ids work` runs, and the work thread of `ids serve`. */
export async function startWorker(parts: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly outside?: Outside;
}): Promise<Work> {
  const { config, database, log, outside } = parts;
  const clock = () => new Date();
  const queue = await openQueue(database, { kinds: [ingestJob], role: "work", log: (message) => log.warn(message) });
  const upstreams = createUpstreams(config, clock, Math.random, outside);
  return startWork({ database, queue, datasets, upstreams, clock, log });
}
