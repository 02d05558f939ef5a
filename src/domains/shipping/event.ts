import type { Transaction } from "kysely";
import type { DeliveryTables } from "../../delivery/delivery-table.ts";
import { eventBody, queueDeliveries } from "../../delivery/queue-deliveries.ts";
import type { StoreTables } from "../../store/tables.ts";

type WebhookAlertTables = {
  webhook_alert: WebhookAlertTable;
};

interface WebhookAlertTable {
  webhook: string;
  chokepoint: string;
  score: number;
  armed: boolean;
}

/** Endpoints are included, because webhooks on chokepoints are one kind of endpoint. */
export type WebhookTables = DeliveryTables & WebhookAlertTables;

type EventType = "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";

/** The content of a delivery, without its type and time. */
interface EventData {
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

export interface Alert {
  readonly score: number;
  /** Whether the next rise to the threshold is reported. */
  readonly armed: boolean;
}

interface Judged {
  readonly alert: Alert;
  readonly event?: { readonly type: "chokepoint.disruption" | "chokepoint.recovered"; readonly reason: Reason };
}

type Reason = "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed";

/** A score must fall this far below the threshold before the next rise is reported, to avoid repeated events. */
const hysteresis = 5;

/**
 * Reports a rise to the threshold once, then a fall well below it, then the next rise. The first score is reported if
 * it is already past the threshold. With threshold 0, every change is reported.
 */
export function judge(before: Alert | undefined, score: number, threshold: number): Judged {
  const alert = (armed: boolean): Alert => ({ score, armed });
  if (threshold === 0 && before) {
    if (before.score === score) return { alert: before };
    return { alert: alert(true), event: { type: "chokepoint.disruption", reason: "score_changed" } };
  }
  const armed = before?.armed ?? true;
  if (armed && score >= threshold && score > 0)
    return { alert: alert(false), event: { type: "chokepoint.disruption", reason: "score_crossed_threshold" } };
  if (!armed && score <= Math.max(threshold - hysteresis, 0))
    return { alert: alert(true), event: { type: "chokepoint.recovered", reason: "score_fell_below_threshold" } };
  return { alert: alert(armed) };
}
