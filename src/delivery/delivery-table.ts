import type { Generated, Selectable } from "kysely";

export type DeliveryTables = {
  webhook: EndpointTable;
  webhook_delivery: DeliveryTable;
  webhook_attempt: AttemptTable;
};

export type EndpointRow = Selectable<EndpointTable>;
export type DeliveryRow = Selectable<DeliveryTable>;

/** `chokepoints` is a webhook of the shipping service. The other kinds are endpoints of alert rules. */
export type EndpointKind = "chokepoints" | "webhook" | "slack" | "email" | "feed";

interface EndpointTable {
  id: string;
  account: string;
  kind: Generated<EndpointKind>;
  name: Generated<string>;
  /** Public part of the target: a URL, an email address, or the host of a secret URL. Empty for a feed. */
  callback_url: string;
  /** Filter of a `chokepoints` webhook; empty selects all chokepoints. */
  chokepoint_ids: string[];
  alert_threshold: number;
  created_at: Date;
  /**
   * The secret in encrypted form, like the earlier one: the signing secret, the URL of a `slack` endpoint, or the
   * confirmation code of an email address.
   */
  secret: Buffer;
  earlier_secret: Buffer | null;
  earlier_secret_until: Date | null;
  /** Time when the owner confirmed the email address. Before that, no alerts are sent to it. */
  confirmed_at: Date | null;
  /** Hash of a feed's token; null for other kinds. */
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
  /** Minimum tier of the account. If the plan has become lower, the delivery is dropped. */
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

/** Why an attempt failed; empty if it succeeded. */
export type AttemptError = "" | "status" | "timeout" | "connection" | "address";
