import { type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { filterKeys } from "./tender-keys.ts";
import type { TenderTables } from "./tender-table.ts";
import type { SearchTerm } from "./tender-text.ts";

export type Condition = RawBuilder<boolean>;

/** A condition for each filter that a column holds; those on texts are apart. */
export function columnConditions(filter: TenderFilter, now: Date): Condition[] {
  const { countries, region, source, status, currency, minAutomationScore } = filter;
  const { deadlineFrom, deadlineTo, publishedFrom, publishedTo, minValue, maxValue } = filter;
  // A deadline may have passed since the last refresh closed what had run out.
  const all: (Condition | false | undefined)[] = [
    sql<boolean>`closed_at is null and closing_key > ${now.getTime()}`,
    countries && (countries.length === 1 ? sql`country_code = ${countries[0]}` : sql`country_code = any(${countries})`),
    region !== undefined && sql`lower(region) = ${region}`,
    source !== undefined && sql`source = ${source}`,
    status !== undefined && sql`status = ${status}`,
    currency !== undefined && sql`currency = ${currency}`,
    deadlineFrom && sql`closing_key >= ${deadlineFrom.getTime()}`,
    deadlineTo && sql`closing_key <= ${deadlineTo.getTime()}`,
    publishedFrom && sql`published_at >= ${publishedFrom} and newest_key <= ${-publishedFrom.getTime()}`,
    publishedTo && sql`published_at <= ${publishedTo} and newest_key >= ${-publishedTo.getTime()}`,
    minValue !== undefined && sql`amount >= ${minValue}`,
    maxValue !== undefined && sql`amount <= ${maxValue}`,
    minAutomationScore !== undefined && sql`fit_score >= ${minAutomationScore}`,
  ];
  return all.filter((condition) => condition instanceof Object);
}

/** Conditions on texts as they can be checked row by row, whatever the index. */
export function textConditions({ query = [], category, buyer }: TenderFilter): Condition[] {
  return [
    ...query.map(({ text }) => contains(sql.ref("search_text"), text)),
    ...(category === undefined ? [] : [contains(sql.ref("category_text"), category)]),
    ...(buyer === undefined ? [] : [contains(sql.ref("buyer_text"), buyer)]),
  ];
}

/** Conditions that the index answers, with those on texts that it leaves open; undefined when no notice can match. */
export async function indexedConditions(
  database: Kysely<StoreTables>,
  filter: TenderFilter,
): Promise<Condition[] | undefined> {
  const { query = [] } = filter;
  const words = await wordsWith(
    database,
    query.flatMap((term) => term.words),
  );
  if ([...words.values()].some((found) => found?.length === 0)) return undefined;
  const ofTerm = ({ text, words: parts, isWord }: SearchTerm) => {
    const indexed = parts.flatMap((part) => words.get(part) ?? []).length > 0;
    const known = parts.flatMap((part) => {
      const found = words.get(part);
      return found ? [hasOne(found)] : [];
    });
    return isWord && indexed ? known : [...known, contains(sql.ref("search_text"), text)];
  };
  return [...filterKeys(filter).map(hasOne), ...query.flatMap(ofTerm), ...textConditions({ ...filter, query: [] })];
}

function hasOne(keys: readonly string[]): Condition {
  return sql<boolean>`search_keys && ${keys}`;
}

/** Beyond so many words a part is so common that the index is of no use. */
const mostWords = 1_000;

/** The known words that a part occurs in; undefined for a part of too many. */
async function wordsWith(
  database: Kysely<StoreTables>,
  parts: readonly string[],
): Promise<ReadonlyMap<string, readonly string[] | undefined>> {
  const found = await Promise.all(
    [...new Set(parts)].map(async (part) => {
      const rows = await database
        .withTables<TenderTables>()
        .selectFrom("tender_word")
        .select("word")
        .where(contains(sql.ref("word"), part))
        .limit(mostWords + 1)
        .execute();
      return [part, rows.length > mostWords ? undefined : rows.map(({ word }) => word)] as const;
    }),
  );
  return new Map(found);
}

/** A text holds another, letter by letter. */
export function contains(text: RawBuilder<unknown>, part: string): Condition {
  return sql<boolean>`${text} like ${`%${part.replace(/[\\%_]/g, "\\$&")}%`}`;
}
