import { type Kysely, sql } from "kysely";

/** What is read of countries' resilience, and their scores of the last days. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table resilience_input (
      source text not null,
      -- Name in the methodology's table.
      input text not null,
      country text not null,
      -- A year, or a day.
      period text not null,
      -- The source's own name.
      series text not null,
      value float8 not null,
      origin text not null check (origin in ('live', 'sample')),
      fetched_at timestamptz not null,
      primary key (source, input, country, period, series)
    )`.execute(db);
  await sql`
    create table resilience_history (
      -- Version of the methodology, and whatever else makes scores comparable.
      method text not null,
      country text not null,
      origin text not null check (origin in ('live', 'sample')),
      -- UTC.
      day date not null,
      score float8 not null,
      primary key (method, origin, country, day)
    )`.execute(db);
}
