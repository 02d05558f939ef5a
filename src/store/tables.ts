import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated } from "kysely";

/** Tables of the store itself; a domain adds its own with `withTables`. int8 arrives as text and is bigint on the way in. */
export interface StoreTables {
  generation: GenerationTable;
  snapshot: SnapshotTable;
  dataset: DatasetTable;
  dataset_version: DatasetVersionTable;
  source: SourceTable;
  state_day: StateDayTable;
  source_request: SourceRequestTable;
  host_rest: HostRestTable;
  account: AccountTable;
  subscription: SubscriptionTable;
  billing_event: BillingEventTable;
  api_key: ApiKeyTable;
  feed_url: FeedUrlTable;
  console_session: ConsoleSessionTable;
  usage_day: UsageDayTable;
  request_log: RequestLogTable;
  idempotent_call: IdempotentCallTable;
  audit_event: AuditEventTable;
  change: ChangeTable;
  migration: MigrationTable;
}

/** A counter per thing that readers keep in memory: raised in the transaction of the change, polled by every process. */
interface GenerationTable {
  name: string;
  value: ColumnType<string, number | bigint, number | bigint>;
}

/** The latest message of each type, as proto JSON. */
interface SnapshotTable {
  type: string;
  part: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  body: ColumnType<JsonValue, string, string>;
}

/** Provenance of a dataset's visible generation. */
interface DatasetTable {
  name: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  origin: "live" | "sample";
  stored_at: Date;
  /** Rows served. */
  rows: number;
  /** Set once the change to stale is logged, until the one back is. */
  stale_since: Generated<Date | null>;
  /** The earlier generation that an operator put back, and when: refreshes do not replace it. */
  held_generation: Generated<string | null>;
  held_since: Generated<Date | null>;
}

/** What changed, in the order in which it became visible. */
export interface ChangeTable {
  position: ColumnType<string, never, never>;
  at: Date;
  dataset: string;
  origin: "live" | "sample";
  kind: string;
  /** The table of the dataset that the row is in, and the row's key; empty for the dataset as a whole. */
  rows: string;
  subject: string;
  country: string;
  source: string;
  before: ColumnType<JsonObject | null, never, never>;
  after: ColumnType<JsonObject | null, never, never>;
}

/** A dataset as it was visible from one moment until another. */
interface DatasetVersionTable extends DatasetTable {
  /** When each of its sources was read last. */
  read_at: unknown;
  valid_from: Date;
  valid_to: Date;
}

/** What happened last with each source, and its last good rows. */
interface SourceTable {
  dataset: string;
  source: string;
  state: "ok" | "failed" | "refused";
  run_at: Date;
  /** When a request was last sent to it live, whatever came of that. */
  asked_at: Generated<Date | null>;
  /** The words of the failure, for the operator alone, and what everybody may know of it. */
  error: string | null;
  failure_kind: Generated<string | null>;
  failure_status: Generated<number | null>;
  /** Refreshes tried, and how many of them brought nothing. */
  runs: ColumnType<number, number, number>;
  failures: ColumnType<number, number, number>;
  /** Of the last good answer: when, how many rows came, went on and were left out, and the hash of those kept. */
  fetched_at: Date | null;
  /** Earliest and latest moment its rows tell of. */
  observed_from: Date | null;
  observed_to: Date | null;
  rows_in: number;
  rows_out: number;
  rejected: number;
  content_hash: string | null;
  good_origin: "live" | "sample" | null;
  /** gzip of the last good rows as a JSON array of proto JSON. */
  good_rows: Buffer | null;
  /** Of the last good answer: the parts that did not come with it, and how many rows the source says it has. */
  partial: Generated<unknown>;
  available: Generated<string | null>;
  /** The form of its last good answer, how later ones differed from the one before each, and how many differences there were. */
  shape: Generated<unknown>;
  drift: Generated<unknown>;
  drifts: Generated<number>;
}

/** How long a dataset, or a source of it, was in a state on a day. */
interface StateDayTable {
  dataset: string;
  /** Empty: the dataset itself. */
  source: string;
  /** UTC day. */
  day: ColumnType<string | Date, string, string>;
  state: string;
  seconds: number;
  seen_at: Date;
}

/** What was sent in a day to sources with a small quota. */
interface SourceRequestTable {
  /** The source, or those that share its quota. */
  source: string;
  /** UTC day. */
  day: ColumnType<string | Date, string, string>;
  requests: number;
}

/** Hosts that refused and are left alone. */
interface HostRestTable {
  host: string;
  /** In a row: each makes the rest longer. */
  refusals: number;
  until: Date;
  /** What it answered, and whether that ends by itself. */
  status: number;
  passes: boolean;
}

interface AccountTable {
  id: string;
  name: string;
  /** Rights that its keys may be given. */
  scopes: Generated<string[]>;
  /** The billing provider's id of the account. */
  billing_customer: string | null;
  created_at: Generated<Date>;
}

interface SubscriptionTable {
  /** The billing provider's id, or `local:` and the account. */
  id: string;
  account: string;
  provider: "local" | "stripe";
  plan: string;
  /** False once it was ended, whatever its paid period. */
  active: boolean;
  /** End of the paid period; null means without end. */
  valid_until: Date | null;
  updated_at: Generated<Date>;
  /** Of the provider's newest event that was heard. */
  event_at: Generated<Date | null>;
  /** Set while some process asks the provider for it. */
  checking_since: Generated<Date | null>;
  /** The provider is not asked again before. */
  check_after: Generated<Date | null>;
}

/** Events of the billing provider that were heard: they come more than once. */
interface BillingEventTable {
  id: string;
  received_at: Date;
}

export interface ApiKeyTable {
  /** Names the key where its hash must not be shown. */
  id: string;
  hash: string;
  account: string;
  name: string;
  /** The first characters, which distinguish keys. */
  prefix: Generated<string>;
  scopes: Generated<string[]>;
  created_at: Generated<Date>;
  expires_at: Date | null;
  /** The key that took its place; it goes on until `expires_at`. */
  replaced_by: Generated<string | null>;
  /** At most five minutes old while the key is in use. */
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Id of the key that made it; `setting`: IDS_OPERATOR_KEY; `store`: the command line. */
  made_by: Generated<string | null>;
}

export interface FeedUrlTable {
  /** Names the feed URL where its hash must not be shown. */
  id: string;
  hash: string;
  account: string;
  name: string;
  /** Path and query of the read that it is bound to. */
  target: string;
  created_at: Date;
  expires_at: Date;
  /** At most five minutes old while the URL is in use. */
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** Id of the key that made it. */
  made_by: string;
}

interface ConsoleSessionTable {
  hash: string;
  /** The key that it was exchanged for. */
  key_id: string;
  created_at: Date;
  expires_at: Date;
  revoked_at: Date | null;
}

interface UsageDayTable {
  account: string;
  /** UTC day. */
  day: ColumnType<string | Date, string, string>;
  operation: string;
  calls: ColumnType<string, number, number>;
}

interface RequestLogTable {
  /** In the order of writing. */
  place: ColumnType<string, never, never>;
  account: string;
  key_id: string;
  request_id: string;
  operation: string;
  status: number;
  /** Requests that it counted as, against the plan. */
  cost: number;
  at: Date;
  milliseconds: number;
  /** Requests of the account right after it that have no row. */
  not_listed: number;
}

interface IdempotentCallTable {
  /** Hash of caller, operation and key. */
  id: string;
  request_hash: string;
  /** Sealed; null while the call is at work. */
  answer: Buffer | null;
  locked_until: Date;
  /** The run of the call. */
  claimant: string | null;
  /** Transactions of its work that were committed. */
  commits: Generated<number>;
  expires_at: Date;
}

/** Every write, by whom and with what outcome. */
interface AuditEventTable {
  id: Generated<string>;
  at: Date;
  actor: string;
  key_id: string;
  account: string;
  operation: string;
  request: ColumnType<JsonValue, string, never>;
  result: ColumnType<JsonValue, null, string | null>;
  outcome: string | null;
  address: string;
  request_id: string;
}

interface MigrationTable {
  name: string;
  applied_at: Date;
  /** Programs that do not know it run beside it. */
  compatible: Generated<boolean>;
}
