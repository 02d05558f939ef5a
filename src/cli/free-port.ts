import { once } from "node:events";
import { createServer } from "node:net";
import type { SettingName } from "../config/settings.ts";
import { ConfigurationError } from "../errors.ts";

export class PortInUse extends ConfigurationError {}

/** Throws `ConfigurationError` if the port is in use. The check runs before other parts start. */
export async function requireFreePort(variable: SettingName, host: string, port: number): Promise<void> {
  const server = createServer();
  try {
    await once(server.listen(port, host), "listening");
  } catch (cause) {
    throw rejection(variable, host, port, cause);
  }
  server.close();
  await once(server, "close");
}

function rejection(variable: SettingName, host: string, port: number, cause: unknown): ConfigurationError {
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : "";
  const place = `${variable}: port ${port} on ${host}`;
  if (code === "EADDRINUSE")
    return new PortInUse(
      `${place} is in use by another program: stop that program (\`lsof -i :${port}\` shows it), or set ${variable} to another port (0 uses any free port)`,
      { cause },
    );
  if (code === "EACCES")
    return new ConfigurationError(
      `${place} requires permissions that this user does not have: set ${variable} to a port above 1023`,
      { cause },
    );
  return new ConfigurationError(
    `IDS_HOST: ${host} is not an address of this machine (${code}): set 127.0.0.1 for this machine only, or 0.0.0.0 for all of its addresses`,
    { cause },
  );
}
