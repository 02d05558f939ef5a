import { sql } from "kysely";
import { logExtent } from "../../../store/changes/change-log.ts";
import type { Store } from "../../../store/tables.ts";

/** Locks the position in the change log until the transaction ends, so that only one process evaluates rules. */
export async function holdPosition(transaction: Store): Promise<void> {
  await sql`insert into alert_position (position) values (0) on conflict do nothing`.execute(transaction);
  await sql`select from alert_position for update`.execute(transaction);
}

export async function unevaluatedChanges(database: Store): Promise<number> {
  const { newest } = await logExtent(database);
  const { rows } = await sql<{ position: string }>`select position from alert_position`.execute(database);
  return rows[0] ? Math.max(0, newest - Number(rows[0].position)) : 0;
}
