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

/** The content of an event. Its type and its time are stored next to it. */
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

/** Queues a delivery for each event, in this order. Jobs send the deliveries after the transaction is committed. */
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
  /** Whether the next rise to the threshold is reported. After a rise, the score must recover first. */
  readonly armed: boolean;
}

interface Judged {
  readonly alert: Alert;
  readonly event?: { readonly type: "chokepoint.disruption" | "chokepoint.recovered"; readonly reason: Reason };
}

type Reason = "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed";

/** How far below the threshold a score counts as recovered, so that small changes near it cause no events. */
const hysteresis = 5;

/**
 * Reports that a score rises to the threshold, and that it recovers. A first score is reported if it has reached the
 * threshold. With the threshold 0, every change of the score is reported.
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
