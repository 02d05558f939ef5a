// Written by `make generate`.
/** Sent and pending deliveries. */
export interface ListDeliveriesResponse {
  /** Newest first, at most 50. */
  deliveries: Delivery[];
}

/** The queued delivery. */
export interface ReplayDeliveryResponse {
  /** Id of the delivery, unchanged. */
  deliveryId: string;
}

/** Delivery to resend. */
export interface ReplayDeliveryRequest {
  /** Id of the delivery. */
  deliveryId: string;
}

/** Delivery of one event to one endpoint. */
export interface Delivery {
  /** `whd_` and 32 hexadecimal digits. Sent in the `webhook-id` header of every attempt. */
  id: string;
  /** Endpoint that it goes to. */
  endpointId: string;
  /** Type of the event, such as `change.matched`. */
  type: string;
  /** `pending` until it is delivered or given up. `delivered`. `failed` after the last attempt or a 410 response. `discarded` if the endpoint was disabled, or the plan no longer covered the data, before it was sent. */
  state: "pending" | "delivered" | "failed" | "discarded";
  /** Time of the event, Unix epoch milliseconds. */
  createdAt: number;
  /** Time of the next attempt, Unix epoch milliseconds. Absent if there is none. A delivery waits until those before it at its endpoint have ended. */
  nextAttemptAt?: number;
  /** The event as it is sent: JSON as text. Empty for `endpoint.confirmation`. */
  body: string;
  /** The latest 10 attempts, newest first. */
  attempts: Attempt[];
}

/** A delivery attempt. */
export interface Attempt {
  /** Start time, Unix epoch milliseconds. */
  at: number;
  /** HTTP status of the response, or reply code of the mail server. Absent if there was no response. */
  status?: number;
  /** Cause of the failure: `status`, `timeout`, `connection`, `address` (not public). Empty if the attempt succeeded. */
  error: string;
  /** Duration in milliseconds. */
  milliseconds: number;
}

export interface GetPaths {
  /** Lists the latest 50 deliveries of the account's endpoints, newest first.
   *
   * Each delivery includes its latest attempts. Deliveries are kept for 30 days, or as long as the operator sets. An endpoint that the account does not have returns an empty list. */
  "/api/alerts/v1/list-deliveries": {
    query: {
      /** Id of an endpoint. Default: all endpoints of the account. */
      endpoint_id?: string | undefined;
    };
    answer: ListDeliveriesResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Resends a completed delivery under its original id.
   *
   * It is sent after all pending deliveries of its endpoint, the first of which is tried again at once. 404 if the account has no such delivery, 409 if it is still pending or its endpoint is disabled. */
  "/api/alerts/v1/replay-delivery": { body: ReplayDeliveryRequest; answer: ReplayDeliveryResponse };
}

