import { type Kysely, sql } from "kysely";

/** Notices are found without accents and with any apostrophe: beside each text as it is written stands the one that is looked for. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`
    create temporary table folded on commit drop as
    select id, ${folded("split_part(search_text, chr(10), 1)")} as title, ${folded("split_part(search_text, chr(10), 2)")} as description,
      ${folded("buyer_text")} as buyer, ${folded("category_text")} as category
    from tender_detail where search_text || buyer_text || category_text ~ '[^\\x01-\\x7f]'`.execute(db);
  await sql`
    create temporary table folded_word on commit drop as
    select id, '' as name, word from folded, ${words("title || ' ' || description")}
    union select id, 'title=', word from folded, ${words("title")}
    union select id, 'buyer=', word from folded, ${words("buyer")}
    union select id, 'category=', word from folded, ${words("category")}`.execute(db);
  await sql`
    update tender set terms = tender.terms || added.terms
    from (select id, array_to_tsvector(array_agg(name || word)) as terms from folded_word group by id) as added
    where added.id = tender.id`.execute(db);
  await sql`
    insert into tender_word
    select distinct name || word from folded_word where name <> 'title=' on conflict do nothing`.execute(db);
  await sql`
    update tender_detail set
      search_text = search_text || chr(10) || folded.title || chr(10) || folded.description,
      buyer_text = buyer_text || chr(10) || folded.buyer,
      category_text = category_text || chr(10) || folded.category
    from folded where folded.id = tender_detail.id`.execute(db);
}

function folded(text: string) {
  const plain = `translate(normalize(${text}, NFD), U&'\\2018\\2019\\02BC', '''''''')`;
  return sql.raw(`normalize(regexp_replace(${plain}, U&'[\\0300-\\036F]', '', 'g'), NFC)`);
}

function words(text: string) {
  return sql.raw(
    `lateral (select distinct word from regexp_split_to_table(${text}, '${separators}') as word where word <> '') as words`,
  );
}

/** ASCII characters that are no letters or digits. */
const separators = "[\\x01-/:-@[-`{-\\x7f]+";
