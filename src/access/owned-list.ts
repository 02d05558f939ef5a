import { type SelectQueryBuilder, sql } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Bounds a list: an account may make and end them without end. */
const maxListed = 200;

/** An account's rows of a table of what it has made: live ones first, then by age; of those that have ended the newest. */
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
