import { type ChildProcess, execFileSync, type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

/** A machine of its own as far as its network goes: a namespace, with a cable to a switch that the test is on too. */
export interface Host {
  readonly address: string;
  /** Starts a program on it. */
  readonly start: (command: readonly string[], options?: SpawnOptions) => ChildProcess;
  /** kill -9 of all that runs on it. */
  readonly kill: () => Promise<void>;
  readonly pull: () => void;
  readonly plug: () => void;
  /** This share of its packets is lost in each direction. */
  readonly lose: (share: number) => void;
}

export interface Network extends AsyncDisposable {
  readonly host: (name: string) => Host;
}

/** Why there can be no such hosts here; undefined where they can be. */
export function networkLack(): string | undefined {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return "only root of a Linux machine makes namespaces";
  const name = `ids-try-${process.pid}`;
  const { status, stderr, error } = spawnSync("ip", ["netns", "add", name], { encoding: "utf8" });
  if (status !== 0) return `no namespaces: ${error?.message ?? stderr}`;
  ip("netns", "del", name);
  return undefined;
}

function ip(...words: readonly string[]): string {
  return execFileSync("ip", words, { encoding: "utf8" });
}

const tuning = readFileSync(new URL("../../../deploy/lossy-network.conf", import.meta.url), "utf8");
const settings = tuning.split("\n").filter((line) => line.startsWith("net."));

/** As the recipe has it for a network that loses packets; an older kernel lacks some. */
function tune(space: string): void {
  for (const setting of settings) {
    const { status } = spawnSync("ip", ["netns", "exec", space, "sysctl", "-qw", setting.replaceAll(" ", "")]);
    if (status !== 0) console.warn(`NO ${setting} ON THIS KERNEL: lost packets are sent again later`);
  }
}

export function openNetwork(): Network {
  const tag = `ids${process.pid % 10_000}`;
  const subnet = `198.18.${process.pid % 256}`;
  const names: string[] = [];
  const portOf = (number: number) => `${tag}p${number}`;
  ip("link", "add", tag, "type", "bridge");
  ip("addr", "add", `${subnet}.1/24`, "dev", tag);
  ip("link", "set", tag, "up");
  return {
    host(name) {
      const space = `${tag}-${name}`;
      names.push(space);
      const port = portOf(names.length);
      const address = `${subnet}.${names.length + 1}`;
      ip("netns", "add", space);
      ip("link", "add", port, "type", "veth", "peer", "name", "eth0", "netns", space);
      ip("link", "set", port, "master", tag, "up");
      for (const line of [`addr add ${address}/24 dev eth0`, "link set lo up", "link set eth0 up"])
        ip("-n", space, ...line.split(" "));
      tune(space);
      return hostOf(space, port, address);
    },
    async [Symbol.asyncDispose]() {
      for (const [index, space] of names.entries()) {
        await killAll(space);
        // With a namespace its cable goes too, but not at once.
        ip("link", "del", portOf(index + 1));
        ip("netns", "del", space);
      }
      ip("link", "del", tag);
    },
  };
}

function hostOf(space: string, port: string, address: string): Host {
  return {
    address,
    start: (command, options = {}) =>
      spawn("ip", ["netns", "exec", space, ...command], { stdio: ["ignore", "ignore", "inherit"], ...options }),
    kill: () => killAll(space),
    pull: () => void ip("link", "set", port, "down"),
    plug: () => void ip("link", "set", port, "up"),
    lose: (share) => lose(port, share),
  };
}

async function killAll(space: string): Promise<void> {
  const alive = () => ip("netns", "pids", space).split("\n").filter(Boolean).map(Number);
  for (let pids = alive(); pids.length > 0; pids = alive()) {
    for (const pid of pids)
      try {
        process.kill(pid, "SIGKILL");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
      }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

/** By a filter that throws dice for each packet: kernels without netem have it too. */
function lose(port: string, share: number): void {
  const tc = (...words: readonly string[]) => execFileSync("tc", words);
  spawnSync("tc", ["qdisc", "del", "dev", port, "clsact"]);
  if (share === 0) return;
  const lost = Math.round(share * 2 ** 32);
  // Loads a random number; below the bound the packet is dropped (2), else nothing is said of it (-1).
  const program = ["32 0 0 4294963256", `53 1 0 ${lost}`, "6 0 0 2", "6 0 0 4294967295"];
  tc("qdisc", "add", "dev", port, "clsact");
  for (const way of ["ingress", "egress"])
    tc("filter", "add", "dev", port, way, "bpf", "da", "bytecode", `${program.length},${program.join(",")}`);
}
