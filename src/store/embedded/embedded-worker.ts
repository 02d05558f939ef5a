import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { openEngine } from "./embedded-engine.ts";
import { checkpoint, vacuum } from "./embedded-maintenance.ts";
import { serveEmbedded } from "./embedded-server.ts";

export interface EmbeddedWorkerData {
  readonly directory: string;
  readonly socketFolder: string;
}

/** Messages of the thread. `alive` is sent every second, unless a statement takes longer. */
export type EmbeddedWorkerMessage =
  | { readonly kind: "ready" | "alive" }
  | { readonly kind: "log"; readonly message: string };

const { directory, socketFolder }: EmbeddedWorkerData = workerData;

const engine = await openEngine(directory);
const server = await serveEmbedded(engine, {
  path: join(socketFolder, ".s.PGSQL.5432"),
  idleInTransactionMs: 60_000,
  log: (message) => report({ kind: "log", message }),
});
const stopping = new AbortController();
setInterval(report, 1000, { kind: "alive" });
parentPort?.once("message", stop);
report({ kind: "ready" });
void maintainRepeatedly(stopping.signal);

/** Vacuums tables a minute after the previous vacuum ended, because a large one takes longer than that. */
async function maintainRepeatedly(signal: AbortSignal): Promise<void> {
  for (;;) {
    await delay(60_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return;
    try {
      const settings = { kind: "embedded", address: socketFolder } as const;
      await vacuum(settings, signal);
      await checkpoint(settings);
    } catch (error) {
      const reason = error instanceof Error ? error.message : error;
      report({ kind: "log", message: `The maintenance of the embedded database failed: ${reason}` });
    }
  }
}

async function stop(): Promise<void> {
  stopping.abort();
  server.close();
  await engine.close();
  process.exit();
}

function report(message: EmbeddedWorkerMessage): void {
  parentPort?.postMessage(message);
}
