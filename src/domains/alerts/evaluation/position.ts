import { type Kysely, sql } from "kysely";
import type { StoreTables } from "../../../store/tables.ts";

/** From here to the end of the transaction nobody else evaluates rules. */
export async function holdPosition(transaction: Kysely<StoreTables>): Promise<void> {
  await sql`insert into alert_position (position) values (0) on conflict do nothing`.execute(transaction);
  await sql`select from alert_position for update`.execute(transaction);
}
