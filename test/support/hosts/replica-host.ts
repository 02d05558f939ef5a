import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { eventually } from "./deadline.ts";
import type { Host } from "./network.ts";

/** `ids serve` on a host, next to the receiver that its deliveries reach on the loopback address. */
export interface ReplicaHost {
  readonly host: Host;
  readonly place: string;
  readonly start: () => Promise<void>;
  /** In order, as a roll does. */
  readonly stop: () => Promise<void>;
  /** It does nothing until it is resumed; its connections live. */
  readonly hang: () => void;
  readonly resume: () => void;
}

const port = 8080;
export const hookUrl = "http://127.0.0.1:9000/hook";
const program = fileURLToPath(new URL("../../../bin/ids", import.meta.url));
const receiver = fileURLToPath(new URL("../processes/hook-log.ts", import.meta.url));

/** `deliveries` is the file that what was delivered is written to. */
export function openReplicaHost(
  host: Host,
  environment: Readonly<Record<string, string>>,
  deliveries: string,
): ReplicaHost {
  const place = `${host.address}:${port}`;
  const env = { ...environment, PATH: process.env.PATH, IDS_HOST: host.address, PORT: `${port}` };
  let service: ChildProcess | undefined;
  return {
    ...{ host, place },
    async start() {
      await host.kill();
      host.start([process.execPath, receiver, hookUrl, deliveries]);
      service = host.start([program, "serve"], { env });
      await eventually(`${place} is ready`, async () => (await fetch(`http://${place}/readyz`)).ok);
    },
    async stop() {
      if (service?.exitCode !== null || service.signalCode !== null) return;
      const ended = once(service, "exit");
      service.kill("SIGTERM");
      await ended;
    },
    hang: () => void service?.kill("SIGSTOP"),
    resume: () => void service?.kill("SIGCONT"),
  };
}
