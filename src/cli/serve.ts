import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { requireStripe } from "../access/billing/billing.ts";
import { provideSecrets } from "../access/secret.ts";
import { ConfigurationError } from "../errors.ts";
import { createLog, logForm } from "../log/log.ts";
import { loadWorkThread } from "../runtime/work/work-thread.ts";
import { databaseFolder } from "../store/embedded/folder-check.ts";
import { servingLimits } from "../store/pool.ts";
import { openTracing } from "../telemetry/open-tracing.ts";
import { exitCodes } from "./failures.ts";
import { requireFreePort } from "./free-port.ts";
import { endSoon, untilStopped } from "./signals.ts";
import { attachReadReplica, openStore } from "./store.ts";
import type { Terminal } from "./terminal.ts";

/** Serves until a signal arrives. With `work`, a thread of this process refreshes the datasets. */
export async function serve(terminal: Terminal, work: boolean): Promise<void> {
  const config = terminal.config({ secrets: true });
  await requireFreePort("PORT", config.host, config.port);
  if (config.metricsPort !== undefined) await requireFreePort("IDS_METRICS_PORT", config.host, config.metricsPort);
  await requireStripe(config.stripe);
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  try {
    await using stack = new AsyncDisposableStack();
    // If samples must be loaded first, the thread for that is loaded in the meantime.
    const isFirst = config.databaseUrl === undefined && !existsSync(databaseFolder(config.directory));
    const workThread = work && isFirst && config.data === "sample" ? loadWorkThread(terminal.environment) : undefined;
    stack.defer(async () => void (await workThread?.terminate()));
    // The embedded database starts in its thread while this thread loads the server.
    const tracing = await openTracing(config, (message) => log.warn(message));
    stack.defer(() => tracing?.close());
    const open = async () => {
      // The heap settings apply to all threads and are read when a thread starts.
      if (workThread) await once(workThread, "online");
      return openStore(stack, config, "serve", (message) => log.warn(message), { limits: servingLimits, tracing });
    };
    const replica = attachReadReplica(stack, config, tracing);
    const [database, { serveUntilStopped }] = await Promise.all([open(), import("./serving.ts")]);
    await serveUntilStopped({ terminal, config, log, database, replica, work, workThread, tracing });
  } catch (error) {
    endSoon(exitCodes.late.code);
    throw error;
  }
  endSoon();
}

/** Refreshes the datasets until a signal arrives. Another process serves them from the same Postgres. */
export async function work(terminal: Terminal): Promise<void> {
  await workUntilStopped(terminal);
  endSoon();
}

async function workUntilStopped(terminal: Terminal): Promise<void> {
  const config = terminal.config({ secrets: true });
  if (!config.databaseUrl)
    throw new ConfigurationError("`ids work` requires a database shared with `ids serve`: set DATABASE_URL");
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  // The modules of the datasets load here, because a start of `ids serve` opens the database first.
  const { settingWarnings } = await import("./setting-warnings.ts");
  const { startWorker } = await import("../runtime/work/worker.ts");
  for (const warning of settingWarnings(terminal.environment)) log.warn(warning);
  await using stack = new AsyncDisposableStack();
  const tracing = await openTracing(config, (message) => log.warn(message));
  stack.defer(() => tracing?.close());
  const database = await openStore(stack, config, "work", (message) => log.warn(message), { tracing });
  const secrets = await provideSecrets(config, randomBytes);
  stack.adopt(await startWorker({ config, database, log, secrets, tracing }), (worker) => worker.close());
  log.info("working");
  await untilStopped(log, undefined, undefined);
}
