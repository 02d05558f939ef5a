import { type SelectQueryBuilder, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Maximum length of a list, because accounts may create and end any number of objects. */
const maxListed = 200;

/** Lists an account's rows of a table: active ones first, then the newest ended ones, each from oldest to newest. */
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
