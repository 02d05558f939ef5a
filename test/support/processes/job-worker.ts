import { encryption } from "../../../src/access/encryption.ts";
import { readConfig } from "../../../src/config/config.ts";
import { jobKinds, jobs } from "../../../src/domains/index.ts";
import type { ScenarioTimes } from "../../../src/domains/scenario/jobs.ts";
import type { Resolve } from "../../../src/egress/resolver.ts";
import { registerJobs } from "../../../src/jobs/job.ts";
import { openQueue } from "../../../src/jobs/queue.ts";
import type { Database } from "../../../src/store/database.ts";
import { testSecrets } from "../app.ts";

/** Runs every job beside the refreshes, as a worker does. */
export async function startJobs(
  database: Database,
  options: {
    readonly environment?: Readonly<Record<string, string>>;
    readonly clock?: () => Date;
    readonly resolve?: Resolve;
    readonly scenarioTimes?: Partial<ScenarioTimes>;
  } = {},
): Promise<AsyncDisposable> {
  const { environment = {}, clock = () => new Date(), scenarioTimes = {} } = options;
  const { resolve = () => Promise.reject(new Error("no names")) } = options;
  const { webhooks, data, proxy } = readConfig({ IDS_DATA: "sample", ...environment });
  const queue = await openQueue(database, { kinds: jobKinds, role: "work", log: () => undefined });
  const parts = {
    database: database.kysely,
    encryptionFor: (purpose: string) => encryption(testSecrets, purpose),
    clock,
    resolve,
    scenarioTimes,
  };
  await registerJobs(queue, jobs({ ...parts, random: () => 0.5, send: queue.send, webhooks, data, proxy }));
  return { [Symbol.asyncDispose]: () => queue.close(500) };
}
