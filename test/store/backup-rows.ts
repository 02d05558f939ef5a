import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { writeBackup } from "../../src/store/backup/backup.ts";
import { verifiedHeader } from "../../src/store/backup/backup-file.ts";
import { checksumMember } from "../../src/store/backup/checksum.ts";
import { restoreStore } from "../../src/store/backup/restore.ts";
import type { Database } from "../../src/store/database.ts";
import type { Migration } from "../../src/store/migrate.ts";

/** Every row of every table but the unlogged ones, as the database itself writes it; not listed as the backup lists them. */
export async function rowsByTable({ query }: Database): Promise<Record<string, string[]>> {
  const { rows: tables } = await query(
    "select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'quota' order by 1",
  );
  const found: Record<string, string[]> = {};
  for (const { name } of tables as { name: string }[]) {
    const { rows } = await query(`select row_to_json(t)::text as row from "${name}" t order by 1`);
    found[name] = (rows as { row: string }[]).map(({ row }) => row);
  }
  return found;
}

/** Columns, constraints and indexes of every table. */
export async function shapeOf({ query }: Database): Promise<unknown[]> {
  const { rows } = await query(`
    select table_name::text as a, column_name::text as b, concat_ws(' ', data_type, is_nullable, column_default, is_identity) as c
    from information_schema.columns where table_schema = 'public'
    union all select conrelid::regclass::text, conname, pg_get_constraintdef(oid) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select tablename, indexname, indexdef from pg_indexes where schemaname = 'public'
    order by 1, 2, 3`);
  return rows;
}

const folder = mkdtempSync(join(tmpdir(), "ids-backup-test-"));
// Files of tests share this module.
process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
let files = 0;

/** A path for a new file. */
export function newFile(): string {
  files += 1;
  return join(folder, `backup-${files}`);
}

export async function backedUp(database: Database): Promise<string> {
  const file = newFile();
  await writeBackup(database, file, { program: "1.0.0", at: "2026-11-18T12:00:00.000Z", secret: { keys: [] } });
  return file;
}

export async function restored(
  database: Database,
  file: string,
  options: { readonly replace?: boolean; readonly migrations?: readonly Migration[] } = {},
) {
  const header = await verifiedHeader(file);
  const about = { file, header, clock: () => new Date(), beforeCommit: async () => {} };
  return restoreStore(database, { replace: false, ...about, ...options });
}

/** A copy of a backup with other lines and a checksum that fits them. */
export function rewritten(file: string, change: (text: string) => string): string {
  const text = gunzipSync(readFileSync(file))
    .toString()
    .replace(/\{"sha256":.*\n$/, "");
  const body = gzipSync(change(text));
  const copy = newFile();
  writeFileSync(copy, Buffer.concat([body, checksumMember(createHash("sha256").update(body).digest("hex"))]));
  return copy;
}
