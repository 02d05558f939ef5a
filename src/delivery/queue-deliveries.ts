import type { Transaction } from "../store/tables.ts";
import type { DeliveryState, DeliveryTables } from "./delivery-table.ts";

export interface NewDelivery {
  /** ID that is never queued twice, which prevents duplicates. The default is random. */
  readonly id?: string;
  readonly endpoint: string;
  readonly type: string;
  readonly body: string;
  readonly rule?: string;
  readonly requiredTier?: number;
  /** Initial state. Entries of a feed are `delivered` immediately, because nothing is sent. */
  readonly state?: Extract<DeliveryState, "pending" | "delivered">;
}

/** Maximum number of rows per statement, which accepts 65,535 values. The body of a delivery has up to 64 kB. */
const maxRows = 500;

export function chunked<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, index) =>
    rows.slice(index * maxRows, (index + 1) * maxRows),
  );
}

export function eventBody(type: string, now: Date, data: object): string {
  return JSON.stringify({ type, timestamp: now.toISOString(), data });
}

function newDeliveryId(randomBytes: (size: number) => Buffer): string {
  return `whd_${randomBytes(16).toString("hex")}`;
}

/** Queues deliveries in the given order. A job sends them after the commit of the transaction. */
export async function queueDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
  { now, randomBytes }: { readonly now: Date; readonly randomBytes: (size: number) => Buffer },
): Promise<string[]> {
  const rows = deliveries.map(({ id, endpoint, type, body, rule = null, requiredTier = 0, state = "pending" }) => ({
    ...{ id: id ?? newDeliveryId(randomBytes), webhook: endpoint, type, body, state, rule },
    ...{ failures: 0, created_at: now, next_attempt_at: now, required_tier: requiredTier },
  }));
  for (const some of chunked(rows))
    await transaction
      .withTables<DeliveryTables>()
      .insertInto("webhook_delivery")
      .values(some)
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  return rows.map(({ id }) => id);
}
