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
  const servers = ports.map((each, index) => `  server replica${index} 127.0.0.1:${each} check`);
  writeFileSync(file, [...rules(port), ...servers, ""].join("\n"));
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

function rules(port: number): string[] {
  return [
    "defaults",
    "  mode http",
    "  timeout connect 1s",
    "  timeout client 30s",
    "  timeout server 30s",
    "  retries 3",
    "  option redispatch 1",
    "  retry-on conn-failure empty-response",
    "frontend api",
    `  bind 127.0.0.1:${port}`,
    "  default_backend replicas",
    "backend replicas",
    "  balance roundrobin",
    "  option httpchk GET /readyz",
    "  default-server inter 500ms fall 1 rise 1",
  ];
}
