import { type Kysely, sql } from "kysely";

/** Hosts that refused, how often in a row, and until when they are left alone. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table host_rest (
      host text primary key,
      refusals int not null,
      until timestamptz not null,
      status int not null,
      passes boolean not null
    )`.execute(db);
}
