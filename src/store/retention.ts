import { type Kysely, type RawBuilder, sql } from "kysely";
import type { StoreTables } from "./tables.ts";

export interface Retention<Kind extends string = string> {
  readonly table: string;
  /** Setting with the number of days, or a fixed number of days. */
  readonly stored: Kind | number;
  /** Describes the rows that are deleted, the start of their period, and exceptions. */
  readonly ends: string;
  /** One short transaction deletes up to the batch size. Returns the number of rows; 0 means that none is left. */
  readonly forget: (database: Kysely<StoreTables>, before: Date, batch: Batch) => Promise<number>;
}

interface Batch {
  readonly max: number;
  readonly now: Date;
}

/** Deletes up to `max` matching rows of a table. Locked rows are skipped and deleted next time. */
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
