import { type Kysely, sql } from "kysely";

/** The kind of a source's failure is told to everybody, its own words to the operator alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table source add column failure_kind text, add column failure_status int2`.execute(db);
}
