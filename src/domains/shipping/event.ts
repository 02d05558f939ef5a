import type { DeliveryTables } from "../../delivery/delivery-table.ts";
import { eventBody, queueDeliveries } from "../../delivery/queue-deliveries.ts";
import type { Transaction } from "../../store/tables.ts";

type WebhookAlertTables = {
  webhook_alert: WebhookAlertTable;
};

interface WebhookAlertTable {
  webhook: string;
  chokepoint: string;
  score: number;
  armed: boolean;
}

/** The tables of webhooks. Webhooks are stored as endpoints, so those tables are included. */
export type WebhookTables = DeliveryTables & WebhookAlertTables;

type EventType = "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";

/** The data of an event. Its type and time are stored separately. */
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

/** Queues deliveries of events in this order. Jobs send them after the transaction is committed. */
export function queueEvents(
  transaction: Transaction,
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
  /** Whether a rise to the threshold is reported. It is not until the score has recovered from the last rise. */
  readonly armed: boolean;
}

interface Judged {
  readonly alert: Alert;
  readonly event?: { readonly type: "chokepoint.disruption" | "chokepoint.recovered"; readonly reason: Reason };
}

type Reason = "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed";

/** The distance below the threshold at which a score has recovered. It avoids repeated events near the threshold. */
const hysteresis = 5;

/**
 * Reports a rise to the threshold, and then the recovery before the next rise. A first score is reported if it has
 * reached the threshold. With threshold 0, every change is reported.
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
