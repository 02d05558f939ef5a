import { sql, type Transaction } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/**
 * Makes the oldest queued delivery of each endpoint due now. Deliveries keep their order, so it blocks the one that the
 * user wants. This attempt does not count against the retry plan.
 */
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
