import { type Kysely, sql } from "kysely";

/** The form of a source's last good answer, how answers differed lately from the one before, and how often they did. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table source add column shape jsonb, add column drift jsonb, add column drifts int not null default 0`.execute(
    db,
  );
}
