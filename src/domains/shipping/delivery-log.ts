import type { Kysely, Transaction } from "kysely";
import { Conflict, NotFound } from "../../errors.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { AttemptRow, DeliveryRow, WebhookTables } from "./webhook-table.ts";

export interface LoggedDelivery {
  readonly delivery: DeliveryRow;
  /** Newest first. */
  readonly attempts: readonly AttemptRow[];
}

const mostDeliveries = 50;
const mostAttempts = 10;

/** The latest deliveries of a webhook, newest first. */
export async function deliveryLog(database: Kysely<StoreTables>, webhook: string): Promise<LoggedDelivery[]> {
  const tables = database.withTables<WebhookTables>();
  const deliveries = await tables
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook", "=", webhook)
    .orderBy("place", "desc")
    .limit(mostDeliveries)
    .execute();
  if (deliveries.length === 0) return [];
  const attempts = await tables
    .selectFrom("webhook_attempt")
    .selectAll()
    .where(
      "delivery",
      "in",
      deliveries.map(({ id }) => id),
    )
    .orderBy("at", "desc")
    .execute();
  const byDelivery = Map.groupBy(attempts, ({ delivery }) => delivery);
  return deliveries.map((delivery) => ({
    delivery,
    attempts: (byDelivery.get(delivery.id) ?? []).slice(0, mostAttempts),
  }));
}

/** Queues a delivery again that has ended. Throws `NotFound` and `Conflict`. */
export async function queueAgain(
  transaction: Transaction<StoreTables>,
  webhook: string,
  id: string,
  now: Date,
): Promise<void> {
  const tables = transaction.withTables<WebhookTables>();
  const delivery = await tables
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook", "=", webhook)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!delivery) throw new NotFound("Delivery not found");
  if (delivery.state === "pending") throw new Conflict("The delivery is still being sent");
  // A new row takes the last place; its attempts go with its id.
  await tables
    .updateTable("webhook_delivery")
    .set(({ fn, val }) => ({
      ...{ state: "pending", failures: 0, next_attempt_at: now },
      place: fn<string>("nextval", [fn("pg_get_serial_sequence", [val("webhook_delivery"), val("place")])]),
    }))
    .where("id", "=", id)
    .execute();
}
