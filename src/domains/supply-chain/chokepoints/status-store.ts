import { type Insertable, sql, type Transaction } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";
import type { SupplyTables } from "../supply-tables.ts";

const table = "chokepoint_status" satisfies keyof SupplyTables;

/** A chokepoint's state, to be stored. */
export type StatusRow = Omit<Insertable<SupplyTables[typeof table]>, "version" | "updated_at">;

/** Stores the states. One that is as before is not touched; each change raises the version by one. Returns the ids of the changed. */
export async function storeStatuses(
  transaction: Transaction<StoreTables>,
  statuses: readonly StatusRow[],
  now: Date,
): Promise<string[]> {
  const rows = statuses.map((status) => ({ ...status, version: 1, updated_at: now }));
  const [first] = statuses;
  if (!first) return [];
  const names = Object.keys(first).filter((name) => name !== "chokepoint_id");
  const of = (row: string) => sql.join(names.map((name) => sql.ref(`${row}.${name}`)));
  const changed = await sql<{ chokepoint_id: string }>`
    insert into ${sql.table(table)}
    select * from json_populate_recordset(null::${sql.table(table)}, ${JSON.stringify(rows)}::json)
    on conflict (chokepoint_id) do update set
      (${sql.join(names.map((name) => sql.ref(name)))}) = row(${of("excluded")}),
      version = ${sql.ref(`${table}.version`)} + 1, updated_at = excluded.updated_at
    where (${of(table)}) is distinct from (${of("excluded")})
    returning chokepoint_id`.execute(transaction);
  return changed.rows.map(({ chokepoint_id }) => chokepoint_id);
}
