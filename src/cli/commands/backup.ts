import { createReadStream, createWriteStream } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { programVersion } from "../../runtime/program-version.ts";
import { writeBackup } from "../../store/backup/backup.ts";
import { verifiedHeader } from "../../store/backup/backup-file.ts";
import type { BackedUpSecret } from "../../store/backup/backup-header.ts";
import type { Restored } from "../../store/backup/load-rows.ts";
import { restoreStore } from "../../store/backup/restore.ts";
import { openDatabase } from "../../store/database.ts";
import { migrationLimits } from "../../store/pool.ts";
import { secretRestore, secretToBackUp } from "../backup-secret.ts";
import { openStoreAsItIs } from "../store.ts";
import { table } from "../table.ts";
import { requireTargetFile } from "../target-file.ts";
import type { Terminal } from "../terminal.ts";

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
