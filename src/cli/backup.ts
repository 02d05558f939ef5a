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
import { programVersion } from "../reference/program-version.ts";
import { writeBackup } from "../store/backup/backup.ts";
import { verifiedHeader } from "../store/backup/backup-file.ts";
import type { BackedUpSecret } from "../store/backup/backup-header.ts";
import type { Restored } from "../store/backup/load-rows.ts";
import { restoreStore } from "../store/backup/restore.ts";
import { type Database, openDatabase } from "../store/database.ts";
import { migrationLimits } from "../store/pool.ts";
import { openStoreAsItIs } from "./store.ts";
import { table } from "./table.ts";
import { requireTargetFile, type Terminal } from "./terminal.ts";

/** The file name `-` means standard input or output. */
const standard = "-";

/** Writes a backup of the store to a file. A service may use the store at the same time. */
export async function backUp(terminal: Terminal, target: string): Promise<void> {
  const config = terminal.config({ secrets: true });
  const { out, err } = terminal;
  await using stack = new AsyncDisposableStack();
  const database = await openStoreAsItIs(stack, config, "backup", (message) => void err.write(`${message}\n`));
  // For standard output, a temporary file is written first, because a slow reader would keep the store locked.
  const file = target === standard ? await temporaryFile(stack) : resolve(target);
  const secret = await secretToBackUp(config);
  const header = { program: programVersion(), at: new Date().toISOString(), secret };
  const write = async () => {
    if (target !== standard) await requireTargetFile(resolve(target));
    const written = await writeBackup(database, file, header);
    if (target === standard) await pipeline(createReadStream(file), out, { end: false });
    return written;
  };
  const { bytes, heldMs } = await write().catch(async (error: unknown) => {
    await recordRun(database, error instanceof Error ? error.message : String(error));
    throw error;
  });
  await recordRun(database, null);
  const held = database.kind === "embedded" ? `; requests to the store waited up to ${Math.ceil(heldMs)} ms` : "";
  err.write(`Backed up the ${database.kind} store: ${bytes} bytes${held}.\n`);
  err.write(`${advice(secret)}\n`);
}

/** Stores how the backup ended, because the operator must learn of a failure. A store of an earlier version cannot. */
async function recordRun({ kysely }: Database, error: string | null): Promise<void> {
  const run = { at: new Date(), error };
  await kysely
    .insertInto("backup_run")
    .values(run)
    .onConflict((conflict) => conflict.column("one").doUpdateSet(run))
    .execute()
    .catch(() => undefined);
}

function advice(secret: BackedUpSecret): string {
  if ("fingerprints" in secret)
    return "It does not contain IDS_SECRET_KEY, which a restore requires: store that key elsewhere.";
  return secret.keys.length > 0
    ? "It contains the key of the stored secrets: protect it like that key."
    : "Nothing in the store was ever encrypted, so it contains no key.";
}

/** Restores a backup into the store, which must be empty or replaceable. No service may use the store. */
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

/** Copies a backup from standard input to a file, because it must be verified before the restore begins. */
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
  // The data folder has no keys if no value was ever encrypted.
  return { keys: ((await storedSecrets(directory)) ?? []).map((secret) => secret.toString("hex")) };
}

/** Stores and deletes keys in the data folder, before and after a restore. */
interface SecretRestore {
  /** Before the store is replaced, stores the keys of both stores, so that a failed restore loses none. */
  readonly prepare: () => Promise<void>;
  /** After the store was replaced, deletes the keys of the old store. */
  readonly finish: () => Promise<void>;
}

/** Throws `ConfigurationError` if this configuration cannot decrypt the secrets in the backup. */
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

/** Returns a hash that identifies a key without revealing it. */
function fingerprint(secret: Buffer): string {
  return createHmac("sha256", secret).update("ids:fingerprint").digest("hex").slice(0, 32);
}
