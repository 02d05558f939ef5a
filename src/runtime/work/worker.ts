import type { Logger } from "pino";
import { encryption } from "../../access/encryption.ts";
import { isDemoAccount } from "../../access/keys/demo-keys.ts";
import { configuredPlans } from "../../access/plans.ts";
import type { Secrets } from "../../access/secret.ts";
import type { Config } from "../../config/config.ts";
import { liveSummary, offline } from "../../contract/live-summary.ts";
import { reportUnreadableWebhooks } from "../../delivery/secret-renewal.ts";
import { datasets, jobKinds, jobs } from "../../domains/index.ts";
import { nameServerResolver, type Resolve } from "../../egress/resolver.ts";
import { datasetStatuses } from "../../ingest/dataset-status.ts";
import type { SourceOutcome } from "../../ingest/refresh/refresh.ts";
import { storedBudget, storedRests } from "../../ingest/request-limits.ts";
import { ingestJob, startWork, type Work } from "../../ingest/schedule/work.ts";
import { stalenessKind, stateDaysKind, stateJobs } from "../../ingest/states.ts";
import { createUpstreams, type Outside } from "../../ingest/upstreams.ts";
import { registerJobs, runAfter } from "../../jobs/job.ts";
import { openQueue } from "../../jobs/queue.ts";
import { tracedQueue } from "../../jobs/traced-queue.ts";
import type { Database } from "../../store/database.ts";
import type { Tracing } from "../../telemetry/tracing.ts";
import { datasetTiers } from "../operation-access.ts";
import { withheldSources } from "../withheld.ts";
import { archiveJob, archiveKind, archiveParts } from "./archive.ts";
import { operatorAlertJob, operatorAlertKind } from "./operator-alerts.ts";
import { retentionJob, retentionKind } from "./retention.ts";

/** Starts all background work, for `ids work` and for the work thread of `ids serve`. */
export async function startWorker(parts: {
  readonly config: Config;
  readonly database: Database;
  readonly log: Logger;
  readonly outside?: Outside;
  readonly secrets: Secrets;
  readonly resolve?: Resolve;
  /** Called when the last running refresh ends. */
  readonly idle?: () => void;
  /** Tracing; undefined if it is off. */
  readonly tracing?: Tracing | undefined;
}): Promise<Work> {
  const { config, database, log, outside, secrets, tracing, resolve = nameServerResolver() } = parts;
  const clock = () => new Date();
  const kinds = [ingestJob, retentionKind, stalenessKind, stateDaysKind, archiveKind, operatorAlertKind, ...jobKinds];
  const opened = await openQueue(database, { kinds, role: "work", log: (message) => log.warn(message) });
  const queue = tracing ? tracedQueue(opened, tracing) : opened;
  const upstreams = createUpstreams(config, clock, Math.random, {
    takeRequest: storedBudget(database.kysely),
    rests: storedRests(database.kysely),
    tracing,
    ...outside,
  });
  const ofDomains = jobs({
    database: database.kysely,
    encryptionFor: (purpose) => encryption(secrets, purpose),
    clock,
    random: Math.random,
    resolve,
    send: queue.send,
    webhooks: config.webhooks,
    mail: config.mail,
    proxy: config.proxy,
    tracing,
    data: config.data,
    plans: configuredPlans(config.planLimits),
    tiers: datasetTiers(),
    admits: (account) => config.demo || !isDemoAccount(account),
    withheldSources: (method) => withheldSources(method, config),
    warn: (message) => log.warn(message),
  });
  const { missingOf } = upstreams;
  const made = [
    ...ofDomains,
    retentionJob({ database: database.kysely, retain: config.retain, clock, log }),
    ...stateJobs({ database: database.kysely, datasets, missingOf, data: config.data, clock }),
    operatorAlertJob({ config, database: database.kysely, datasets, missingOf, data: config.data, clock, log }),
    archiveJob(archiveParts(config, { database: database.kysely, clock }), log),
  ];
  const refreshed = (dataset: string) => runAfter(queue, made, dataset);
  // `idle` reports the end of refreshes only, because callers do not wait for the other jobs.
  let isFirst = true;
  const idle = () => {
    parts.idle?.();
    if (isFirst && config.data === "live") void logSummary();
    isFirst = false;
  };
  // After the first refreshes in live mode, logs which settings are missing or that no source is reachable.
  const logSummary = async () => {
    const statuses = await datasetStatuses(database.kysely, { datasets, missingOf, data: config.data, clock });
    log.warn(liveSummary(statuses).join(" "));
  };
  const own = new Set(datasets.flatMap(({ sources }) => sources.flatMap((each) => (each.own ? each.name : []))));
  let unreached = 0;
  // Without a network, the first refreshes take minutes, so the summary is logged as soon as the first few sources were
  // unreachable.
  const tried = (sources: readonly SourceOutcome[]) => {
    for (const { source, state, failure } of sources) {
      if (state === "paced" || failure === "unconfigured" || own.has(source)) continue;
      unreached = failure === "unreachable" ? unreached + 1 : Number.NaN;
      if (unreached === 5) log.warn(offline);
    }
  };
  const work = await startWork({ database, queue, datasets, upstreams, clock, log, tried, refreshed, idle });
  await registerJobs(queue, made);
  await reportUnreadableWebhooks(database.kysely, secrets, log);
  return work;
}
