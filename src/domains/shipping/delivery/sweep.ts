import type { Kysely } from "kysely";
import { dayMs } from "../../../reference/duration.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { WebhookTables } from "../webhook-table.ts";

/** Deliveries are kept for so many days. */
const retentionDays = 30;

/** Webhooks that something is due for and nobody has in hand; old deliveries are forgotten on the way. */
export async function sweep(database: Kysely<StoreTables>, now: Date): Promise<string[]> {
  const tables = database.withTables<WebhookTables>();
  await tables
    .deleteFrom("webhook_delivery")
    .where("created_at", "<", new Date(now.getTime() - retentionDays * dayMs))
    .where("state", "<>", "pending")
    .execute();
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
