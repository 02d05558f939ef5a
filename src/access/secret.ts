import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors.ts";

const bytes = 32;

/** The service's secret: the configured one, else one made once and kept in the data folder. Replicas must share it. */
export async function provideSecret(
  config: {
    readonly secretKey: string | undefined;
    readonly databaseUrl: string | undefined;
    readonly directory: string;
  },
  randomBytes: (size: number) => Buffer,
): Promise<Buffer> {
  if (config.secretKey) return Buffer.from(config.secretKey, "hex");
  if (config.databaseUrl)
    throw new ConfigurationError(
      "IDS_SECRET_KEY must be set with DATABASE_URL: replicas share it (openssl rand -hex 32)",
    );
  const file = join(config.directory, "secret-key");
  const kept = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (kept !== undefined) {
    if (!isSecret(kept.trim())) throw new ConfigurationError(`${file} is broken: 64 hexadecimal digits are expected`);
    return Buffer.from(kept.trim(), "hex");
  }
  const made = randomBytes(bytes).toString("hex");
  await mkdir(config.directory, { recursive: true, mode: 0o700 });
  await writeFile(file, `${made}\n`, { mode: 0o600, flag: "wx" });
  return Buffer.from(made, "hex");
}

/** 32 bytes as 64 hexadecimal digits. */
export function isSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}
