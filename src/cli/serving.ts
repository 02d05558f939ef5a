import { randomBytes } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import type { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import { CompanyMonitoringService } from "../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import {
  type DemoKeys,
  demoKeyFile,
  giveDemoScopes,
  provideDemoKeys,
  shownDemoPlans,
} from "../access/keys/demo-keys.ts";
import { keyScopes } from "../access/keys/keys.ts";
import { operatorKeyFile, provideFirstOperatorKey, provideOperatorKey } from "../access/keys/operator-keys.ts";
import { provideSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { textOf } from "../config/setting.ts";
import { operationsOf } from "../contract/catalog.ts";
import { reportUnreadableWebhooks } from "../delivery/secret-renewal.ts";
import { provideDemoImpacts } from "../domains/company-monitoring/demo-impacts.ts";
import { datasets } from "../domains/index.ts";
import { overdue } from "../ingest/schedule/work.ts";
import { openRequest } from "../pages/reference/example-request.ts";
import type { DemoKey } from "../pages/reference/reference.ts";
import { createApp } from "../runtime/app.ts";
import { memoryReturn } from "../runtime/work/memory-return.ts";
import { startWorkThread } from "../runtime/work/work-thread.ts";
import type { Database } from "../store/database.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { memoryWarnings, settingWarnings } from "./setting-warnings.ts";
import { untilStopped } from "./signals.ts";
import type { Terminal } from "./terminal.ts";

/** Scopes for company monitoring, which the demo account with the highest tier has. */
const companyScopes = new Set(
  operationsOf(CompanyMonitoringService).flatMap(({ access }) => (access.scope === "" ? [] : access.scope)),
);

/** Maximum time for loading samples at startup, and the interval of checks. */
const loadWithinMs = 120_000;
const pollMs = 500;

/** Resources that are open before the server starts. */
export interface Serving {
  readonly terminal: Terminal;
  readonly config: Config;
  readonly log: Logger;
  /** The migrated database. The caller closes it. */
  readonly database: Database;
  /** Replica of the database for reads; undefined without one. */
  readonly replica: Database | undefined;
  readonly work: boolean;
  /** The work thread, if it has already started to load its program. */
  readonly workThread?: Worker | undefined;
  readonly tracing: Tracing | undefined;
}

/** Serves requests from an open store until the process gets a signal. */
export async function serveUntilStopped(serving: Serving): Promise<void> {
  const { terminal, config, log, database, replica, work, workThread, tracing } = serving;
  for (const warning of settingWarnings(terminal.environment)) log.warn(warning);
  const clock = () => new Date();
  await using stack = new AsyncDisposableStack();
  const secrets = await provideSecrets(config, randomBytes);
  const demoKeys = await provideKeys(database, config);
  const firstKey = config.demo
    ? undefined
    : await provideFirstOperatorKey(database.kysely, config.directory, randomBytes, clock());
  // The start waits only for samples, which load in seconds. Live sources may take minutes or never respond.
  const isLoading = work && config.data === "sample" && (await isAnyDue(database, clock()));
  for (const warning of memoryWarnings(process.constrainedMemory(), isLoading)) log.warn(warning);
  let unready = isLoading ? "the samples are being loaded" : undefined;
  const isJson = textOf(terminal.environment, "IDS_LOG_FORMAT") === "json";
  if (isLoading && !isJson) terminal.out.write("Loading sample data …\n");
  const startWork = () => startWorkThread(terminal.environment, database.settings, log, workThread);
  // Without samples to load, the work thread starts after the server, so that requests are served first.
  let working = isLoading ? startWork() : undefined;
  // The work thread and the tracing both wait for the tracing collector, so they are closed in parallel.
  stack.defer(async () => void (await Promise.all([working?.close(), tracing?.close()])));
  const app = stack.adopt(
    await createApp({
      unready: () => unready,
      config,
      database,
      replica,
      clock,
      random: Math.random,
      secrets,
      log,
      tracing,
      ...(demoKeys ? { demoKeys: shownKeys(demoKeys, config) } : {}),
    }),
    (started) => started.close(),
  );
  if (work) working ??= startWork();
  const stopped = untilStopped(log, config.drainMs, working?.failed);
  if (!work) await reportUnreadableWebhooks(database.kysely, secrets, log);
  // Frees the memory of the startup now. A later garbage collection would delay a request.
  const freeMemory = memoryReturn();
  if (isLoading) {
    freeMemory();
    const waiting = new AbortController();
    const loaded = database.kind === "embedded" ? working?.caughtUp : untilNoneDue(database, clock, waiting.signal);
    await Promise.race([loaded, stopped]);
    waiting.abort();
    // A new work thread replaces the one that loaded the samples, because the old one would keep about 80 MB.
    working?.renew();
  }
  const isStopping = await Promise.race([stopped.then(() => true), app.settled().then(() => false)]);
  if (!isStopping) {
    if (!isLoading) freeMemory();
    unready = undefined;
    const keys = demoKeys ?? (firstKey === undefined ? {} : { operator: firstKey });
    const file = demoKeys ? demoKeyFile(config.directory) : operatorKeyFile(config.directory);
    const stored = Object.keys(keys).length > 0 ? { keys: file } : {};
    // Keys are shown only on a terminal, because a file or journal would store them.
    const shown = terminal.out.isTTY ? keys : {};
    if (isJson) log.info({ url: app.url, data: config.data, ...stored }, "service started");
    else terminal.out.write(greeting(app.url, config, stored, shown));
  }
  const signal = await stopped;
  // Supervisors send SIGTERM. Load balancers need time to see in /readyz that the process stops.
  if (signal === "SIGTERM" && config.drainMs !== undefined) {
    unready = "the process is stopping";
    app.drain();
    await delay(config.drainMs);
  }
}

/** Returns whether any sample data has not been loaded yet. */
async function isAnyDue(database: Database, now: Date): Promise<boolean> {
  return (await overdue(database, datasets, { origin: "sample", now })).length > 0;
}

/**
 * Waits for the samples, which all processes on a store load together. If a dataset cannot be loaded, the wait ends
 * after a time, and the health check shows the dataset.
 */
async function untilNoneDue(database: Database, clock: () => Date, signal: AbortSignal): Promise<void> {
  const last = clock().getTime() + loadWithinMs;
  while (!signal.aborted && clock().getTime() < last && (await isAnyDue(database, clock())))
    await delay(pollMs, undefined, { signal }).catch(() => undefined);
}

async function provideKeys({ kysely }: Database, config: Config): Promise<DemoKeys | undefined> {
  if (config.demo) {
    const keys = await provideDemoKeys(kysely, config.directory, randomBytes, config.operatorKey, new Date());
    if (config.companyMonitoring) {
      const account = await giveDemoScopes(kysely, "enterprise", [...companyScopes]);
      await provideDemoImpacts(kysely, account, new Date(), randomBytes);
    }
    return keys;
  }
  await provideOperatorKey(kysely, config.operatorKey, new Date());
  return undefined;
}

/** Returns the demo keys that pages may show, which excludes the operator key. */
function shownKeys(keys: DemoKeys, config: Config): DemoKey[] {
  const ofCompanies = config.companyMonitoring ? [...companyScopes] : [];
  return shownDemoPlans.map(({ name, tier }) => ({
    ...{ key: keys[name], tier },
    scopes: [...keyScopes, ...(name === "enterprise" ? ofCompanies : [])],
  }));
}

function greeting(url: string, config: Config, stored: { readonly keys?: string }, shown: object): string {
  const lines = [
    `Intelligence Data Service on ${url} (${config.data} data)`,
    ...(stored.keys ? [`  keys      in ${stored.keys} (readable only by this user)`] : []),
    ...Object.entries(shown).map(([name, key]) => `    ${name.padEnd(10)} ${key}`),
    `  docs      ${url}/docs`,
    `  health    ${url}/api/health`,
    config.data === "sample"
      ? `  try       ${openRequest(url)}`
      : `  sources   ${url}/status lists what is connected; \`npx ids init\` lists the keys that are missing`,
  ];
  return `${lines.join("\n")}\n`;
}
