import { sql, type Transaction } from "kysely";
import type { StoreTables } from "../store/tables.ts";

/**
 * Lets what waits first for endpoints be tried now: somebody asks for what stands behind it, and deliveries keep their order. The
 * attempt is none of the retry plan's, so that asking again and again does not use the plan up.
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
