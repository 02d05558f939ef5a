import { PgBoss } from "pg-boss";
import type { Database } from "../store/database.ts";

/** Creates or updates the job queue's tables; safe to run from several processes at once. */
export async function migrateQueue(database: Database): Promise<void> {
  // Of several that create them at once, all but one may fail, and then find them made.
  await create(database).catch(() => create(database));
}

async function create(database: Database): Promise<void> {
  const boss = new PgBoss({ db: { executeSql: database.query }, supervise: false, schedule: false });
  await boss.start();
  await boss.stop({ graceful: false });
}
