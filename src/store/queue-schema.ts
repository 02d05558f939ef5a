import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { Database } from "./database.ts";

/** Creates or updates the job queue's tables. Several processes may do so at the same time. */
export async function migrateQueue(database: Database): Promise<void> {
  // A serving process does not load the queue if there is nothing to do.
  if (await isCurrent(database)) return;
  // If several processes create the tables, some may fail; a second try finds them.
  await create(database).catch(() => create(database));
}

async function create(database: Database): Promise<void> {
  const { PgBoss } = await import("pg-boss");
  const boss = new PgBoss({ db: { executeSql: database.query }, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}

async function isCurrent({ query }: Database): Promise<boolean> {
  const { rows: tables } = await query<{ made: boolean }>("select to_regclass('pgboss.version') is not null as made");
  if (!tables[0]?.made) return false;
  const { rows } = await query<{ version: number }>("select version from pgboss.version");
  return rows[0]?.version === wantedVersion();
}

function wantedVersion(): number {
  const manifest = fileURLToPath(new URL("../package.json", import.meta.resolve("pg-boss")));
  return JSON.parse(readFileSync(manifest, "utf8")).pgboss.schema;
}
