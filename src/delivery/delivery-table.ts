import type { Generated, Selectable } from "kysely";

export type DeliveryTables = {
  webhook: EndpointTable;
  webhook_delivery: DeliveryTable;
  webhook_attempt: AttemptTable;
};

export type EndpointRow = Selectable<EndpointTable>;
export type DeliveryRow = Selectable<DeliveryTable>;

/** `chokepoints` is a webhook of the shipping service. The others are endpoints of alert rules. */
export type EndpointKind = "chokepoints" | "webhook" | "slack" | "email" | "feed";

interface EndpointTable {
  id: string;
  account: string;
  kind: Generated<EndpointKind>;
  name: Generated<string>;
  /** Target as it may be shown: a URL, an email address, the host of a secret URL, or empty. */
  callback_url: string;
  /** Used by `chokepoints`; empty means all. */
  chokepoint_ids: string[];
  alert_threshold: number;
  created_at: Date;
  /**
   * Encrypted, like the previous one: the signing secret, the URL of `slack`, or the confirmation code of an email
   * address.
   */
  secret: Buffer;
  earlier_secret: Buffer | null;
  earlier_secret_until: Date | null;
  /** Time when an email address was confirmed; before that no mail is sent. */
  confirmed_at: Date | null;
  /** Used by feeds. */
  token_hash: string | null;
  inactive_reason: "gone" | "exhausted" | null;
  inactive_since: Date | null;
  lease: string | null;
  lease_until: Date | null;
}

interface DeliveryTable {
  id: string;
  webhook: string;
  place: Generated<string>;
  type: string;
  body: string;
  state: DeliveryState;
  failures: number;
  created_at: Date;
  next_attempt_at: Date;
  rule: string | null;
  /** Minimum tier of accounts that may receive this delivery. */
  required_tier: Generated<number>;
}

export type DeliveryState = "pending" | "delivered" | "failed" | "discarded";

interface AttemptTable {
  delivery: string;
  at: Date;
  status: number | null;
  error: AttemptError;
  milliseconds: number;
}

/** Reason of a failed attempt; empty if it succeeded. */
export type AttemptError = "" | "status" | "timeout" | "connection" | "address";
