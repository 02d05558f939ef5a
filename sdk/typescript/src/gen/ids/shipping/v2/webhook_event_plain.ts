// Written by `make generate`.
/** Body of a delivery: JSON, signed by Standard Webhooks 1.0 in `webhook-id`, `webhook-timestamp`, `webhook-signature`. */
export interface WebhookEvent {
  /** `chokepoint.disruption`: the score has risen to the threshold; at threshold 0, has changed. `chokepoint.recovered`: it has fallen at least 5 below the threshold. `webhook.test`: sent by TestWebhook. */
  type: "chokepoint.disruption" | "chokepoint.recovered" | "webhook.test";
  /** Time of the event, ISO 8601 in UTC. */
  timestamp: string;
  /** The chokepoint and its score. */
  data: WebhookEventData;
}

/** The chokepoint that an event is about. */
export interface WebhookEventData {
  /** Id of the webhook. */
  subscriberId: string;
  /** Id of the chokepoint. */
  chokepointId: string;
  /** Name of the chokepoint. */
  chokepointName: string;
  /** Disruption score, 0 to 100. Of a test: the threshold. */
  score: number;
  /** Threshold of the webhook, 0 to 100. */
  alertThreshold: number;
  /** `score_crossed_threshold`, `score_fell_below_threshold`, `score_changed` or `test`. */
  reason: "score_crossed_threshold" | "score_fell_below_threshold" | "score_changed" | "test";
  /** How the chokepoint stands. Absent in a test. */
  details?: WebhookEventDetails;
}

/** How a chokepoint stands when it is reported. */
export interface WebhookEventDetails {
  /** Score that was reported or seen before. Absent at the first score that the webhook sees. */
  previousScore?: number;
  /** `rising`, `falling` or `flat`, against the previous score. */
  trend: "rising" | "falling" | "flat";
  /** `green`, `yellow` or `red`. */
  status: "green" | "yellow" | "red";
  /** War risk, such as `WAR_RISK_TIER_ELEVATED`. */
  warRiskTier: string;
}

