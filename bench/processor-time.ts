import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The kernel reports processor time in hundredths of a second. */
const ticksInSecond = 100;

/** Returns the processor time that a process has used, in milliseconds, over all threads. */
export function processorMs(pid: number): number {
  if (process.platform !== "linux")
    return shownMs(execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }));
  // The name of the command is in parentheses and may contain spaces.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1000) / ticksInSecond;
}

/** Parses the format Parses the format `1:02.34` of ps. */
function shownMs(text: string): number {
  return (
    text
      .trim()
      .split(":")
      .reduce((total, part) => total * 60 + Number(part), 0) * 1000
  );
}
