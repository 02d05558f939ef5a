import { type Kysely, sql } from "kysely";

/** What of a dataset changed after a moment. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index change_moment on change (dataset, at)`.execute(db);
}
