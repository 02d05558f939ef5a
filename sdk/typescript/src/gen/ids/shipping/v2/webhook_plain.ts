// Written by `make generate`.
import type { ChokepointId } from "../../../known.ts";
/** Id and secret of the webhook. */
export interface RegisterWebhookResponse {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64. Shown only once. */
  secret: string;
}

/** Webhooks of the account. */
export interface ListWebhooksResponse {
  /** Oldest first. */
  webhooks: Webhook[];
}

/** A registered webhook. */
export interface Webhook {
  /** `wh_` and 24 hexadecimal digits. */
  subscriberId: string;
  /** URL to which deliveries are sent. */
  callbackUrl: string;
  /** Chokepoints that are reported. All chokepoints if none was requested. */
  chokepointIds: string[];
  /** Disruption score from which a chokepoint is reported, 0 to 100. */
  alertThreshold: number;
  /** Registration time, ISO 8601 in UTC. */
  createdAt: string;
  /** True if deliveries are sent. */
  active: boolean;
  /** Reason why the webhook is disabled: `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. Empty while active. */
  inactiveReason: string;
  /** Time when the webhook was disabled, ISO 8601 in UTC. Absent while active. */
  inactiveSince?: string;
}

/** Empty response. */
export interface DeleteWebhookResponse {
}

/** The new secret. */
export interface RotateWebhookSecretResponse {
  /** Id of the webhook. */
  subscriberId: string;
  /** `whsec_` and 32 bytes in base64. Shown only once. */
  secret: string;
  /** Time from which the new secret signs, ISO 8601 in UTC. */
  rotatedAt: string;
  /** Time until which the previous secret also signs, ISO 8601 in UTC. */
  earlierSecretUntil: string;
}

/** The re-enabled webhook. */
export interface ReactivateWebhookResponse {
  /** Id of the webhook. */
  subscriberId: string;
  /** Always true. */
  active: boolean;
}

/** The queued delivery. */
export interface TestWebhookResponse {
  /** Id of the delivery, sent in its `webhook-id` header. */
  deliveryId: string;
}

/** Callback URL, chokepoints and alert threshold. */
export interface RegisterWebhookRequest {
  /** An https URL at a public address, 8 to 2,048 characters. Port 443 or 1024 and above. No user name and no fragment. */
  callbackUrl: string;
  /** Chokepoints to report, such as `suez`. Default: all chokepoints. */
  chokepointIds?: ChokepointId[] | undefined;
  /** Disruption score from which a chokepoint is reported, 0 to 100. Default 50. With 0, every change of a score is reported. */
  alertThreshold?: number | undefined;
}

/** Webhook to delete. */
export interface DeleteWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** Webhook whose secret to rotate. */
export interface RotateWebhookSecretRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** Webhook to re-enable. */
export interface ReactivateWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

/** Webhook to test. */
export interface TestWebhookRequest {
  /** Id of the webhook. */
  subscriberId: string;
}

export interface GetPaths {
  /** Lists the account's webhooks, oldest first. Secrets are never included. */
  "/api/v2/shipping/webhooks": {
    query: Record<never, never>;
    answer: ListWebhooksResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns a webhook of the account. 404 if it does not exist or another account owns it. */
  "/api/v2/shipping/webhooks/{subscriber_id}": {
    query: {
      /** Id of the webhook. */
      subscriber_id: string;
    };
    answer: Webhook;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Registers a webhook and returns its secret once. At most 25 webhooks per account. */
  "/api/v2/shipping/webhooks": { body: RegisterWebhookRequest; answer: RegisterWebhookResponse };
  /** Creates a new webhook secret and returns it once. For 24 hours, deliveries are signed with the old and the new secret, then with the new one only. */
  "/api/v2/shipping/webhooks/{subscriber_id}/rotate-secret": { body: RotateWebhookSecretRequest; answer: RotateWebhookSecretResponse };
  /** Re-enables a disabled webhook. Deliveries discarded in the meantime can be replayed. */
  "/api/v2/shipping/webhooks/{subscriber_id}/reactivate": { body: ReactivateWebhookRequest; answer: ReactivateWebhookResponse };
  /** Sends a `webhook.test` event after all pending deliveries. The first of those is tried again at once. 409 if the webhook is disabled. */
  "/api/v2/shipping/webhooks/{subscriber_id}/test": { body: TestWebhookRequest; answer: TestWebhookResponse };
}

export interface DeletePaths {
  /** Deletes a webhook and its pending deliveries. The response has no body. */
  "/api/v2/shipping/webhooks/{subscriber_id}": { body: DeleteWebhookRequest; answer: DeleteWebhookResponse };
}

