import { spawnSync } from "node:child_process";

/** Installation instructions by command. */
const installs: Readonly<Record<string, string>> = {
  wrk: "apt-get install wrk, or brew install wrk",
  taskset: "apt-get install util-linux",
};

/** Servers and load run on separate cores if the system can pin processes. macOS cannot. */
export const pins = process.platform === "linux";

/** Returns the command line that runs a command on one core. */
export function onCore(core: number, command: readonly string[]): readonly [string, ...string[]] {
  const [first = "", ...rest] = command;
  return pins ? ["taskset", "-c", String(core), first, ...rest] : [first, ...rest];
}

/** Returns the missing tools and how to install them, or undefined if none is missing. */
export function missingTools(): string | undefined {
  const missing = (pins ? ["wrk", "taskset"] : ["wrk"]).filter((tool) => spawnSync(tool, ["--version"]).error);
  if (missing.length === 0) return undefined;
  return missing.map((tool) => `make bench needs ${tool}: ${installs[tool]}`).join("\n");
}
