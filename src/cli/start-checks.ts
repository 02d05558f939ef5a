import { requireStripe } from "../access/billing/billing.ts";
import { storedSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { openIpLocator } from "../domains/infrastructure/ip-geo.ts";
import { ConfigurationError } from "../errors.ts";
import { PortInUse, requireFreePort } from "./free-port.ts";
import type { Terminal } from "./terminal.ts";

/** `serving` returns whether a service already runs on the port. */
export async function startProblems(terminal: Terminal, serving: () => Promise<boolean>): Promise<readonly string[]> {
  const config = terminal.config();
  const { host, port, metricsPort } = config;
  const checks = [
    () => void terminal.config({ secrets: true }),
    () => requireUsablePort("PORT", host, port, serving),
    async () => {
      if (metricsPort !== undefined) await requireUsablePort("IDS_METRICS_PORT", host, metricsPort, serving);
    },
    () => requireSecrets(config),
    () => requireStripe(config.stripe),
    async () => (await openIpLocator(config.geoipDatabase))[Symbol.dispose](),
  ];
  const problems: string[] = [];
  for (const check of checks) problems.push(...(await problemOf(check)));
  return [...new Set(problems)];
}

async function problemOf(check: () => void | Promise<void>): Promise<readonly string[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (error instanceof ConfigurationError) return [error.message];
    throw error;
  }
}

async function requireUsablePort(
  variable: "PORT" | "IDS_METRICS_PORT",
  host: string,
  port: number,
  serving: () => Promise<boolean>,
): Promise<void> {
  try {
    await requireFreePort(variable, host, port);
  } catch (error) {
    if (!(error instanceof PortInUse && (await serving()))) throw error;
  }
}

async function requireSecrets({ secretKeys, databaseUrl, directory }: Config): Promise<void> {
  if (secretKeys.length === 0 && databaseUrl === undefined) await storedSecrets(directory);
}
