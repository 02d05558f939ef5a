import { type Kysely, sql } from "kysely";

/** When a source was last really asked live: some may be asked a few times a day only. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table source add column asked_at timestamptz`.execute(db);
}
