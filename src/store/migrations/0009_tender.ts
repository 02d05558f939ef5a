import { type Kysely, sql } from "kysely";

/**
 * Procurement notices of all sources, kept when they close. `tender` is narrow, for finding and ordering: its sort keys
 * ascend, so that one row comparison cuts a page. `tender_detail` is what is shown of a notice.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists pg_trgm`.execute(db);
  await sql`
    create table tender (
      id text collate "C" primary key,
      source text not null,
      origin text not null check (origin in ('live', 'sample')),
      revision int4 not null,
      content_hash text not null,
      -- Ids in tender_key of what it is found by; of the words in its title alone.
      keys int4[] not null,
      title_keys int4[] not null,
      published_at timestamptz,
      newest_key int8 not null,
      closing_key int8 not null,
      value_key numeric not null,
      relevance_key int2 not null,
      closed_at timestamptz,
      closed_reason text check (closed_reason in ('status', 'undated', 'deadline', 'vanished'))
    )`.execute(db);
  for (const key of ["newest", "closing", "value", "relevance"])
    await sql`
      create index ${sql.ref(`tender_${key}`)} on tender (${sql.ref(`${key}_key`)}, id)
      where closed_at is null`.execute(db);
  await sql`create index tender_open on tender (source) where closed_at is null`.execute(db);
  await sql`create index tender_keys on tender using gin (keys) where closed_at is null`.execute(db);
  await sql`
    create table tender_detail (
      id text collate "C" primary key references tender on delete cascade,
      source text not null,
      source_notice_id text not null,
      official_url text not null,
      country_code text not null,
      region text not null,
      title text not null,
      description text not null,
      buyer text not null,
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
      -- Lower case: title, new line, description; codes and sectors, a line each; the buyer.
      search_text text not null,
      category_text text not null,
      buyer_text text not null
    )`.execute(db);
  // Every word of every notice, ever, and every other key as name=value. A part of a word is looked for here.
  await sql`
    create table tender_key (
      id int4 generated always as identity primary key,
      key text collate "C" not null unique
    )`.execute(db);
  await sql`create index tender_key_part on tender_key using gin (key gin_trgm_ops)`.execute(db);
  await sql`
    create table tender_source (
      source text primary key,
      open_rows int4 not null
    )`.execute(db);
}
