import type { Kysely } from "kysely";
import type { StoreTables } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

/** Returns endpoints with due deliveries that no process is serving. */
export async function sweep(database: Kysely<StoreTables>, now: Date): Promise<string[]> {
  const tables = database.withTables<DeliveryTables>();
  const rows = await tables
    .selectFrom("webhook")
    .select("id")
    .where("inactive_reason", "is", null)
    .where(({ eb, or }) => or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("webhook_delivery")
          .select("webhook_delivery.id")
          .whereRef("webhook_delivery.webhook", "=", "webhook.id")
          .where("state", "=", "pending")
          .where("next_attempt_at", "<=", now),
      ),
    )
    .execute();
  return rows.map(({ id }) => id);
}
