import type { DescMethod } from "@bufbuild/protobuf";
import { encryption } from "../../../src/access/encryption.ts";
import { configuredPlans } from "../../../src/access/plans.ts";
import { readConfig } from "../../../src/config/config.ts";
import type { DeliveryTimes } from "../../../src/delivery/delivery-jobs.ts";
import { jobKinds, jobs } from "../../../src/domains/index.ts";
import type { ScenarioTimes } from "../../../src/domains/scenario/jobs.ts";
import type { Resolve } from "../../../src/egress/resolver.ts";
import { type Job, registerJobs } from "../../../src/jobs/job.ts";
import { openQueue, type Send } from "../../../src/jobs/queue.ts";
import { datasetTiers } from "../../../src/runtime/operation-access.ts";
import { withheldSources } from "../../../src/runtime/withheld.ts";
import type { Database } from "../../../src/store/database.ts";
import { testSecrets } from "../app.ts";

export interface JobOptions {
  readonly environment?: Readonly<Record<string, string>>;
  readonly clock?: () => Date;
  readonly resolve?: Resolve;
  readonly scenarioTimes?: Partial<ScenarioTimes>;
  readonly deliveryTimes?: Partial<DeliveryTimes>;
}

/** Runs every job in addition to the refreshes, as a worker does. */
export async function startJobs(database: Database, options: JobOptions = {}): Promise<AsyncDisposable> {
  const queue = await openQueue(database, { kinds: jobKinds, role: "work", log: () => undefined });
  await registerJobs(queue, jobsOf(database, queue.send, options));
  return { [Symbol.asyncDispose]: () => queue.close(500) };
}

/** Every job in addition to the refreshes, for a queue or to be run by hand. */
export function jobsOf(database: Database, send: Send, options: JobOptions = {}): readonly Job[] {
  const { environment = {}, clock = () => new Date(), scenarioTimes = {}, deliveryTimes = {} } = options;
  const { resolve = () => Promise.reject(new Error("no names")) } = options;
  const config = readConfig({ IDS_DATA: "sample", ...environment });
  const { webhooks, mail, data, proxy, planLimits } = config;
  const parts = {
    database: database.kysely,
    encryptionFor: (purpose: string) => encryption(testSecrets, purpose),
    clock,
    resolve,
    scenarioTimes,
    deliveryTimes,
    ...{ plans: configuredPlans(planLimits), tiers: datasetTiers(), warn: () => undefined, admits: () => true },
    withheldSources: (method: DescMethod) => withheldSources(method, config),
  };
  return jobs({ ...parts, random: () => 0.5, send, webhooks, mail, data, proxy });
}
