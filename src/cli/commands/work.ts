import { randomBytes } from "node:crypto";
import { provideSecrets } from "../../access/secret.ts";
import { ConfigurationError } from "../../errors.ts";
import { createLog, logForm } from "../../log/log.ts";
import { startWorker } from "../../runtime/work/worker.ts";
import { openTracing } from "../../telemetry/open-tracing.ts";
import { settingWarnings } from "../setting-warnings.ts";
import { endSoon, untilStopped } from "../signals.ts";
import { openStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

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
