import type { DeliveryTables } from "../../delivery/delivery-table.ts";

/** What a webhook was told of a chokepoint. */
export type WebhookAlertTables = {
  webhook_alert: WebhookAlertTable;
};

interface WebhookAlertTable {
  webhook: string;
  chokepoint: string;
  score: number;
  armed: boolean;
}

/** With the endpoints, of which webhooks on chokepoints are one kind. */
export type WebhookTables = DeliveryTables & WebhookAlertTables;

export type EventType = "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";
