import { type Kysely, sql } from "kysely";

/** Which figures were filled in later: rules on their series never looked at them. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table series_point add column filled boolean not null default false`.execute(db);
}
