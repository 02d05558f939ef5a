import { type RawBuilder, sql } from "kysely";
import type { Store } from "./tables.ts";

export interface Retention<Kind extends string = string> {
  readonly table: string;
  /** Name of the setting with the retention period, or a fixed number of days. */
  readonly stored: Kind | number;
  /** States in a sentence which rows are deleted, when their period starts, and what is exempt. */
  readonly ends: string;
  /** Deletes rows up to a maximum in a short transaction. Returns the number of deleted rows; 0 if none is left. */
  readonly forget: (database: Store, before: Date, batch: Batch) => Promise<number>;
}

interface Batch {
  readonly max: number;
  readonly now: Date;
}

/** Deletes up to `max` matching rows of a table. Locked rows are skipped and deleted next time. */
export async function deleteSome(
  database: Store,
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
