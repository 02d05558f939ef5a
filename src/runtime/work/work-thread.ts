import { once } from "node:events";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import type { Logger } from "pino";
import type { Environment } from "../../config/setting.ts";
import { Unavailable } from "../../errors.ts";
import type { ConnectionSettings } from "../../store/pool.ts";

/** The thread in which a serving process refreshes its datasets: parsing never blocks a request. */
export interface WorkThread {
  /** Rejects when the thread ends by itself. */
  readonly failed: Promise<never>;
  /** Resolves when everything that was due at the start was tried once. */
  readonly caughtUp: Promise<void>;
  readonly close: () => Promise<void>;
}

/** What the thread is started with; its first message are the settings of the database. */
export interface WorkThreadData {
  readonly environment: Environment;
}

const initialOldSpaceMb = 320;
/** Refreshes under way get this long to end. */
const closeWithinMs = 3_000;
const againAfterMs = 2_000;

/** Begins to load the thread's program, which then waits for its database. */
export function loadWorkThread(environment: Environment): Worker {
  const data: WorkThreadData = { environment: { ...environment } };
  // Much is read at a start, and given back after it: until then a collection finds little, and takes 5 % of the time.
  setFlagsFromString(`--initial-old-space-size=${initialOldSpaceMb}`);
  return new Worker(new URL("./work-thread-entry.ts", import.meta.url), { workerData: data });
}

/** Loads the thread's program for the code that is compiled, and ends it. */
export async function compileWorkThread(): Promise<void> {
  const worker = loadWorkThread({});
  worker.postMessage(undefined);
  await once(worker, "exit");
}

/** Starts the thread, and again where the database went away while it started: an embedded one that broke comes back by itself. */
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
  let again: NodeJS.Timeout | undefined;
  let worker: Worker | undefined;
  let exited = Promise.resolve();
  run(loaded);
  return {
    failed: failed.promise,
    caughtUp: caughtUp.promise,
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
    let cause: unknown = new Error("The work thread ended by itself");
    // The one thing that it tells.
    worker.once("message", () => caughtUp.resolve());
    worker.on("error", (error) => {
      cause = error;
    });
    exited = new Promise((resolve) =>
      worker?.once("exit", () => {
        resolve();
        if (!closing) ended(cause);
      }),
    );
  }

  function ended(cause: unknown): void {
    // Its class does not come through.
    if (cause instanceof Error && cause.name === Unavailable.name) {
      log.warn({ reason: cause.message }, "the work thread is started again");
      again = setTimeout(() => run(), againAfterMs);
      return;
    }
    log.error({ err: cause }, "the work thread failed");
    failed.reject(cause);
  }
}
