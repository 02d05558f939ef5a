import { type ChildProcess, execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { type ImageConfig, usualPath } from "./image-root.ts";

/** An image's program, run as a container runs it: read-only root, its user, no capabilities, the volumes and /tmp writable. */
export interface Container {
  /** Of /proc/<pid>/status. */
  readonly status: (field: string) => string;
  /** Runs a command in the container, as its user. Returns its exit code. */
  readonly exec: (command: readonly string[]) => number | null;
  /** MB in /tmp. */
  readonly temporaryMb: () => number;
  /** Sends the image's stop signal; the exit code, and the milliseconds that it took. */
  readonly stop: () => Promise<{ readonly code: number; readonly milliseconds: number }>;
}

interface Run {
  readonly root: string;
  readonly config: ImageConfig;
  /** Stands for the image's volume. */
  readonly volume: string;
  readonly environment: Readonly<Record<string, string>>;
}

const mounts = [
  'mount --bind "$1" "$1"',
  'mount --bind "$2" "$1$3"',
  'mount -o remount,ro,bind "$1"',
  'mount -t tmpfs -o mode=1777,size=64m tmpfs "$1/tmp"',
  'mount -t proc proc "$1/proc"',
].join(" && ");

export function startContainer({ root, config, volume, environment }: Run): Container {
  const [user = "", group = ""] = config.user.split(":");
  const asUser = [
    ...["setpriv", `--reuid=${user}`, `--regid=${group}`, "--clear-groups"],
    ...["--no-new-privs", "--inh-caps=-all", "--bounding-set=-all"],
  ];
  const variables = Object.entries({ PATH: usualPath, ...config.environment, ...environment });
  const settings = variables.map(([name, value]) => `${name}=${value}`);
  const script = `${mounts} && root=$1 folder=$4 && shift 4 && exec chroot "$root" sh -c 'cd "$0" && exec "$@"' "$folder" "$@"`;
  const command = [...asUser, "env", "-i", ...settings, ...config.entrypoint, ...config.command];
  const runner: ChildProcess = spawn(
    "unshare",
    [
      ...["--mount", "--pid", "--fork", "--kill-child", "sh", "-c", script, "sh"],
      ...[root, volume, config.volumes[0] ?? "", config.folder, ...command],
    ],
    { stdio: ["ignore", "ignore", "inherit"] },
  );
  const ended = once(runner, "exit");
  const pid = () => readFileSync(`/proc/${runner.pid}/task/${runner.pid}/children`, "utf8").trim();
  const inside = (parts: readonly string[]) =>
    spawnSync("nsenter", [`--target=${pid()}`, "--mount", "--root", "--pid", ...parts], { encoding: "utf8" });
  return {
    status: (field) =>
      new RegExp(`^${field}:\\s*(.*)$`, "m").exec(readFileSync(`/proc/${pid()}/status`, "utf8"))?.[1] ?? "",
    exec: (parts) => inside([...asUser, "env", "-i", ...settings, ...parts]).status,
    temporaryMb: () => Number(inside(["du", "--block-size=1", "-s", "/tmp"]).stdout.split("\t")[0]) / 1e6,
    async stop() {
      const requested = performance.now();
      if (runner.exitCode === null) execFileSync("kill", ["-s", config.stopSignal, pid()]);
      const [code] = await ended;
      return { code: code as number, milliseconds: performance.now() - requested };
    },
  };
}
