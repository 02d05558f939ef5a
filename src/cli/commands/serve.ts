import { createLog, logForm } from "../../log/log.ts";
import { servingLimits } from "../../store/pool.ts";
import { requireFreePort } from "../free-port.ts";
import { endWithin } from "../signals.ts";
import { openStore } from "../store.ts";
import type { Terminal } from "../terminal.ts";

const lingerMs = 500;

/** Serves until a signal comes; with `work`, a thread of this process refreshes the datasets. */
export async function serve(terminal: Terminal, work: boolean): Promise<void> {
  const config = terminal.config({ secrets: true });
  await requireFreePort("PORT", config.host, config.port);
  if (config.metricsPort !== undefined) await requireFreePort("IDS_METRICS_PORT", config.host, config.metricsPort);
  const log = createLog(config.logLevel, terminal.err, config.mask, logForm(terminal.environment, terminal.err));
  try {
    await using stack = new AsyncDisposableStack();
    // The embedded database starts in its thread while this one loads all that serves.
    const [database, { serveUntilStopped }] = await Promise.all([
      openStore(stack, config, "serve", (message) => log.warn(message), servingLimits),
      import("../serving.ts"),
    ]);
    await serveUntilStopped({ terminal, config, log, database, work });
  } catch (error) {
    // Everything is closed; a part that failed half-way may have left a timer behind.
    endWithin(lingerMs);
    throw error;
  }
}
