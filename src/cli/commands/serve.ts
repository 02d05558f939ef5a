import { randomBytes } from "node:crypto";
import type { Logger } from "pino";
import { CompanyMonitoringService } from "../../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { type DemoKeys, giveDemoScopes, provideDemoKeys, shownDemoPlans } from "../../access/keys/demo-keys.ts";
import { keyScopes } from "../../access/keys/keys.ts";
import { operatorKeyFile, provideFirstOperatorKey, provideOperatorKey } from "../../access/keys/operator-keys.ts";
import { provideSecrets } from "../../access/secret.ts";
import type { Config } from "../../config/config.ts";
import { operationsOf } from "../../contract/catalog.ts";
import { provideDemoImpacts } from "../../domains/company-monitoring/demo-impacts.ts";
import { createLog, logForm } from "../../log/log.ts";
import { openRequest } from "../../pages/landing.ts";
import type { DemoKey } from "../../pages/reference/reference.ts";
import { createApp } from "../../runtime/app.ts";
import { startWorkThread } from "../../runtime/work-thread.ts";
import type { Database } from "../../store/database.ts";
import { servingLimits } from "../../store/pool.ts";
import { requireFreePort } from "../free-port.ts";
import { settingWarnings } from "../setting-warnings.ts";
import { endWithin, untilStopped } from "../signals.ts";
import { openStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

const lingerMs = 500;

/** What the demo account of the highest tier may do with companies. */
const companyScopes = new Set(
  operationsOf(CompanyMonitoringService).flatMap(({ access }) => (access.scope === "" ? [] : access.scope)),
);

/** Serves until a signal comes; with `work`, a thread of this process refreshes the datasets. */
export async function serve(terminal: Terminal, work: boolean): Promise<void> {
  const config = terminal.config({ secrets: true });
  await requireFreePort("PORT", config.host, config.port);
  if (config.metricsPort !== undefined) await requireFreePort("IDS_METRICS_PORT", config.host, config.metricsPort);
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  for (const warning of settingWarnings(terminal.environment)) log.warn(warning);
  try {
    await serveUntilStopped(terminal, config, log, work);
  } catch (error) {
    // Everything is closed; a part that failed half-way may have left a timer behind.
    endWithin(lingerMs);
    throw error;
  }
}

async function serveUntilStopped(terminal: Terminal, config: Config, log: Logger, work: boolean): Promise<void> {
  const clock = () => new Date();
  await using stack = new AsyncDisposableStack();
  const database = await openStore(stack, config, "serve", (message) => log.warn(message), servingLimits);
  const secrets = await provideSecrets(config, randomBytes);
  const demoKeys = await provideKeys(database, config);
  const firstKey = config.demo
    ? undefined
    : await provideFirstOperatorKey(database.kysely, config.directory, randomBytes, clock());
  const working = work
    ? stack.adopt(startWorkThread(terminal.environment, database.settings, log), (thread) => thread.close())
    : undefined;
  // Samples are there in seconds; live sources may take minutes, or never answer.
  let isLoading = working !== undefined && config.data === "sample";
  const app = stack.adopt(
    await createApp({
      isLoading: () => isLoading,
      config,
      database,
      clock,
      random: Math.random,
      secrets,
      log,
      ...(demoKeys ? { demoKeys: shownKeys(demoKeys, config) } : {}),
    }),
    (started) => started.close(),
  );
  const stopped = untilStopped(log, working?.failed);
  if (isLoading) await Promise.race([working?.caughtUp, stopped]);
  await app.settled();
  isLoading = false;
  terminal.out.write(greeting(app.url, config, demoKeys));
  if (firstKey !== undefined) terminal.out.write(firstKeyText(terminal, config, firstKey));
  await stopped;
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

/** Those that the pages may show: never the operator's. */
function shownKeys(keys: DemoKeys, config: Config): DemoKey[] {
  const ofCompanies = config.companyMonitoring ? [...companyScopes] : [];
  return shownDemoPlans.map(({ name, tier }) => ({
    ...{ key: keys[name], tier },
    scopes: [...keyScopes, ...(name === "enterprise" ? ofCompanies : [])],
  }));
}

function greeting(url: string, config: Config, demoKeys: DemoKeys | undefined): string {
  const lines = [
    `Intelligence Data Service on ${url} (${config.data} data)`,
    ...(demoKeys
      ? ["  demo keys", ...Object.entries(demoKeys).map(([name, key]) => `    ${name.padEnd(10)} ${key}`)]
      : []),
    `  docs      ${url}/docs`,
    `  health    ${url}/api/health`,
    ...(config.data === "sample" ? [`  try       ${openRequest(url)}`] : []),
  ];
  return `${lines.join("\n")}\n`;
}

/** The key itself only where a person sees it and no log keeps it. */
function firstKeyText({ out }: Terminal, { directory }: Config, key: string): string {
  const shown = "isTTY" in out && out.isTTY === true ? `    ${key}\n` : "";
  return `  operator key, stored in ${operatorKeyFile(directory)} (readable only by this user)\n${shown}`;
}
