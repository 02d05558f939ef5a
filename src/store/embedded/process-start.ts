import { readFileSync } from "node:fs";

/** Returns a unique text for the start time of a process; undefined if the process is not running. */
export function startOfProcess(pid: number): string | undefined {
  const boot = read("/proc/sys/kernel/random/boot_id");
  if (boot === undefined) return isRunning(pid) ? "running" : undefined;
  // The name in parentheses may contain spaces and parentheses. State and start time follow it.
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
    // There is no such process, or this platform has no such file system.
    return undefined;
  }
}
