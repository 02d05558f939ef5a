import { type Kysely, sql, type Transaction } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { contains } from "./sql-condition.ts";
import type { TenderTables } from "./tender-table.ts";

/** Stores new words. Words are never deleted, because an unused word only costs a lookup. */
export async function provideWords(transaction: Transaction<StoreTables>, words: readonly string[]): Promise<void> {
  // All writers insert in the same order, so that they cannot deadlock.
  await sql`
    insert into tender_word (word) select word from unnest(${words}::text[]) as word
    order by word collate "C" on conflict do nothing`.execute(transaction);
}

/** If more words contain a part, the part is so common that the index of the notices does not help. */
const maxWords = 500;

/** Returns undefined if too many words contain the part. */
export async function wordsWith(
  database: Kysely<StoreTables>,
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
