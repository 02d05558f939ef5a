import type { DeliveryTables } from "../../delivery/delivery-table.ts";

export type WebhookAlertTables = {
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

export type EventType = "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";
