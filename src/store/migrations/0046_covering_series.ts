import { type Kysely, sql } from "kysely";

/** A year of a key lies on as many pages of the table as it has points: the index holds all that a read takes. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table series_point
      drop constraint series_point_pkey,
      add primary key (key_id, at, recorded_at) include (value, basis)`.execute(db);
}
