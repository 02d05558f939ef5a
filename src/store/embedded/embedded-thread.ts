import { Worker } from "node:worker_threads";
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from "./embedded-worker.ts";

export interface EmbeddedThread {
  /** Resolves when the database accepts connections. */
  readonly ready: Promise<void>;
  /** Resolves with the cause. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const closeWithinMs = 5000;
/** Silence is counted in checks instead of time, because a suspended process would see only one long check. */
const looksPerStatement = 4;

/** Starts the thread. A statement that exceeds its timeout cannot be canceled, so it ends the thread. */
export function startEmbeddedThread(
  data: EmbeddedWorkerData,
  log: (message: string) => void,
  maxStatementMs: number,
): EmbeddedThread {
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData: data });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  let cause: unknown = "its thread ended";
  let looks: NodeJS.Timeout | undefined;
  let silent = 0;
  worker.on("message", (message: EmbeddedWorkerMessage) => {
    silent = 0;
    if (message.kind === "log") log(message.message);
    if (message.kind !== "ready") return;
    looks = setInterval(look, maxStatementMs / looksPerStatement);
    ready.resolve();
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.on("exit", () => {
    clearInterval(looks);
    ready.reject(cause);
    ended.resolve(cause);
  });
  return { ready: ready.promise, ended: ended.promise, stop };

  function look(): void {
    if (silent++ < looksPerStatement) return;
    cause = `a statement took more than ${maxStatementMs} ms`;
    void worker.terminate();
  }

  async function stop(): Promise<void> {
    worker.postMessage("stop");
    // Acknowledged data is on disk in any case. A regular stop only avoids recovery at the next start.
    const late = setTimeout(() => worker.terminate(), closeWithinMs);
    await ended.promise;
    clearTimeout(late);
  }
}
