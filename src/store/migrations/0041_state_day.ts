import { type Kysely, sql } from "kysely";

/** How long each dataset and each of its sources was in which state, by day. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table state_day (
      dataset text collate "C" not null,
      -- Empty: the dataset itself.
      source text collate "C" not null,
      -- UTC day.
      day date not null,
      state text collate "C" not null,
      seconds int4 not null,
      -- When it was seen last.
      seen_at timestamptz not null,
      primary key (dataset, source, day, state)
    )`.execute(db);
  await sql`create index state_day_day on state_day (day)`.execute(db);
}
