import { type Kysely, sql } from "kysely";

/** An earlier generation that an operator put back: what refreshes bring is not stored until it is let go. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table dataset
      add column held_generation bigint,
      add column held_since timestamptz,
      add check ((held_generation is null) = (held_since is null))`.execute(db);
}
