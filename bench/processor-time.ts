import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** The kernel counts in hundredths of a second for programs, whatever its own clock. */
const ticksInSecond = 100;

/** Milliseconds of processor time that a process has used so far, in all its threads. */
export function processorMs(pid: number): number {
  if (process.platform !== "linux")
    return shownMs(execFileSync("ps", ["-o", "time=", "-p", String(pid)], { encoding: "utf8" }));
  // The name of the command, in parentheses, may hold blanks.
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8")
    .replace(/^.*\) /s, "")
    .split(" ");
  const [user, system] = [Number(fields[11]), Number(fields[12])];
  return ((user + system) * 1000) / ticksInSecond;
}

/** `1:02.34` of ps. */
function shownMs(text: string): number {
  return (
    text
      .trim()
      .split(":")
      .reduce((total, part) => total * 60 + Number(part), 0) * 1000
  );
}
