import { type Kysely, sql } from "kysely";

/** Of a source's last good answer: the parts that did not come with it, and how much the source says it has. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table source add column partial jsonb, add column available int8`.execute(db);
}
