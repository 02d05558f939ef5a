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

/** Serves requests until the process gets a signal. With `work`, a thread refreshes the datasets. */
export async function serve(terminal: Terminal, work: boolean): Promise<void> {
  const config = terminal.config({ secrets: true });
  await requireFreePort("PORT", config.host, config.port);
  if (config.metricsPort !== undefined) await requireFreePort("IDS_METRICS_PORT", config.host, config.metricsPort);
  await requireStripe(config.stripe);
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  try {
    await using stack = new AsyncDisposableStack();
    // At the first start, samples must be loaded, so the work thread loads its program early.
    const isFirst = config.databaseUrl === undefined && !existsSync(databaseFolder(config.directory));
    const workThread = work && isFirst && config.data === "sample" ? loadWorkThread(terminal.environment) : undefined;
    stack.defer(async () => void (await workThread?.terminate()));
    // The embedded database starts in its own thread while the main thread loads the server's modules.
    const tracing = await openTracing(config, (message) => log.warn(message));
    stack.defer(() => tracing?.close());
    const open = async () => {
      // The start of the database sets V8's heap flags for all threads, which read them when they start. It therefore
      // waits until the work thread has started.
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

/** Refreshes datasets until the process gets a signal. Other processes serve the data from the same database. */
export async function work(terminal: Terminal): Promise<void> {
  await workUntilStopped(terminal);
  endSoon();
}

async function workUntilStopped(terminal: Terminal): Promise<void> {
  const config = terminal.config({ secrets: true });
  if (!config.databaseUrl)
    throw new ConfigurationError("`ids work` requires a database shared with `ids serve`: set DATABASE_URL");
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  // These modules load here instead of with this file, because they would delay the start of `ids serve`.
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
