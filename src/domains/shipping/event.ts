import type { Transaction } from "kysely";
import { eventBody, queueDeliveries } from "../../delivery/queue-deliveries.ts";
import type { StoreTables } from "../../store/tables.ts";
import type { EventType } from "./webhook-table.ts";

/** The content of a delivery, without its type and time. */
export interface EventData {
  readonly subscriberId: string;
  readonly chokepointId: string;
  readonly chokepointName: string;
  /** The disruption score, 0 to 100. */
  readonly score: number;
  readonly alertThreshold: number;
  readonly reason: string;
  readonly details?: Readonly<Record<string, string | number>>;
}

export interface WebhookEvent {
  readonly type: EventType;
  readonly data: EventData;
}

/** Queues events in the given order. A job sends them after the transaction is committed. */
export function queueEvents(
  transaction: Transaction<StoreTables>,
  events: readonly WebhookEvent[],
  { now, randomBytes }: { readonly now: Date; readonly randomBytes: (size: number) => Buffer },
): Promise<string[]> {
  const deliveries = events.map(({ type, data }) => ({
    ...{ endpoint: data.subscriberId, type, body: eventBody(type, now, data) },
  }));
  return queueDeliveries(transaction, deliveries, { now, randomBytes });
}
