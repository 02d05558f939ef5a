import { type Kysely, sql } from "kysely";

/**
 * Notices lie in one table again. What one is found by are the lexemes of a `tsvector`, found with a plain GIN index; the
 * vocabulary of all words is kept beside it, for parts of words are looked for there.
 */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`alter table tender rename to tender_parts`.execute(db);
  await sql`alter table tender_parts rename constraint tender_pkey to tender_parts_pkey`.execute(db);
  await sql`alter table tender_detail drop constraint tender_detail_id_fkey`.execute(db);
  await sql`drop index tender_newest, tender_closing, tender_value, tender_relevance, tender_open, tender_keys`.execute(
    db,
  );
  await sql`
    create table tender (
      newest_key int8 not null,
      closing_key int8 not null,
      published_at timestamptz,
      closed_at timestamptz,
      value_key numeric not null,
      relevance_key int2 not null,
      revision int4 not null,
      id text collate "C" primary key,
      source text not null,
      origin text not null check (origin in ('live', 'sample')),
      content_hash text not null,
      closed_reason text check (closed_reason in ('status', 'undated', 'deadline', 'vanished')),
      -- Words of title, description, buyer and categories; those of the title once more; all else as name=value.
      terms tsvector not null
    )`.execute(db);
  const wordsOf = (text: string) =>
    sql`select distinct word from regexp_split_to_table(${sql.raw(text)}, ${separators}) as word where word <> ''`;
  // Names of buyers and categories were one key each: now their words are.
  await sql`
    insert into tender
    select newest_key, closing_key, published_at, closed_at, value_key, relevance_key, revision, id, tender_parts.source, origin,
      content_hash, closed_reason,
      array_to_tsvector(array(
        select case when part.id < 0 then 'title=' || key else key end
        from unnest(keys) as part (id) join tender_key on tender_key.id = abs(part.id)
        where key not like 'buyer=%' and key not like 'category=%'
        union
        select 'buyer=' || word from (${wordsOf("buyer_text")}) as buyer
        union
        select 'category=' || word from (${wordsOf("category_text")}) as category
      ))
    from tender_parts join tender_detail using (id)`.execute(db);
  await sql`create table tender_word (word text collate "C" primary key)`.execute(db);
  await sql`
    insert into tender_word
    select key from tender_key where position('=' in key) = 0
    union
    select 'buyer=' || word from tender_detail, lateral (${wordsOf("buyer_text")}) as buyer
    union
    select 'category=' || word from tender_detail, lateral (${wordsOf("category_text")}) as category`.execute(db);
  await sql`drop table tender_parts, tender_key`.execute(db);
  await sql`
    alter table tender_detail add constraint tender_detail_id_fkey foreign key (id) references tender on delete cascade`.execute(
    db,
  );
  await createIndexes(db);
}

async function createIndexes(db: Kysely<unknown>): Promise<void> {
  for (const key of ["newest", "closing", "value", "relevance"])
    await sql`
      create index ${sql.ref(`tender_${key}`)} on tender (${sql.ref(`${key}_key`)}, id)
      where closed_at is null`.execute(db);
  await sql`create index tender_open on tender (source) where closed_at is null`.execute(db);
  await sql`create index tender_terms on tender using gin (terms) where closed_at is null`.execute(db);
  // How common each of the commoner words is: by it the planner chooses between the index of terms and that of an order.
  await sql`alter table tender alter column terms set statistics 1000`.execute(db);
  // A part is looked for among plain words or among named ones.
  await sql`
    create index tender_word_plain on tender_word using gin (word gin_trgm_ops) where position('=' in word) = 0`.execute(
    db,
  );
  await sql`
    create index tender_word_named on tender_word using gin (word gin_trgm_ops) where position('=' in word) > 0`.execute(
    db,
  );
}

/** ASCII characters that are no letters or digits. */
const separators = "[\\x01-/:-@[-`{-\\x7f]+";
