import { spawnSync } from "node:child_process";

/** How to get what the bench runs, by the name of the command. */
const installs: Readonly<Record<string, string>> = {
  wrk: "apt-get install wrk, or brew install wrk",
  taskset: "apt-get install util-linux",
};

/** Servers and load are kept apart where the system can: macOS has no such command. */
export const pins = process.platform === "linux";

/** The command line that runs a command on one core. */
export function onCore(core: number, command: readonly string[]): readonly [string, ...string[]] {
  const [first = "", ...rest] = command;
  return pins ? ["taskset", "-c", String(core), first, ...rest] : [first, ...rest];
}

/** Says what is missing and how to get it; undefined when nothing is. */
export function missingTools(): string | undefined {
  const missing = (pins ? ["wrk", "taskset"] : ["wrk"]).filter((tool) => spawnSync(tool, ["--version"]).error);
  if (missing.length === 0) return undefined;
  return missing.map((tool) => `make bench needs ${tool}: ${installs[tool]}`).join("\n");
}
