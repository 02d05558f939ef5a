import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "../processes/serve-process.ts";

/** HAProxy before some replicas, as `deploy/` sets it up. */
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

const recipe = readFileSync(new URL("../../../deploy/haproxy.cfg", import.meta.url), "utf8");
const serverLines = /(?:^\tserver .*\n)+/gm;

/** The recipe's configuration, where it listens at one place and the replicas at others. */
export function balancerRules(place: string, replicas: readonly string[]): string {
  return recipe.replace(/bind .*/, `bind ${place}`).replaceAll(serverLines, (lines) => {
    const [, options] = /^\tserver \S+ \S+(.*)/.exec(lines) ?? [];
    return replicas.map((each, index) => `\tserver replica${index} ${each}${options}\n`).join("");
  });
}
