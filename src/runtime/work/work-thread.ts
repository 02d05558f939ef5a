import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Environment } from "../../config/setting.ts";
import { Overloaded, Unavailable } from "../../errors.ts";
import type { ConnectionSettings } from "../../store/pool.ts";

/** The thread of a serving process that refreshes datasets, so that parsing never blocks a request. */
export interface WorkThread {
  /** Rejects if the thread ends unexpectedly. */
  readonly failed: Promise<never>;
  /** Resolves when every dataset that was due at the start has been tried once. */
  readonly caughtUp: Promise<void>;
  /** Ends the thread after its running work, and starts a new one to free memory. */
  readonly renew: () => void;
  readonly close: () => Promise<void>;
}

/** Data that the thread gets at its start. The first message to the thread contains the settings of the database. */
export interface WorkThreadData {
  readonly environment: Environment;
}

const initialOldSpaceMb = 320;
const closeWithinMs = 3_000;
const againAfterMs = 2_000;
/** Errors of the database. They are recognized by name, because an error from another thread has lost its class. */
const failuresOfDatabase = new Set<string>([Unavailable.name, Overloaded.name]);

/** Starts the thread and loads its program. The thread then waits for the settings of the database. */
export function loadWorkThread(environment: Environment, oldSpaceMb = initialOldSpaceMb): Worker {
  const data: WorkThreadData = { environment: { ...environment } };
  // A start reads a lot of data that is released afterwards. Collections during the start would find little and take 5
  // % of the time.
  setFlagsFromString(`--initial-old-space-size=${oldSpaceMb}`);
  return new Worker(new URL("./work-thread-entry.ts", import.meta.url), { workerData: data });
}

/** Loads the thread's program once, so that Node caches the compiled code. */
export async function compileWorkThread(): Promise<void> {
  const worker = loadWorkThread({});
  worker.postMessage(undefined);
  await once(worker, "exit");
}

/**
 * Starts the thread, and again if the database was lost or overloaded during the start, because an embedded database
 * recovers automatically.
 */
export function startWorkThread(
  environment: Environment,
  settings: ConnectionSettings,
  log: Logger,
  loaded?: Worker,
): WorkThread {
  const caughtUp = Promise.withResolvers<void>();
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  let closing = false;
  let isRenewed = false;
  let again: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;
  let exited = Promise.resolve();
  run(loaded);
  return {
    failed: failed.promise,
    caughtUp: caughtUp.promise,
    renew() {
      isRenewed = true;
      worker?.postMessage("stop");
    },
    async close() {
      closing = true;
      clearTimeout(again);
      worker?.postMessage("stop");
      const late = setTimeout(() => void worker?.terminate(), closeWithinMs);
      await exited;
      clearTimeout(late);
    },
  };

  function run(thread = loadWorkThread(environment)): void {
    worker = thread;
    worker.postMessage(settings);
    let cause: unknown = new Error("The work thread ended unexpectedly");
    // The only message of the thread says that everything due at its start was tried.
    worker.once("message", () => caughtUp.resolve());
    worker.on("error", (error) => {
      cause = error;
    });
    exited = new Promise((resolve) =>
      worker?.once("exit", () => {
        resolve();
        if (closing) return;
        if (isRenewed) run(loadWorkThread(environment, 0));
        else ended(cause);
        isRenewed = false;
      }),
    );
  }

  function ended(cause: unknown): void {
    if (cause instanceof Error && failuresOfDatabase.has(cause.name)) {
      log.warn({ reason: cause.message }, "the work thread is started again");
      again = setTimeout(() => run(), againAfterMs);
      return;
    }
    log.error({ err: cause }, "the work thread failed");
    failed.reject(cause);
  }
}
