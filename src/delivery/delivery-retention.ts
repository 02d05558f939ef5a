import { sql } from "kysely";
import { deleteSome, type Retention } from "../store/retention.ts";

/** Days for which deliveries are retained. All retries of a delivery take less time. */
export const deliveryDays = 30;

export const deliveryRetention = {
  table: "webhook_delivery",
  stored: deliveryDays,
  ends: "A delivery and its attempts, from the time of the event. Pending deliveries are retained.",
  forget: (database, before, { max }) =>
    deleteSome(
      database,
      { table: "webhook_delivery", key: ["id"], where: sql`created_at < ${before} and state <> 'pending'` },
      max,
    ),
} as const satisfies Retention;
