import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { and, type Condition, contains } from "./condition.ts";
import type { TenderFilter } from "./tender-filter.ts";
import { keyIds, keysWith, titleKey } from "./tender-key-table.ts";
import { filterKeys, gramKey } from "./tender-keys.ts";
import type { SearchTerm } from "./tender-text.ts";

/** What a filter asks of a row. */
export interface TenderConditions {
  /** Of its columns: moments and amounts. */
  readonly bounds: readonly Condition[];
  /** Of its keys, and where there are too many of them of its texts. */
  readonly rest: readonly Condition[];
  /** All search terms are in it. */
  readonly anywhere: readonly Condition[];
  /** All search terms are in its title. */
  readonly inTitle: Condition;
}

/** The conditions of a filter; undefined when no notice can meet them. */
export async function tenderConditions(
  database: Kysely<StoreTables>,
  filter: TenderFilter,
  now: Date,
): Promise<TenderConditions | undefined> {
  const { query = [], category, buyer } = filter;
  const [groups, terms, ofCategory, ofBuyer] = await Promise.all([
    groupsOf(database, [...filterKeys(filter, now), ...(category && gramKey(category) ? [[gramKey(category)!]] : [])]),
    Promise.all(query.map((term) => termConditions(database, term))),
    category === undefined || gramKey(category) ? [] : partConditions(database, category, "category"),
    buyer === undefined ? [] : partConditions(database, buyer, "buyer"),
  ]);
  if (!groups || !ofCategory || !ofBuyer) return undefined;
  const known = terms.filter((term) => term !== undefined);
  if (known.length < terms.length) return undefined;
  const inTitle = and(known.flatMap((term) => term.inTitle));
  return {
    bounds: boundsOf(filter, now),
    rest: [...groups, ...ofCategory, ...ofBuyer],
    anywhere: known.flatMap((term) => term.anywhere),
    inTitle,
  };
}

function boundsOf(filter: TenderFilter, now: Date): Condition[] {
  const { deadlineFrom, deadlineTo, publishedFrom, publishedTo, minValue, maxValue } = filter;
  const all: (Condition | false | undefined)[] = [
    // A deadline may have passed since the last refresh closed what had run out.
    sql<boolean>`closed_at is null and closing_key > ${now.getTime()}`,
    deadlineFrom && sql`closing_key >= ${deadlineFrom.getTime()}`,
    deadlineTo && sql`closing_key <= ${deadlineTo.getTime()}`,
    publishedFrom && sql`published_at >= ${publishedFrom} and newest_key <= ${-publishedFrom.getTime()}`,
    publishedTo && sql`published_at <= ${publishedTo} and newest_key >= ${-publishedTo.getTime()}`,
    minValue !== undefined && sql`value_key <= ${-minValue}`,
    maxValue !== undefined && sql`value_key >= ${-maxValue}`,
  ];
  return all.filter((condition) => condition instanceof Object);
}

/** One of each group's keys; undefined when of some group none exists. */
async function groupsOf(
  database: Kysely<StoreTables>,
  groups: readonly (readonly string[])[],
): Promise<Condition[] | undefined> {
  if (groups.length === 0) return [];
  const ids = await keyIds(database, groups.flat());
  const known = groups.map((keys) => keys.flatMap((key) => ids.get(key) ?? []));
  return known.every((group) => group.length > 0) ? known.map((group) => hasOne(group)) : undefined;
}

/** A word is known by its keys alone; of a phrase they narrow down where it is looked for. */
async function termConditions(database: Kysely<StoreTables>, { text, words, isWord }: SearchTerm) {
  const found = await Promise.all(words.map((word) => keysWith(database, word)));
  if (found.some((ids) => ids?.length === 0)) return undefined;
  const known = found.filter((ids) => ids !== undefined);
  const isExact = isWord && known.length === 1;
  const inText = inDetail(contains(sql.ref("search_text"), text));
  const inTitle = inDetail(contains(sql`split_part(search_text, chr(10), 1)`, text));
  const titleKeys = known.map((ids) => ids.map(titleKey));
  return {
    anywhere: [...known.map(hasOne), ...(isExact ? [] : [inText])],
    inTitle: [...titleKeys.map(hasOne), ...(isExact ? [] : [inTitle])],
  };
}

async function partConditions(
  database: Kysely<StoreTables>,
  part: string,
  name: "category" | "buyer",
): Promise<Condition[] | undefined> {
  const ids = await keysWith(database, part, name);
  if (ids?.length === 0) return undefined;
  return [ids ? hasOne(ids) : inDetail(contains(sql.ref(`${name}_text`), part))];
}

function hasOne(ids: readonly number[]): Condition {
  return sql<boolean>`keys && ${ids}::int4[]`;
}

function inDetail(condition: Condition): Condition {
  return sql<boolean>`exists (select from tender_detail as told where told.id = tender.id and ${condition})`;
}
