import { type SelectQueryBuilder, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Maximum length of a list. Accounts may create and end any number of objects over time. */
const maxListed = 200;

/** Lists objects of an account: active ones first, then recently ended ones, each from oldest to newest. */
export async function listOwned<T extends keyof StoreTables, R extends { readonly live: boolean }>(
  rows: SelectQueryBuilder<StoreTables, T, R>,
  account: string,
): Promise<R[]> {
  const newest = await rows
    .where(sql<boolean>`account = ${account}`)
    .orderBy(sql`live desc, created_at desc, id desc`)
    .limit(maxListed)
    .execute();
  newest.reverse();
  return [...newest.filter(({ live }) => live), ...newest.filter(({ live }) => !live)];
}
