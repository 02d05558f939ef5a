import { sql } from "kysely";
import { jsonArrayFrom } from "kysely/helpers/postgres";
import { Conflict, NotFound } from "../errors.ts";
import type { Store, Transaction } from "../store/tables.ts";
import type { DeliveryTables } from "./delivery-table.ts";

/** A delivery with its latest attempts, newest first. */
export type LoggedDelivery = Awaited<ReturnType<typeof deliveryLog>>[number];

const maxDeliveries = 50;
const maxAttempts = 10;

/** One statement reads deliveries and attempts, so that they are consistent. */
export async function deliveryLog(database: Store, endpoints: readonly string[]) {
  const newest = sql<string>`(
    select id from unnest(${endpoints}::text[]) as endpoint (name) cross join lateral (
      select id, place from webhook_delivery where webhook = endpoint.name order by place desc limit ${maxDeliveries}
    ) as latest order by place desc limit ${maxDeliveries}
  )`;
  return database
    .withTables<DeliveryTables>()
    .selectFrom("webhook_delivery")
    .select(["id", "webhook", "type", "body", "state", "created_at"])
    .select(nextAttempt)
    .select((delivery) =>
      jsonArrayFrom(
        delivery
          .selectFrom("webhook_attempt")
          .select(["at", "status", "error", "milliseconds"])
          .whereRef("delivery", "=", "webhook_delivery.id")
          .orderBy("at", "desc")
          .limit(maxAttempts),
      ).as("attempts"),
    )
    .where("id", "in", newest)
    .orderBy("place", "desc")
    .execute();
}

/** Time of the next attempt, which is not before that of the endpoint's oldest delivery: they are sent in order. */
const nextAttempt = sql<Date>`
  case when state = 'pending' then greatest(next_attempt_at, (
    select first.next_attempt_at from webhook_delivery as first
    where first.webhook = webhook_delivery.webhook and first.state = 'pending' order by first.place limit 1))
  else next_attempt_at end`.as("next_attempt_at");

/** Queues a completed delivery again. Throws `NotFound`, or `Conflict` if it is not completed. */
export async function queueAgain(transaction: Transaction, webhook: string, id: string, now: Date): Promise<void> {
  const tables = transaction.withTables<DeliveryTables>();
  const delivery = await tables
    .selectFrom("webhook_delivery")
    .selectAll()
    .where("webhook", "=", webhook)
    .where("id", "=", id)
    .executeTakeFirst();
  if (!delivery) throw new NotFound("Delivery not found");
  if (delivery.state === "pending") throw new Conflict("The delivery is still being sent");
  // A new `place` moves the delivery to the end of the queue. Its ID stays, because attempts refer to it.
  await tables
    .updateTable("webhook_delivery")
    .set(({ fn, val }) => ({
      state: "pending",
      failures: 0,
      next_attempt_at: now,
      place: fn<string>("nextval", [fn("pg_get_serial_sequence", [val("webhook_delivery"), val("place")])]),
    }))
    .where("id", "=", id)
    .execute();
  await bringForward(transaction, [webhook], now);
}

/** Makes the oldest delivery of each endpoint due now, because they are sent in order. It does not count as a retry. */
export async function bringForward(transaction: Transaction, endpoints: readonly string[], now: Date): Promise<void> {
  await sql`
    update webhook_delivery set next_attempt_at = ${now}, failures = greatest(failures - 1, 0)
    where next_attempt_at > ${now} and id in (
      select distinct on (webhook) id from webhook_delivery
      where webhook = any(${endpoints}::text[]) and state = 'pending' order by webhook, place)`.execute(transaction);
}
