import {
  closeSync,
  fstatSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import { threadId } from "node:worker_threads";
import { ConfigurationError } from "../../errors.ts";

export class FolderInUse extends ConfigurationError {}

export interface FolderLock {
  readonly release: () => void;
}

interface Holder {
  readonly host: string;
  readonly pid: number;
  readonly start: string;
}

const touchEveryMs = 5000;
const freshForMs = 20_000;

/** Locks the data folder. The lock of a crashed process is ignored. Throws `ConfigurationError` if it is in use. */
export function lockFolder(directory: string): FolderLock {
  const path = join(directory, "lock");
  const own = `${path}.${process.pid}.${threadId}`;
  const holder: Holder = { host: hostname(), pid: process.pid, start: startOfProcess(process.pid) ?? "" };
  const content = JSON.stringify(holder);
  writeFileSync(own, content, { mode: 0o600 });
  try {
    // A hard link appears together with the content of the file, so other processes never read an empty lock file.
    while (!makes(() => linkSync(own, path))) removeIfStale(path, statSync(own).mtimeMs, directory);
    return hold(path, content);
  } finally {
    unlinkSync(own);
  }
}

function hold(path: string, content: string): FolderLock {
  const file = openSync(path, "r+");
  // A process in another container cannot see this one. Recent changes of the lock file show it that this one runs.
  const touch = setInterval(() => writeSync(file, content, 0), touchEveryMs).unref();
  return {
    release() {
      clearInterval(touch);
      if (statSync(path, { throwIfNoEntry: false })?.ino === fstatSync(file).ino) unlinkSync(path);
      closeSync(file);
    },
  };
}

function removeIfStale(path: string, nowMs: number, directory: string): void {
  const guard = `${path}.takeover`;
  if (!makes(() => mkdirSync(guard))) {
    const made = statSync(guard, { throwIfNoEntry: false })?.mtimeMs ?? nowMs;
    if (nowMs - made < freshForMs) throw new ConfigurationError(`Another process is just taking over ${directory}`);
    rmdirSync(guard);
    return;
  }
  try {
    const changed = statSync(path, { throwIfNoEntry: false })?.mtimeMs;
    if (changed === undefined) return;
    const holder = readHolder(path);
    if (isAlive(holder, nowMs - changed < freshForMs)) throw inUse(directory, holder);
    unlinkSync(path);
  } finally {
    rmdirSync(guard);
  }
}

function isAlive(holder: Holder | undefined, fresh: boolean): boolean {
  if (holder?.host !== hostname()) return fresh;
  return startOfProcess(holder.pid) === holder.start;
}

function inUse(directory: string, holder: Holder | undefined): FolderInUse {
  const who = holder
    ? `process ${holder.pid}${holder.host === hostname() ? "" : ` on ${holder.host}`}`
    : "another process";
  return new FolderInUse(
    `The data folder ${directory} is in use by ${who}. Stop it, or set another folder (IDS_DATA_DIR) or a shared Postgres (DATABASE_URL) for this one`,
  );
}

function readHolder(path: string): Holder | undefined {
  try {
    return JSON.parse(readFileSync(path, "utf8"));
  } catch {
    // A power failure can leave an empty lock file.
    return undefined;
  }
}

/** Creates a file or folder. Returns false if it already exists. */
function makes(make: () => void): boolean {
  try {
    make();
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/** Returns a unique text for the start time of a process; undefined if the process is not running. */
export function startOfProcess(pid: number): string | undefined {
  const boot = read("/proc/sys/kernel/random/boot_id");
  if (boot === undefined) return isRunning(pid) ? "running" : undefined;
  // The file starts with the process's name in parentheses, which may contain spaces and parentheses. The state of the
  // process and its start time follow.
  const fields = read(`/proc/${pid}/stat`)?.split(") ").at(-1)?.split(" ");
  if (fields === undefined || fields[0] === "Z") return undefined;
  return `${boot.trim()}/${fields[19]}`;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

function read(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch {
    // The process does not exist, or the platform has no `/proc`.
    return undefined;
  }
}
