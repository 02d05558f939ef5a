import { type Kysely, sql } from "kysely";

/** Who is at work on a call that may be repeated, and how many of its transactions were committed. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table idempotent_call
      add column claimant text,
      add column commits integer not null default 0`.execute(db);
}
