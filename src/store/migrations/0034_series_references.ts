import { type Kysely, sql } from "kysely";

/** Points are written by the thousand, and each foreign key is looked up for each: what writes them has just read both. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table series_point
      drop constraint series_point_key_id_fkey,
      drop constraint series_point_basis_fkey`.execute(db);
}
