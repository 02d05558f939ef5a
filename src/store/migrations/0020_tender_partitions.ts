import { type Kysely, sql } from "kysely";

/**
 * Notices lie in eight parts: a search for what is in many of them finds as many as are counted in the first, and need not
 * look at the others. Their keys are compared as sorted lists of numbers, and the words of titles are keys below zero.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create extension if not exists intarray`.execute(db);
  await sql`alter table tender rename to tender_whole`.execute(db);
  await sql`
    create table tender (
      newest_key int8 not null,
      closing_key int8 not null,
      published_at timestamptz,
      closed_at timestamptz,
      value_key numeric not null,
      relevance_key int2 not null,
      revision int4 not null,
      id text collate "C" not null,
      source text not null,
      origin text not null check (origin in ('live', 'sample')),
      content_hash text not null,
      closed_reason text check (closed_reason in ('status', 'undated', 'deadline', 'vanished')),
      -- Ascending. Ids in tender_key of what it is found by; below zero of the words in its title.
      keys int4[] not null
    ) partition by hash (id)`.execute(db);
  for (let part = 0; part < parts; part++)
    await sql`
      create table ${sql.ref(`tender_${part}`)} partition of tender
      for values with (modulus ${sql.lit(parts)}, remainder ${sql.lit(part)})`.execute(db);
  await sql`
    insert into tender
    select newest_key, closing_key, published_at, closed_at, value_key, relevance_key, revision, id, source, origin,
      content_hash, closed_reason, sort(keys || array(select -word from unnest(title_keys) as word))
    from tender_whole`.execute(db);
  await sql`alter table tender_detail drop constraint tender_detail_id_fkey`.execute(db);
  await sql`drop table tender_whole`.execute(db);
  await sql`alter table tender add primary key (id)`.execute(db);
  await sql`
    alter table tender_detail add constraint tender_detail_id_fkey foreign key (id) references tender on delete cascade`.execute(
    db,
  );
  for (const key of ["newest", "closing", "value", "relevance"])
    await sql`
      create index ${sql.ref(`tender_${key}`)} on tender (${sql.ref(`${key}_key`)}, id)
      where closed_at is null`.execute(db);
  await sql`create index tender_open on tender (source) where closed_at is null`.execute(db);
  // What waits to be put in its place is looked through by each search of each part; without waiting, storing takes twice as long.
  await sql`
    create index tender_keys on tender using gin (keys gin__int_ops) with (gin_pending_list_limit = 512)
    where closed_at is null`.execute(db);
  // A part is looked for among words or among names: neither index may be taken for one of whole keys.
  await sql`drop index tender_key_part`.execute(db);
  await sql`
    create index tender_key_word on tender_key using gin (key gin_trgm_ops) where position('=' in key) = 0`.execute(db);
  await sql`
    create index tender_key_named on tender_key using gin (key gin_trgm_ops) where position('=' in key) > 0`.execute(
    db,
  );
}

const parts = 8;
