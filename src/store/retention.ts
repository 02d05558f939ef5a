import { type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreTables } from "./tables.ts";

/** How the rows of a table end that would else grow for good. */
export interface Retention<Kind extends string = string> {
  readonly table: string;
  /** Whose days count, or a number of days that is not to be set. */
  readonly stored: Kind | number;
  /** What ends, from when its days are counted, and what stays however old it is. */
  readonly ends: string;
  /** Ends rows older than `before`, at most so many in one short transaction. Returns how many; 0: none was left. */
  readonly forget: (database: Kysely<StoreTables>, before: Date, batch: Batch) => Promise<number>;
}

export interface Batch {
  readonly max: number;
  readonly now: Date;
}

/** Deletes at most so many of a table's rows for which a condition holds; those that someone else holds wait for the next time. */
export async function deleteSome(
  database: Kysely<StoreTables>,
  {
    table,
    key,
    where,
  }: { readonly table: string; readonly key: readonly string[]; readonly where: RawBuilder<unknown> },
  max: number,
): Promise<number> {
  const columns = sql.join(key.map((column) => sql.ref(column)));
  const { rows } = await sql<{ deleted: number }>`
    with gone as (
      delete from ${sql.table(table)} where (${columns}) in (
        select ${columns} from ${sql.table(table)} where ${where} limit ${max} for update skip locked
      ) returning 1
    )
    select count(*)::int4 as deleted from gone`.execute(database);
  return rows[0]?.deleted ?? 0;
}
