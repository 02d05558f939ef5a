import type { ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import type { Host } from "./network.ts";

/** Two of HAProxy on one host that listen at the same address, each started again whenever it ends. */
export interface BalancerHost extends AsyncDisposable {
  readonly url: string;
  /** kill -9 of one, the other the next time. */
  readonly kill: () => void;
}

/** As long as systemd waits. */
const restartMs = 100;

export function openBalancerHost(host: Host, configuration: string): BalancerHost {
  const running: ChildProcess[] = [];
  let isOver = false;
  const start = () => {
    const child = host.start(["haproxy", "-db", "-f", configuration]);
    running.push(child);
    child.once("exit", async () => {
      await wait(restartMs);
      if (!isOver) start();
    });
  };
  start();
  start();
  return {
    url: `http://${host.address}`,
    kill: () => void running.shift()?.kill("SIGKILL"),
    async [Symbol.asyncDispose]() {
      isOver = true;
      await host.kill();
    },
  };
}
