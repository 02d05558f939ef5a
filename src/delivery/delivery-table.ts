import type { Generated, Selectable } from "kysely";

/** The tables of endpoints and what is sent to them. */
export type DeliveryTables = {
  webhook: EndpointTable;
  webhook_delivery: DeliveryTable;
  webhook_attempt: AttemptTable;
};

export type EndpointRow = Selectable<EndpointTable>;
export type DeliveryRow = Selectable<DeliveryTable>;

/** `chokepoints`: a webhook of the shipping service; the others are endpoints that rules report to. */
export type EndpointKind = "chokepoints" | "webhook" | "slack" | "email" | "feed";

interface EndpointTable {
  id: string;
  account: string;
  kind: Generated<EndpointKind>;
  name: Generated<string>;
  /** Where it leads, as it may be shown: a URL, an address, the host of a secret URL, or nothing. */
  callback_url: string;
  /** Of `chokepoints`; empty means all. */
  chokepoint_ids: string[];
  alert_threshold: number;
  created_at: Date;
  /** Sealed, as the earlier one: what signs, the URL of `slack`, the code that confirms an address. */
  secret: Buffer;
  earlier_secret: Buffer | null;
  earlier_secret_until: Date | null;
  /** Of an address: since then it may be written to. */
  confirmed_at: Date | null;
  /** Of a feed. */
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
  /** The lowest tier whose accounts may have what it tells. */
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

/** Why an attempt failed; empty when it did not. */
export type AttemptError = "" | "status" | "timeout" | "connection" | "address";
