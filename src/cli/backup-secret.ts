import { createHmac } from "node:crypto";
import { retainSecrets, type Secrets, storedSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../errors.ts";
import type { BackedUpSecret } from "../store/backup/backup-header.ts";

/**
 * Returns the keys of the store's secrets for a backup. Keys in the data folder are included, because without them the
 * secrets cannot be decrypted. Keys in IDS_SECRET_KEY are identified only by fingerprint, because the operator stores
 * them.
 */
export async function secretToBackUp({ secretKeys, directory }: Config): Promise<BackedUpSecret> {
  if (secretKeys.length > 0) return { fingerprints: secretKeys.map((key) => fingerprint(Buffer.from(key, "hex"))) };
  // There are no keys if nothing was ever encrypted.
  return { keys: ((await storedSecrets(directory)) ?? []).map((secret) => secret.toString("hex")) };
}

/** The steps for the data folder's keys before and after a restore. */
export interface SecretRestore {
  /** Before the store is replaced: stores the keys of both the old and the new store. */
  readonly prepare: () => Promise<void>;
  /** After the store was replaced: drops the old keys. */
  readonly finish: () => Promise<void>;
}

/** Throws `ConfigurationError` if the secrets of the backup could not be decrypted with this configuration. */
export async function secretRestore(config: Config, secret: BackedUpSecret): Promise<SecretRestore> {
  const { secretKeys, directory } = config;
  const stored = await storedSecrets(directory).catch(() => undefined);
  const usable = secretKeys.length > 0 ? secretKeys.map((key) => Buffer.from(key, "hex")) : (stored ?? []);
  const none = { prepare: async () => {}, finish: async () => {} };
  if ("fingerprints" in secret) {
    const known = new Set(usable.map(fingerprint));
    const missing = secret.fingerprints.filter((each) => !known.has(each)).length;
    if (missing === 0) return none;
    throw new ConfigurationError(
      `IDS_SECRET_KEY ${secretKeys.length === 0 ? "must be set to" : "is another key than"} that of the backup's store: webhooks cannot be signed without it. Set the key of that store${secret.fingerprints.length > 1 ? `, all ${secret.fingerprints.length} keys` : ""}; the backup does not contain it`,
    );
  }
  const [first, ...earlier] = secret.keys.map((key) => Buffer.from(key, "hex"));
  if (first === undefined) return none;
  const ofBackup: Secrets = [first, ...earlier];
  if (secretKeys.length > 0) {
    if (ofBackup.every((key) => usable.some((each) => each.equals(key)))) return none;
    throw new ConfigurationError(
      "IDS_SECRET_KEY is another key than that of the backup's store: set it to the `keys` in the backup's first line (gzip -dc FILE | head -n 1), or append these keys after a comma",
    );
  }
  const [before, ...others] = stored ?? [];
  const both: Secrets = before === undefined ? ofBackup : [before, ...others, ...ofBackup];
  return { prepare: () => retainSecrets(directory, both), finish: () => retainSecrets(directory, ofBackup) };
}

/** Identifies a key without revealing it. */
function fingerprint(secret: Buffer): string {
  return createHmac("sha256", secret).update("ids:fingerprint").digest("hex").slice(0, 32);
}
