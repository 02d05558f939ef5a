import { createHmac } from "node:crypto";
import { retainSecrets, type Secrets, storedSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../errors.ts";
import type { BackedUpSecret } from "../store/backup/backup-header.ts";

/**
 * What a backup tells of the keys of the store's secrets. Those that the data folder keeps go into it, for nothing opens the store's
 * secrets without them; of those in IDS_SECRET_KEY, which the operator keeps, it tells only which they are.
 */
export async function secretToBackUp({ secretKeys, directory }: Config): Promise<BackedUpSecret> {
  if (secretKeys.length > 0) return { fingerprints: secretKeys.map((key) => fingerprint(Buffer.from(key, "hex"))) };
  // None yet where nothing was ever encrypted.
  return { keys: ((await storedSecrets(directory)) ?? []).map((secret) => secret.toString("hex")) };
}

/** What is to be done with the data folder's keys round a restore. */
export interface SecretRestore {
  /** Before the store is changed for good: keys of both the old store and the new are kept. */
  readonly prepare: () => Promise<void>;
  /** After it. */
  readonly finish: () => Promise<void>;
}

/** Throws `ConfigurationError` where the secrets of the backup could not be opened after a restore with this configuration. */
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
      `IDS_SECRET_KEY ${secretKeys.length === 0 ? "must be set to" : "is another key than"} that of the backup's store: without it no webhook could be signed. Set it as it was there${secret.fingerprints.length > 1 ? `, all ${secret.fingerprints.length} keys` : ""}; the backup does not hold it`,
    );
  }
  const [first, ...earlier] = secret.keys.map((key) => Buffer.from(key, "hex"));
  if (first === undefined) return none;
  const ofBackup: Secrets = [first, ...earlier];
  if (secretKeys.length > 0) {
    if (ofBackup.every((key) => usable.some((each) => each.equals(key)))) return none;
    throw new ConfigurationError(
      "IDS_SECRET_KEY is another key than that of the backup's store: set it to the `keys` in the backup's first line (gzip -dc FILE | head -n 1), or put those after it and a comma",
    );
  }
  const [before, ...others] = stored ?? [];
  const both: Secrets = before === undefined ? ofBackup : [before, ...others, ...ofBackup];
  return { prepare: () => retainSecrets(directory, both), finish: () => retainSecrets(directory, ofBackup) };
}

/** Tells keys apart, and nothing else of them. */
function fingerprint(secret: Buffer): string {
  return createHmac("sha256", secret).update("ids:fingerprint").digest("hex").slice(0, 32);
}
