// Written by `make generate`.
/** Sent and pending deliveries of the webhook. */
export interface ListWebhookDeliveriesResponse {
  /** Newest first, at most 50. */
  deliveries: WebhookDelivery[];
}

/** The queued delivery. */
export interface ReplayWebhookDeliveryResponse {
  /** Id of the delivery, unchanged. */
  deliveryId: string;
}

/** Delivery to resend. */
export interface ReplayWebhookDeliveryRequest {
  /** Id of the webhook. */
  subscriberId: string;
  /** Id of the delivery. */
  deliveryId: string;
}

/** Delivery of one event to one webhook. */
export interface WebhookDelivery {
  /** `whd_` and 32 hexadecimal digits. Sent in the `webhook-id` header of every attempt. */
  deliveryId: string;
  /** `chokepoint.disruption`, `chokepoint.recovered` or `webhook.test`. */
  type: string;
  /** `pending` until it is delivered or given up. `delivered`. `failed` after the last attempt or a 410 response. `discarded` if the webhook was disabled before the delivery was sent. */
  state: string;
  /** Time of the event, ISO 8601 in UTC. */
  createdAt: string;
  /** Time of the next attempt, ISO 8601 in UTC. Absent if there is none. A delivery waits until those before it have ended. */
  nextAttemptAt?: string;
  /** The latest 10 attempts, newest first. */
  attempts: WebhookAttempt[];
}

/** A delivery attempt. */
export interface WebhookAttempt {
  /** Start time, ISO 8601 in UTC. */
  at: string;
  /** HTTP status of the response. Absent if there was no response. */
  status?: number;
  /** Cause of the failure: `status`, `timeout`, `connection`, `address` (not public). Empty if the attempt succeeded. */
  error: string;
  /** Duration in milliseconds. */
  milliseconds: number;
}

export interface GetPaths {
  /** Lists the latest 50 deliveries of a webhook, newest first. Each delivery includes its attempts. Deliveries are kept for 30 days, or as long as the operator sets. */
  "/api/v2/shipping/webhooks/{subscriber_id}/deliveries": {
    query: {
      /** Id of the webhook. */
      subscriber_id: string;
    };
    answer: ListWebhookDeliveriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "deliveries" | "deliveries.attempts" | undefined; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Resends a completed delivery under its original id. It is sent after all pending deliveries, the first of which is tried again at once. 409 if the delivery is still pending or the webhook is disabled. */
  "/api/v2/shipping/webhooks/{subscriber_id}/replay": { body: ReplayWebhookDeliveryRequest; answer: ReplayWebhookDeliveryResponse };
}

