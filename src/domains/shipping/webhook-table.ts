import type { Generated, Selectable } from "kysely";

/** The tables of webhooks. */
export type WebhookTables = {
  webhook: WebhookTable;
  webhook_alert: { webhook: string; chokepoint: string; score: number; armed: boolean };
  webhook_delivery: DeliveryTable;
  webhook_attempt: AttemptTable;
};

export type WebhookRow = Selectable<WebhookTable>;
export type DeliveryRow = Selectable<DeliveryTable>;

interface WebhookTable {
  id: string;
  account: string;
  callback_url: string;
  /** Empty means all. */
  chokepoint_ids: string[];
  alert_threshold: number;
  created_at: Date;
  /** Sealed, as the earlier one. */
  secret: Buffer;
  earlier_secret: Buffer | null;
  earlier_secret_until: Date | null;
  inactive_reason: "gone" | "exhausted" | null;
  inactive_since: Date | null;
  lease: string | null;
  lease_until: Date | null;
}

interface DeliveryTable {
  id: string;
  webhook: string;
  place: Generated<string>;
  type: EventType;
  body: string;
  state: "pending" | "delivered" | "failed" | "discarded";
  failures: number;
  created_at: Date;
  next_attempt_at: Date;
}

interface AttemptTable {
  delivery: string;
  at: Date;
  status: number | null;
  error: AttemptError;
  milliseconds: number;
}

/** Why an attempt failed; empty when it did not. */
export type AttemptError = "" | "status" | "timeout" | "connection" | "address";

export type EventType = "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";
