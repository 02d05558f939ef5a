import type { Transaction } from "kysely";
import type { StoreTables } from "../../store/tables.ts";
import type { EventType, WebhookTables } from "./webhook-table.ts";

/** What a delivery says beside its type and time. */
export interface EventData {
  readonly subscriberId: string;
  readonly chokepointId: string;
  readonly chokepointName: string;
  /** Disruption score, 0 to 100. */
  readonly score: number;
  readonly alertThreshold: number;
  readonly reason: string;
  readonly details?: Readonly<Record<string, string | number>>;
}

/** One event for one webhook. */
export interface WebhookEvent {
  readonly type: EventType;
  readonly data: EventData;
}

/** A statement takes 65,535 values, and no row has more than eight. */
const maxRows = 5_000;

export function chunked<T>(rows: readonly T[]): T[][] {
  return Array.from({ length: Math.ceil(rows.length / maxRows) }, (_, index) =>
    rows.slice(index * maxRows, (index + 1) * maxRows),
  );
}

/** Queues deliveries in the order given. They are sent by a job, once the transaction is through. */
export async function queueDeliveries(
  transaction: Transaction<StoreTables>,
  reported: readonly WebhookEvent[],
  { now, randomBytes }: { readonly now: Date; readonly randomBytes: (size: number) => Buffer },
): Promise<string[]> {
  const rows = reported.map(({ type, data }) => ({
    id: `whd_${randomBytes(16).toString("hex")}`,
    webhook: data.subscriberId,
    type,
    body: JSON.stringify({ type, timestamp: now.toISOString(), data }),
    state: "pending" as const,
    failures: 0,
    created_at: now,
    next_attempt_at: now,
  }));
  for (const some of chunked(rows))
    await transaction.withTables<WebhookTables>().insertInto("webhook_delivery").values(some).execute();
  return rows.map(({ id }) => id);
}
