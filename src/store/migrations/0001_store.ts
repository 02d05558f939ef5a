import { type Kysely, sql } from "kysely";

/** Generations, snapshots, provenance of datasets and sources, API keys. */
export async function up(transaction: Kysely<unknown>): Promise<void> {
  await sql`
    create table generation (
      name text primary key,
      value bigint not null
    )`.execute(transaction);
  await sql`
    create table snapshot (
      type text not null,
      part text not null default '',
      generation bigint not null,
      body jsonb not null,
      primary key (type, part)
    )`.execute(transaction);
  await sql`
    create table dataset (
      name text primary key,
      generation bigint not null,
      origin text not null check (origin in ('live', 'sample')),
      stored_at timestamptz not null,
      rows integer not null
    )`.execute(transaction);
  await sql`
    create table source (
      dataset text not null,
      source text not null,
      state text not null check (state in ('ok', 'failed', 'refused')),
      run_at timestamptz not null,
      error text,
      runs integer not null,
      failures integer not null,
      fetched_at timestamptz,
      observed_from timestamptz,
      observed_to timestamptz,
      rows_in integer not null,
      rows_out integer not null,
      rejected integer not null,
      content_hash text,
      good_origin text check (good_origin in ('live', 'sample')),
      good_rows bytea,
      primary key (dataset, source)
    )`.execute(transaction);
  await sql`
    create table api_key (
      hash text primary key,
      account text not null,
      plan text not null,
      name text not null,
      created_at timestamptz not null default now(),
      revoked_at timestamptz
    )`.execute(transaction);
  await sql`create index api_key_account on api_key (account)`.execute(transaction);
}
