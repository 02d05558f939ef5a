import { type Kysely, sql, type Transaction } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import { contains } from "./sql-condition.ts";
import type { TenderTables } from "./tender-table.ts";

/** Stores words that are new. They are never dropped: one that no notice has any more costs a look. */
export async function provideWords(transaction: Transaction<StoreTables>, words: readonly string[]): Promise<void> {
  // In one order, so that two writers never wait for each other.
  await sql`
    insert into tender_word (word) select word from unnest(${words}::text[]) as word
    order by word collate "C" on conflict do nothing`.execute(transaction);
}

/** Beyond so many words a part is so common that the index of the notices is of no use. */
const maxWords = 500;

/** Words that a part occurs in, of title and description or of another text by its name; undefined for a part of too many. */
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
