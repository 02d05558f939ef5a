import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Environment } from "../config/setting.ts";
import type { ConnectionSettings } from "../store/pool.ts";

/** The thread in which a serving process refreshes its datasets: parsing never blocks a request. */
export interface WorkThread {
  /** Rejects when the thread ends by itself. */
  readonly failed: Promise<never>;
  /** Resolves when everything that was due at the start was tried once. */
  readonly caughtUp: Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the thread is started with. */
export interface WorkThreadData {
  readonly environment: Environment;
  readonly settings: ConnectionSettings;
}

const maxYoungGenerationSizeMb = 24;
/** Refreshes under way get this long to end. */
const closeWithinMs = 3_000;

export function startWorkThread(environment: Environment, settings: ConnectionSettings, log: Logger): WorkThread {
  const data: WorkThreadData = { environment: { ...environment }, settings };
  const worker = new Worker(new URL("./work-thread-entry.ts", import.meta.url), {
    workerData: data,
    // A smaller one makes what lives for one refresh old, a larger one is only held for refreshes that come now and then.
    resourceLimits: { maxYoungGenerationSizeMb },
  });
  const exited = new Promise<void>((resolve) => worker.once("exit", () => resolve()));
  // The one thing that it tells.
  const caughtUp = new Promise<void>((resolve) => worker.once("message", () => resolve()));
  let closing = false;
  const failed = new Promise<never>((_resolve, reject) => {
    worker.on("error", (error) => {
      log.error({ err: error }, "the work thread failed");
      reject(error);
    });
    worker.once("exit", () => closing || reject(new Error("The work thread ended by itself")));
  });
  failed.catch(() => undefined);
  return {
    failed,
    caughtUp,
    async close() {
      closing = true;
      worker.postMessage("stop");
      const late = setTimeout(() => void worker.terminate(), closeWithinMs);
      await exited;
      clearTimeout(late);
    },
  };
}
