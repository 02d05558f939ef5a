import { type Kysely, sql } from "kysely";

/** Conflict events of all sources; one that another source already tells of names it in `duplicate_of`. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table conflict_event (
      id text collate "C" primary key,
      source_key text not null,
      origin text not null check (origin in ('live', 'sample')),
      occurred_at int8 not null,
      country text not null,
      latitude float8 not null,
      longitude float8 not null,
      event_type text not null,
      fatalities int4 not null,
      actors text[] not null,
      source text not null,
      admin1 text not null,
      duplicate_of text collate "C"
    )`.execute(db);
  await sql`
    create index conflict_event_newest on conflict_event (occurred_at desc, id) where duplicate_of is null`.execute(db);
  await sql`
    create index conflict_event_newest_in_country on conflict_event (country, occurred_at desc, id)
    where duplicate_of is null`.execute(db);
  await sql`
    create index conflict_event_duplicate on conflict_event (duplicate_of) where duplicate_of is not null`.execute(db);
  // For comparing sources: every report of one source in a span of time, duplicates included.
  await sql`create index conflict_event_source on conflict_event (source_key, occurred_at)`.execute(db);
}
