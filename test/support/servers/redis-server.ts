import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import { eventually } from "../app.ts";
import { freePort } from "../processes/serve-process.ts";

/** A Redis of the test's own: it keeps nothing, and can be stopped, frozen and started again. */
export interface RedisServer extends AsyncDisposable {
  readonly url: string;
  readonly stop: () => Promise<void>;
  readonly start: () => Promise<void>;
  /** Takes connections and requests, and answers nothing until it is thawed. */
  readonly freeze: () => void;
  readonly thaw: () => void;
}

const program = ["redis-server", "valkey-server"].find((name) => spawnSync(name, ["--version"]).status === 0);

/** Whether this machine has one; said aloud where it has none. */
export const hasRedis = program !== undefined;
if (!hasRedis) console.warn("No redis-server or valkey-server on this machine: TESTS WITH REDIS ARE SKIPPED");

export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  const start = async () => {
    const settings = ["--port", `${port}`, "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"];
    child = spawn(program ?? "redis-server", settings, { stdio: "ignore" });
    await eventually(
      () => takesConnections(port),
      (taken) => taken,
    );
  };
  const stop = async () => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    stop,
    start,
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    [Symbol.asyncDispose]: stop,
  };
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}
