import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../processes/serve-process.ts";

/** HAProxy before some replicas, as an operator sets it up: it asks each for `/readyz`, and asks another where no connection comes about. */
export async function startBalancer(ports: readonly number[]): Promise<AsyncDisposable & { readonly url: string }> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), "ids-balancer-"));
  const file = join(folder, "haproxy.cfg");
  const places = ports.map((each) => `127.0.0.1:${each}`);
  writeFileSync(file, balancerRules(`127.0.0.1:${port}`, places));
  const child = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "ignore", "inherit"] });
  await once(child, "spawn");
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      rmSync(folder, { recursive: true });
    },
  };
}

/** Its configuration, where it listens at one place and the replicas at others. */
export function balancerRules(place: string, replicas: readonly string[]): string {
  return [
    "defaults",
    "  mode http",
    "  timeout connect 1s",
    "  timeout client 30s",
    "  timeout server 30s",
    "  timeout check 2s",
    "  retries 3",
    "  option redispatch 1",
    "  retry-on conn-failure empty-response",
    "frontend api",
    `  bind ${place}`,
    "  default_backend replicas",
    "backend replicas",
    "  balance roundrobin",
    "  option httpchk GET /readyz",
    "  default-server inter 500ms fall 1 rise 1",
    ...replicas.map((each, index) => `  server replica${index} ${each} check`),
    "",
  ].join("\n");
}
