import { sql } from "kysely";
import type { Store, Transaction } from "../../../store/tables.ts";
import { and, type Condition, contains, hasOne } from "./sql-condition.ts";
import { type SearchTerm, searchTerm, type TenderFilter } from "./tender-filter.ts";
import { isNewestOfProcurement, ofProcurement } from "./tender-procurement.ts";
import type { TenderTables } from "./tender-table.ts";
import { filterTerms, gramTerm, titleTerm } from "./tender-terms.ts";

/** Stores new words for searches. Words are never deleted, because an unused word does no harm. */
export async function provideWords(transaction: Transaction, words: readonly string[]): Promise<void> {
  // The words are sorted, so that concurrent transactions lock them in the same order and cannot deadlock.
  await sql`
    insert into tender_word (word) select word from unnest(${words}::text[]) as word
    order by word collate "C" on conflict do nothing`.execute(transaction);
}

/** If more words contain a searched part of a word, it is so common that the index of words does not help. */
const maxWords = 500;

/** Returns the stored words that contain a part. Undefined if more than `maxWords` words contain it. */
async function wordsWith(
  database: Store,
  part: string,
  name?: "buyer" | "category",
): Promise<readonly string[] | undefined> {
  const rows = await database
    .withTables<TenderTables>()
    .selectFrom("tender_word")
    .select("word")
    .where(
      name === undefined
        ? sql<boolean>`${contains(sql.ref("word"), part)} and position('=' in word) = 0`
        : sql<boolean>`${contains(sql.ref("word"), part)} and position('=' in word) > 0 and word like ${`${name}=%`}
            and position(${part} in substr(word, ${name.length + 2})) > 0`,
    )
    .limit(maxWords + 1)
    .execute();
  return rows.length > maxWords ? undefined : rows.map(({ word }) => word);
}

export interface TenderConditions {
  readonly all: Condition;
  readonly inTitle: Condition;
}

/** Returns the SQL conditions of a filter. Undefined if no notice can match. */
export async function tenderConditions(
  database: Store,
  filter: TenderFilter,
  now: Date,
): Promise<TenderConditions | undefined> {
  const { query = [], category, buyer } = filter;
  const [terms, ofCategory, ofBuyer] = await Promise.all([
    Promise.all(query.map((term) => termConditions(database, term))),
    category === undefined || gramTerm(category) ? [] : partConditions(database, category, "category"),
    buyer === undefined ? [] : partConditions(database, buyer, "buyer"),
  ]);
  const known = terms.filter((term) => term !== undefined);
  if (known.length < terms.length || !ofCategory || !ofBuyer) return undefined;
  const exact = filterTerms(filter, now).map(hasOne);
  const anywhere = known.flatMap((term) => term.anywhere);
  const matching = and([...boundsOf(filter, now), ...exact, ...anywhere, ...ofCategory, ...ofBuyer]);
  return {
    all: filter.distinct ? and([matching, isNewestOfProcurement(matching)]) : matching,
    inTitle: and(known.flatMap((term) => term.inTitle)),
  };
}

function boundsOf(filter: TenderFilter, now: Date): Condition[] {
  const { deadlineFrom, deadlineTo, publishedFrom, publishedTo, minValue, maxValue, updatedAfter, sameAs } = filter;
  const all: (Condition | false | undefined)[] = [
    // A notice whose deadline has passed since the last refresh is still open in the store, so it is excluded here.
    sql<boolean>`closed_at is null and closing_key > ${now.getTime()}`,
    deadlineFrom && sql`closing_key >= ${deadlineFrom.getTime()}`,
    deadlineTo && sql`closing_key <= ${deadlineTo.getTime()}`,
    publishedFrom && sql`published_at >= ${publishedFrom} and newest_key <= ${-publishedFrom.getTime()}`,
    publishedTo && sql`published_at <= ${publishedTo} and newest_key >= ${-publishedTo.getTime()}`,
    minValue !== undefined && sql`value_key <= ${-minValue}`,
    maxValue !== undefined && sql`value_key >= ${-maxValue}`,
    updatedAfter && sql`stored_at > ${updatedAfter}`,
    sameAs !== undefined && ofProcurement(sameAs),
  ];
  return all.filter((condition) => condition instanceof Object);
}

/** Returns the conditions for a search term. A word is found by the index. For a phrase, the text is searched too. */
async function termConditions(database: Store, term: SearchTerm) {
  const known = await knownWords(database, term);
  if (!known) return undefined;
  const { text, isExact, words } = known;
  const inText = inDetail(contains(sql.ref("search_text"), text));
  const inTitle = inDetail(contains(sql`split_part(search_text, chr(10), 1)`, text));
  return {
    anywhere: [...words.map(hasOne), ...(isExact ? [] : [inText])],
    inTitle: [...words.map((each) => hasOne(each.map(titleTerm))), ...(isExact ? [] : [inTitle])],
  };
}

async function partConditions(
  database: Store,
  part: string,
  name: "category" | "buyer",
): Promise<Condition[] | undefined> {
  const known = await knownWords(database, searchTerm(part), name);
  if (!known) return undefined;
  const inText = inDetail(contains(sql.ref(`${name}_text`), part));
  return [...known.words.map(hasOne), ...(known.isExact ? [] : [inText])];
}

/** Returns the stored words that contain each word of a search term. Undefined if none contains one of them. */
async function knownWords(database: Store, { text, words, isWord }: SearchTerm, name?: "category" | "buyer") {
  const found = await Promise.all(words.map((word) => wordsWith(database, word, name)));
  if (found.some((each) => each?.length === 0)) return undefined;
  const known = found.filter((each) => each !== undefined);
  return { text, words: known, isExact: isWord && known.length === 1 };
}

function inDetail(condition: Condition): Condition {
  return sql<boolean>`exists (select from tender_detail as detail where detail.id = tender.id and ${condition})`;
}
