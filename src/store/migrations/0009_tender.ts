import { type Kysely, sql } from "kysely";

/** Procurement notices of all sources, kept when they close; the sort keys ascend, so that one row comparison cuts a page. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`
    create table tender (
      id text collate "C" primary key,
      source text not null,
      source_notice_id text not null,
      origin text not null check (origin in ('live', 'sample')),
      revision int4 not null,
      content_hash text not null,
      official_url text not null,
      country_code text not null,
      region text not null,
      title text not null,
      description text not null,
      buyer text not null,
      published_at timestamptz,
      updated_at timestamptz,
      deadline timestamptz,
      status text not null,
      notice_type text not null,
      amount numeric,
      currency text,
      category_codes text[] not null,
      sectors text[] not null,
      fit_score int2 not null,
      fit_reasons text[] not null,
      fit_evidence text[] not null,
      -- Words, and columns as name=value.
      search_keys text[] not null,
      -- Lower case: title, new line, description.
      search_text text not null,
      -- Lower case: codes and sectors, a line each.
      category_text text not null,
      -- Lower case.
      buyer_text text not null,
      newest_key int8 not null,
      closing_key int8 not null,
      value_key numeric not null,
      relevance_key int2 not null,
      closed_at timestamptz,
      closed_reason text check (closed_reason in ('status', 'undated', 'deadline', 'vanished'))
    )`.execute(db);
  for (const key of ["newest", "closing", "value", "relevance"])
    await sql`create index ${sql.ref(`tender_${key}`)} on tender (${sql.ref(`${key}_key`)}, id) where closed_at is null`.execute(
      db,
    );
  await sql`create index tender_country on tender (country_code, newest_key, id) where closed_at is null`.execute(db);
  await sql`create index tender_open on tender (source) where closed_at is null`.execute(db);
  await sql`
    create index tender_search on tender using gin (search_keys, category_text gin_trgm_ops, buyer_text gin_trgm_ops)
    where closed_at is null`.execute(db);
  // Every word of every notice, ever: a part of a word is looked for here, and the notices by whole words.
  await sql`create table tender_word (word text collate "C" primary key)`.execute(db);
  await sql`create index tender_word_part on tender_word using gin (word gin_trgm_ops)`.execute(db);
  await sql`
    create table tender_source (
      source text primary key,
      open_rows int4 not null
    )`.execute(db);
}
