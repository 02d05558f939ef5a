import { createHmac } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { retainSecrets, type Secrets, storedSecrets } from "../access/secret.ts";
import type { Config } from "../config/config.ts";
import { ConfigurationError } from "../errors.ts";
import { programVersion } from "../runtime/program-version.ts";
import { writeBackup } from "../store/backup/backup.ts";
import { verifiedHeader } from "../store/backup/backup-file.ts";
import type { BackedUpSecret } from "../store/backup/backup-header.ts";
import type { Restored } from "../store/backup/load-rows.ts";
import { restoreStore } from "../store/backup/restore.ts";
import { openDatabase } from "../store/database.ts";
import { migrationLimits } from "../store/pool.ts";
import { openStoreAsItIs } from "./store.ts";
import { table } from "./table.ts";
import { requireTargetFile, type Terminal } from "./terminal.ts";

/** This name means standard input or output instead of a file. */
const standard = "-";

/** Writes the store to a file. A running service may use the store. */
export async function backUp(terminal: Terminal, target: string): Promise<void> {
  const config = terminal.config({ secrets: true });
  const { out, err } = terminal;
  if (target !== standard) await requireTargetFile(resolve(target));
  await using stack = new AsyncDisposableStack();
  const database = await openStoreAsItIs(stack, config, "backup", (message) => void err.write(`${message}\n`));
  // The reader of standard output may be slow, and the store must not wait for it.
  const file = target === standard ? await temporaryFile(stack) : resolve(target);
  const secret = await secretToBackUp(config);
  const { bytes, heldMs } = await writeBackup(database, file, {
    program: programVersion(),
    at: new Date().toISOString(),
    secret,
  });
  if (target === standard) await pipeline(createReadStream(file), out, { end: false });
  const held = database.kind === "embedded" ? `; requests to the store waited up to ${Math.ceil(heldMs)} ms` : "";
  err.write(`Backed up the ${database.kind} store: ${bytes} bytes${held}.\n`);
  err.write(`${advice(secret)}\n`);
}

function advice(secret: BackedUpSecret): string {
  if ("fingerprints" in secret)
    return "It does not contain IDS_SECRET_KEY, which a restore requires: store that key elsewhere.";
  return secret.keys.length > 0
    ? "It contains the key of the stored secrets: protect it like that key."
    : "Nothing in the store was ever encrypted, so it contains no key.";
}

/** Restores a backup into the store. The store must be empty unless it may be replaced, and no service may use it. */
export async function restore(
  terminal: Terminal,
  source: string,
  { replace = false }: { replace?: boolean },
  input: Readable = process.stdin,
): Promise<void> {
  const config = terminal.config({ secrets: true });
  const { out, err } = terminal;
  await using stack = new AsyncDisposableStack();
  const file = source === standard ? await spooled(stack, input) : resolve(source);
  const header = await verifiedHeader(file);
  const secret = await secretRestore(config, header.secret);
  const { databaseUrl: url, directory } = config;
  const log = (message: string) => void err.write(`${message}\n`);
  const database = stack.adopt(
    await openDatabase({ url, directory, name: "ids restore", limits: migrationLimits, log }),
    ({ close }) => close(),
  );
  const clock = () => new Date();
  const restored = await restoreStore(database, { file, header, replace, clock, beforeCommit: secret.prepare });
  await secret.finish();
  out.write(countsTable(terminal, restored));
  for (const name of restored.leftOut) err.write(`Left out: ${name} is not a table of this program.\n`);
  out.write(
    `Restored the backup of ${header.at} (version ${header.program}, ${header.database}) into the ${database.kind} store.
Next: start the service (ids serve) and look at /api/health. Every key opens as before; if the operator's is lost, make one
(ids keys create --operator --name NAME).
`,
  );
}

function countsTable({ out }: Terminal, { rows }: Restored): string {
  return table(
    out,
    ["table", "rows"],
    [...rows].flatMap(([name, count]) => (count > 0 ? [[name, String(count)]] : [])),
  );
}

/** Creates a temporary file that only this user can read, for the duration of the command. */
async function temporaryFile(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "ids-backup-"));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return join(folder, "backup");
}

/** The restore begins only after the whole input was read and verified. */
async function spooled(stack: AsyncDisposableStack, input: Readable): Promise<string> {
  const file = await temporaryFile(stack);
  await pipeline(input, createWriteStream(file, { mode: 0o600 }));
  return file;
}

/**
 * Returns the keys of the store's secrets for a backup. Keys in the data folder are included, because without them the
 * secrets cannot be decrypted. Keys in IDS_SECRET_KEY are identified only by fingerprint, because the operator stores
 * them.
 */
async function secretToBackUp({ secretKeys, directory }: Config): Promise<BackedUpSecret> {
  if (secretKeys.length > 0) return { fingerprints: secretKeys.map((key) => fingerprint(Buffer.from(key, "hex"))) };
  // There are no keys if nothing was ever encrypted.
  return { keys: ((await storedSecrets(directory)) ?? []).map((secret) => secret.toString("hex")) };
}

/** The steps for the data folder's keys before and after a restore. */
interface SecretRestore {
  /** Before the store is replaced: stores the keys of both the old and the new store. */
  readonly prepare: () => Promise<void>;
  /** After the store was replaced: drops the old keys. */
  readonly finish: () => Promise<void>;
}

/** Throws `ConfigurationError` if the secrets of the backup could not be decrypted with this configuration. */
async function secretRestore(config: Config, secret: BackedUpSecret): Promise<SecretRestore> {
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
