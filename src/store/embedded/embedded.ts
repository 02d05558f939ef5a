import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { setFlagsFromString } from "node:v8";
import { Worker } from "node:worker_threads";
import { ConfigurationError } from "../../errors.ts";
import { makeFolder } from "../folder.ts";
import type { EmbeddedWorkerData, EmbeddedWorkerMessage } from "./embedded-worker.ts";
import { checkDatabaseFolder, damaged, databaseFolder } from "./folder-check.ts";
import { lockFolder } from "./folder-lock.ts";

export interface Embedded {
  readonly socketFolder: string;
  readonly close: () => Promise<void>;
}

const firstPauseMs = 1000;
const maxPauseMs = 60_000;
// The operating system limits the path of a socket: 107 bytes on Linux, 103 on macOS.
const maxSocketPath = 100;
const socketName = ".s.PGSQL.5432";

/** Locks the data folder and starts its database. Starts it again after a crash or a statement that does not end. */
export async function startEmbedded(
  folder: string,
  log: (message: string) => void,
  maxStatementMs = 60_000,
): Promise<Embedded> {
  const directory = resolve(folder);
  // V8 must not optimize the engine. This takes seconds and 500 MB, and only makes long scans twice as fast.
  setFlagsFromString("--no-wasm-tier-up");
  setFlagsFromString("--no-wasm-dynamic-tiering");
  // Most old objects of a thread soon become garbage, so V8 must collect them early.
  setFlagsFromString("--initial-old-space-size=0");
  makeFolder(directory, 0o700);
  const lock = lockFolder(directory);
  const socketFolder = makeSocketFolder(directory);
  let closing = false;
  let pauseMs = firstPauseMs;
  let restart: NodeJS.Timeout | undefined;
  let thread: EmbeddedThread | undefined;
  try {
    await run();
  } catch (error) {
    release();
    if (error instanceof ConfigurationError) throw error;
    // The last message of the engine does not show the cause of a failed start. The log does.
    const reason = error instanceof Error ? error.message : error;
    const state = "Its recovery had begun and may have changed files";
    throw damaged(databaseFolder(directory), `it does not start (${reason})`, state);
  }
  return { socketFolder, close };

  async function run(): Promise<void> {
    checkDatabaseFolder(databaseFolder(directory));
    rmSync(join(socketFolder, socketName), { force: true });
    thread = startEmbeddedThread({ directory, socketFolder }, log, maxStatementMs);
    await thread.ready;
    pauseMs = firstPauseMs;
    void thread.ended.then(runAgain);
  }

  function runAgain(cause: unknown): void {
    if (closing) return;
    log(`The embedded database broke and is started again: ${cause}`);
    restart = setTimeout(() => run().catch(runAgain), pauseMs);
    pauseMs = Math.min(2 * pauseMs, maxPauseMs);
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
    rmSync(socketPlace(directory), { recursive: true, force: true });
    lock.release();
  }
}

/** The folder is accessible only to this user, because the socket has no password. */
function makeSocketFolder(directory: string): string {
  const folder = socketPlace(directory);
  rmSync(folder, { recursive: true, force: true });
  if (Buffer.byteLength(join(folder, socketName)) > maxSocketPath) {
    const short = mkdtempSync(join(tmpdir(), "ids-"));
    // The path of a socket must be short. A link in the data folder leads other processes to it.
    symlinkSync(short, folder);
    return short;
  }
  mkdirSync(folder, { mode: 0o700 });
  return folder;
}

function socketPlace(directory: string): string {
  return join(directory, "socket");
}

/** Returns the socket folder if another process on this machine serves the data folder; undefined otherwise. */
export async function servedSocketFolder(directory: string): Promise<string | undefined> {
  const place = socketPlace(resolve(directory));
  if (!existsSync(place)) return undefined;
  const folder = realpathSync(place);
  const socket = connect(join(folder, socketName));
  try {
    await once(socket, "connect");
    return folder;
  } catch {
    // A crashed process, or one on another machine, left the socket behind.
    return undefined;
  } finally {
    socket.destroy();
  }
}

interface EmbeddedThread {
  /** Resolves when the database accepts connections. */
  readonly ready: Promise<void>;
  /** Resolves with the reason when the thread has ended. */
  readonly ended: Promise<unknown>;
  readonly stop: () => Promise<void>;
}

const closeWithinMs = 5000;
/**
 * The thread counts as stuck after this number of checks without a message. Time would mislead, because no checks run
 * while the process is suspended.
 */
const looksPerStatement = 4;

/** Starts the database's thread. A statement that exceeds its timeout cannot be canceled, so it ends the thread. */
function startEmbeddedThread(
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
    // Committed data is already on disk. A regular stop only avoids recovery at the next start.
    const late = setTimeout(() => worker.terminate(), closeWithinMs);
    await ended.promise;
    clearTimeout(late);
  }
}
