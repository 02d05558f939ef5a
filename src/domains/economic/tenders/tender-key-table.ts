import { type Kysely, sql, type Transaction } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { contains } from "./condition.ts";
import type { NoticeRows } from "./tender-row.ts";
import type { TenderTables } from "./tender-table.ts";

/** Ids of keys; a key that no notice ever had has none. */
export async function keyIds(
  database: Kysely<StoreTables>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const rows = await database
    .withTables<TenderTables>()
    .selectFrom("tender_key")
    .select(["id", "key"])
    .where(sql<boolean>`key = any(${keys})`)
    .execute();
  return new Map(rows.map(({ id, key }) => [key, id]));
}

/** What a row is found by, ascending as comparing asks for it: the ids of its keys, and those of its title's words below zero. */
export function storedKeys(
  { keys, titleKeys }: Pick<NoticeRows, "keys" | "titleKeys">,
  ids: ReadonlyMap<string, number>,
): number[] {
  return [...keys.map((key) => ids.get(key)!), ...titleKeys.map((key) => titleKey(ids.get(key)!))].sort(
    (a, b) => a - b,
  );
}

/** The id of a word as one of the title's. */
export function titleKey(id: number): number {
  return -id;
}

/** Ids of keys, of which new ones are stored. They are never dropped: one that no notice has any more costs a look. */
export async function provideKeys(
  transaction: Transaction<StoreTables>,
  keys: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const known = await keyIds(transaction, keys);
  const missing = keys.filter((key) => !known.has(key));
  if (missing.length === 0) return known;
  // In one order, so that two writers never wait for each other.
  await sql`
    insert into tender_key (key) select key from unnest(${missing}::text[]) as key
    order by key collate "C" on conflict do nothing`.execute(transaction);
  return new Map([...known, ...(await keyIds(transaction, missing))]);
}

/** Beyond so many keys a part is so common that the index is of no use. */
const mostKeys = 2_000;

/** Ids of the words, or of the keys of a name, that a part occurs in; undefined for a part of too many. */
export async function keysWith(
  database: Kysely<StoreTables>,
  part: string,
  name?: string,
): Promise<readonly number[] | undefined> {
  const rows = await database
    .withTables<TenderTables>()
    .selectFrom("tender_key")
    .select("id")
    .where(
      name === undefined
        ? sql<boolean>`${contains(sql.ref("key"), part)} and position('=' in key) = 0`
        : sql<boolean>`${contains(sql.ref("key"), part)} and position('=' in key) > 0 and key like ${`${name}=%`}
            and position(${part} in substr(key, ${name.length + 2})) > 0`,
    )
    .limit(mostKeys + 1)
    .execute();
  return rows.length > mostKeys ? undefined : rows.map(({ id }) => id);
}
