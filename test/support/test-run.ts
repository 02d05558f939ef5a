import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";

/** Names what all files of one run share, and takes it away when the run ends: their folders, and databases of a server that outlives it. */
export default function setup(): () => Promise<void> {
  const run = `run${process.pid}`;
  process.env.IDS_TEST_RUN = run;
  // A file's own clean-up runs only for the file that imported it first.
  const folder = mkdtempSync(join(tmpdir(), "ids-test-"));
  // A database server of a test's own runs as another user.
  chmodSync(folder, 0o755);
  process.env.TMPDIR = folder;
  // Every process and every thread with an embedded database loads the same code, and would strip its types again.
  process.env.NODE_COMPILE_CACHE ??= join(import.meta.dirname, "../../node_modules/.cache/tests");
  return async () => {
    rmSync(folder, { recursive: true, force: true });
    const url = process.env.IDS_TEST_DATABASE_URL;
    if (url === undefined) return;
    const client = new Client({ connectionString: url });
    await client.connect();
    const { rows } = await client.query("select datname as name from pg_database where datname like $1", [
      `%\\_${run}`,
    ]);
    for (const { name } of rows) await client.query(`drop database ${name}`);
    await client.end();
  };
}
