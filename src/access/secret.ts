import { readFile, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ConfigurationError } from "../errors.ts";
import { whyUnreadable } from "../reference/file-failure.ts";
import { makeFolder } from "../store/folder.ts";

const bytes = 32;

/** Secrets from which encryption and signing keys are derived. The first one encrypts; all of them decrypt. */
export type Secrets = readonly [Buffer, ...Buffer[]];

export interface SecretConfig {
  readonly secretKeys: readonly string[];
  readonly databaseUrl: string | undefined;
  readonly directory: string;
}

export const sharedSecretRule = "must be set with DATABASE_URL: replicas share it (openssl rand -hex 32)";

/** Returns the configured secrets, or those of the data folder. Creates one if none exists. Replicas must share them. */
export async function provideSecrets(
  { secretKeys, databaseUrl, directory }: SecretConfig,
  randomBytes: (size: number) => Buffer,
): Promise<Secrets> {
  if (secretKeys.length > 0) return secretsOf(secretKeys);
  if (databaseUrl) throw new ConfigurationError(`IDS_SECRET_KEY ${sharedSecretRule}`);
  const stored = await storedSecrets(directory);
  if (stored) return stored;
  makeFolder(directory, 0o700);
  const created = `${randomBytes(bytes).toString("hex")}\n`;
  await writeFile(fileIn(directory), created, { mode: 0o600, flag: "wx" }).catch((error: NodeJS.ErrnoException) => {
    // Another process created the file in the data folder at the same time.
    if (error.code !== "EEXIST") throw error;
  });
  return (await storedSecrets(directory)) ?? secretsOf([created.trim()]);
}

/** Returns the secrets of the data folder. Throws `ConfigurationError` if they are invalid. */
export async function storedSecrets(directory: string): Promise<Secrets | undefined> {
  const stored = await readFile(fileIn(directory), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw new ConfigurationError(`${fileIn(directory)} cannot be read: ${whyUnreadable(error)}`, { cause: error });
  });
  if (stored === undefined) return undefined;
  const lines = stored.trim().split("\n");
  if (!lines.every(isSecret))
    throw new ConfigurationError(
      `${fileIn(directory)} is broken: it must have 64 hexadecimal digits per line; restore it from a backup, because encrypted data is lost without it`,
    );
  return secretsOf(lines);
}

export async function retainSecrets(directory: string, secrets: Secrets): Promise<void> {
  const partial = `${fileIn(directory)}.partial`;
  await writeFile(partial, secrets.map((secret) => `${secret.toString("hex")}\n`).join(""), { mode: 0o600 });
  await rename(partial, fileIn(directory));
}

/** Returns whether a text is a secret: 32 bytes as 64 hexadecimal digits. */
export function isSecret(text: string): boolean {
  return /^[0-9a-f]{64}$/i.test(text);
}

function fileIn(directory: string): string {
  return join(directory, "secret-key");
}

function secretsOf(texts: readonly string[]): Secrets {
  const [first = Buffer.alloc(0), ...earlier] = texts.map((text) => Buffer.from(text, "hex"));
  return [first, ...earlier];
}
