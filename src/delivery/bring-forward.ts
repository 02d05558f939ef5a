import { sql, type Transaction } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/** Deliveries keep their order, so the oldest one comes first. This attempt does not count as a retry. */
export async function bringForward(
  transaction: Transaction<StoreTables>,
  endpoints: readonly string[],
  now: Date,
): Promise<void> {
  await sql`
    update webhook_delivery set next_attempt_at = ${now}, failures = greatest(failures - 1, 0)
    where next_attempt_at > ${now} and id in (
      select distinct on (webhook) id from webhook_delivery
      where webhook = any(${endpoints}::text[]) and state = 'pending' order by webhook, place)`.execute(transaction);
}
