import { once } from "node:events";
import { createServer } from "node:net";
import type { SettingName } from "../config/settings.ts";
import { ConfigurationError } from "../errors.ts";

const reasons = new Map([
  ["EADDRINUSE", (variable: string, place: string) => `${variable}: ${place} is in use by another program`],
  [
    "EACCES",
    (variable: string, place: string) => `${variable}: ${place} requires permissions that this user does not have`,
  ],
]);

/** Throws `ConfigurationError` when a port cannot be listened on: told before anything else is started. */
export async function requireFreePort(variable: SettingName, host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    const reason = reasons.get(code)?.(variable, `port ${port} on ${host}`);
    throw new ConfigurationError(reason ?? `IDS_HOST: cannot listen on ${host} (${code})`, { cause: error });
  }
  server.close();
  await once(server, "close");
}
