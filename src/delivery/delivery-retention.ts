import { sql } from "kysely";
import { deleteSome, type Retention } from "../store/retention.ts";

/** Deliveries outlast the retries of several weeks. */
export const deliveryDays = 30;

export const deliveryRetention = {
  table: "webhook_delivery",
  stored: deliveryDays,
  ends: "A delivery with its attempts, from its event. Those that wait stay.",
  forget: (database, before, { max }) =>
    deleteSome(
      database,
      { table: "webhook_delivery", key: ["id"], where: sql`created_at < ${before} and state <> 'pending'` },
      max,
    ),
} as const satisfies Retention;
