import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { ConfigurationError } from "../errors.ts";
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from "./embedded-worker.ts";
import { lockFolder } from "./folder-lock.ts";

/** The embedded database of this process. */
export interface Embedded {
  /** Folder of the Unix socket it listens on. */
  readonly socketFolder: string;
  readonly close: () => Promise<void>;
}

const restartAfterMs = 1000;
const closeWithinMs = 5000;
// The kernel takes 107 bytes on Linux, 103 on macOS.
const longestSocketPath = 100;
const socketName = ".s.PGSQL.5432";

/** Starts the embedded database in a thread, and again if it breaks; the folder is this process's alone until closed. */
export async function startEmbedded(folder: string, log: (message: string) => void): Promise<Embedded> {
  const directory = resolve(folder);
  // Optimising the engine's largest functions would take 500 MB and a core for seconds, to save half of a long scan's time.
  setFlagsFromString("--no-wasm-tier-up");
  setFlagsFromString("--no-wasm-dynamic-tiering");
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const lock = lockFolder(directory);
  const socketFolder = makeSocketFolder(directory);
  let closing = false;
  let restart: NodeJS.Timeout | undefined;
  let thread: Thread | undefined;
  try {
    await run();
  } catch (error) {
    release();
    throw new ConfigurationError(`The embedded database in ${directory} does not start: ${error}`, { cause: error });
  }
  return { socketFolder, close };

  async function run(): Promise<void> {
    rmSync(join(socketFolder, socketName), { force: true });
    thread = startThread({ directory, socketFolder }, log);
    void thread.ended.then((cause) => closing || runAgain(cause));
    await thread.ready;
  }

  function runAgain(cause: unknown): void {
    log(`The embedded database broke and is started again: ${cause}`);
    restart = setTimeout(() => run().catch(() => {}), restartAfterMs);
  }

  async function close(): Promise<void> {
    if (closing) return;
    closing = true;
    clearTimeout(restart);
    await thread?.stop();
    release();
  }

  function release(): void {
    closing = true;
    rmSync(socketFolder, { recursive: true, force: true });
    lock.release();
  }
}

interface Thread {
  readonly ready: Promise<void>;
  /** Resolves with the cause, if there is one. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

function startThread(data: EmbeddedWorkerData, log: (message: string) => void): Thread {
  const worker = new Worker(new URL("./embedded-worker.ts", import.meta.url), { workerData: data });
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<unknown>();
  let cause: unknown = "its thread ended";
  worker.on("message", (message: EmbeddedWorkerMessage) => {
    if (message.kind === "log") log(message.message);
    else ready.resolve();
  });
  worker.on("error", (error) => {
    cause = error;
  });
  worker.on("exit", () => {
    ready.reject(cause);
    ended.resolve(cause);
  });
  return {
    ready: ready.promise,
    ended: ended.promise,
    async stop() {
      worker.postMessage("stop");
      // What was acknowledged is on disk in any case; a stop in order only spares the next start the recovery.
      const late = setTimeout(() => worker.terminate(), closeWithinMs);
      await ended.promise;
      clearTimeout(late);
    },
  };
}

/** A folder that only this user can enter, for the socket has no password. */
function makeSocketFolder(directory: string): string {
  const folder = join(directory, "socket");
  if (Buffer.byteLength(join(folder, socketName)) > longestSocketPath) return mkdtempSync(join(tmpdir(), "ids-"));
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}
