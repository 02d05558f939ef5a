import type { JsonObject, JsonValue } from "@bufbuild/protobuf";
import type { ColumnType, Generated, Kysely, Transaction as KyselyTransaction } from "kysely";
import type { SourceTables } from "./source-tables.ts";

/** Tables of the store. A domain adds its own with `withTables`. int8 values are read as text and written as bigint. */
export interface StoreTables extends SourceTables {
  generation: GenerationTable;
  snapshot: SnapshotTable;
  dataset: DatasetTable;
  dataset_version: DatasetVersionTable;
  source: SourceTable;
  state_day: StateDayTable;
  source_request: SourceRequestTable;
  host_rest: HostRestTable;
  operator_problem: OperatorProblemTable;
  backup_run: BackupRunTable;
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

export type Store = Kysely<StoreTables>;
export type Transaction = KyselyTransaction<StoreTables>;

/** Version numbers of objects that processes cache. A change raises the object's number, which each process polls. */
interface GenerationTable {
  name: string;
  value: ColumnType<string, number | bigint, number | bigint>;
}

/** The latest message of each dataset that is stored as one message, as proto JSON. */
interface SnapshotTable {
  type: string;
  part: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  body: ColumnType<JsonValue, string, string>;
}

interface DatasetTable {
  name: string;
  generation: ColumnType<string, number | bigint, number | bigint>;
  origin: "live" | "sample";
  stored_at: Date;
  rows: number;
  /** Time since which the dataset is stale, as in the change log. Null if it is not. */
  stale_since: Generated<Date | null>;
  /** The version that an operator restored, and when. Refreshes must not replace it. */
  held_generation: Generated<string | null>;
  held_since: Generated<Date | null>;
}

/** The change log, in the order in which the changes became visible. */
export interface ChangeTable {
  position: ColumnType<string, never, never>;
  at: Date;
  dataset: string;
  origin: "live" | "sample";
  kind: string;
  /** Table and key of the changed row; empty if the entry concerns the whole dataset. */
  rows: string;
  subject: string;
  country: string;
  source: string;
  before: ColumnType<JsonObject | null, never, never>;
  after: ColumnType<JsonObject | null, never, never>;
}

interface DatasetVersionTable extends DatasetTable {
  /** Time of the last successful read of each source. */
  read_at: unknown;
  /** The version of the dataset that a rollback restored as this one. Null if a refresh stored this one. */
  restored_generation: Generated<string | null>;
  valid_from: Date;
  valid_to: Date;
}

interface SourceTable {
  dataset: string;
  source: string;
  state: "ok" | "failed" | "refused";
  run_at: Date;
  /** Time of the last request to the source, whatever its result. */
  asked_at: Generated<Date | null>;
  /** Error of the last refresh: the full message for the operator, and a public summary. */
  error: string | null;
  failure_kind: Generated<string | null>;
  failure_status: Generated<number | null>;
  /** Number of refreshes of the source, and of those that failed. */
  runs: ColumnType<number, number, number>;
  failures: ColumnType<number, number, number>;
  /** Last successful response: time, received, accepted and rejected rows, and hash of the accepted rows. */
  fetched_at: Date | null;
  observed_from: Date | null;
  observed_to: Date | null;
  rows_in: number;
  rows_out: number;
  rejected: number;
  content_hash: string | null;
  good_origin: "live" | "sample" | null;
  /** Accepted rows of the last successful response: a JSON array of proto JSON, compressed with gzip. */
  good_rows: Buffer | null;
  /** Parts that the last successful response lacks, and the number of rows that the source says it has. */
  partial: Generated<unknown>;
  available: Generated<string | null>;
  /** JSON structure of the last successful response, and its differences from the previous one. */
  shape: Generated<unknown>;
  drift: Generated<unknown>;
  drifts: Generated<number>;
}

interface StateDayTable {
  dataset: string;
  /** Name of the source; empty for the dataset as a whole. */
  source: string;
  /** UTC day. */
  day: ColumnType<string | Date, string, string>;
  state: string;
  seconds: number;
  seen_at: Date;
}

interface SourceRequestTable {
  /** The source, or a name for sources with a common quota. */
  source: string;
  /** UTC day. */
  day: ColumnType<string | Date, string, string>;
  requests: number;
}

/** Problems that last, and those whose end was not reported to the operator yet. */
interface OperatorProblemTable {
  key: string;
  text: string;
  since: Date;
  reported: boolean;
}

/** The last run of `ids backup`. The table has at most one row. */
interface BackupRunTable {
  one: Generated<boolean>;
  at: Date;
  /** Null if the backup was written. */
  error: string | null;
}

interface HostRestTable {
  host: string;
  /** Number of consecutive times at which the host rejected requests. Each one extends the pause. */
  refusals: number;
  until: Date;
  /** HTTP status of the rejection, and whether the source accepts requests again after a pause. */
  status: number;
  passes: boolean;
}

interface AccountTable {
  id: string;
  name: string;
  scopes: Generated<string[]>;
  billing_customer: string | null;
  created_at: Generated<Date>;
}

interface SubscriptionTable {
  /** Subscription ID of the billing provider, or `local:` and the account. */
  id: string;
  account: string;
  provider: "local" | "stripe";
  plan: string;
  /** False once the subscription is canceled, even if its paid period has not ended. */
  active: boolean;
  /** End of the paid period; null means no end. */
  valid_until: Date | null;
  updated_at: Generated<Date>;
  /** Time of the provider's newest processed event. */
  event_at: Generated<Date | null>;
  /** Set while a process checks the subscription with the provider. */
  checking_since: Generated<Date | null>;
  check_after: Generated<Date | null>;
}

/** Processed events of the billing provider. They are stored because it may deliver an event repeatedly. */
interface BillingEventTable {
  id: string;
  received_at: Date;
}

export interface ApiKeyTable {
  /** Public ID of the key, which can be shown because it does not reveal the hash. */
  id: string;
  hash: string;
  account: string;
  name: string;
  /** First characters of the key, by which users recognize it. */
  prefix: Generated<string>;
  scopes: Generated<string[]>;
  /** True if the key may only read. */
  read_only: Generated<boolean>;
  created_at: Generated<Date>;
  expires_at: Date | null;
  /** ID of the key that replaced this one, which remains valid until `expires_at`. */
  replaced_by: Generated<string | null>;
  /** Time of the last use. While the key is in use, it is updated every five minutes. */
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** ID of the key that created this one; `setting`: IDS_OPERATOR_KEY; `store`: the command line. */
  made_by: Generated<string | null>;
}

export interface FeedUrlTable {
  /** Public ID of the URL, which can be shown because it does not reveal the hash. */
  id: string;
  hash: string;
  account: string;
  name: string;
  /** Path and query of the read that the URL permits. */
  target: string;
  created_at: Date;
  expires_at: Date;
  /** Time of the last use. While the URL is in use, it is updated every five minutes. */
  last_used_at: Date | null;
  revoked_at: Date | null;
  /** ID of the key that created the URL. */
  made_by: string;
}

interface ConsoleSessionTable {
  hash: string;
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
  /** Sequence number in the order of writing. */
  place: ColumnType<string, never, never>;
  account: string;
  key_id: string;
  request_id: string;
  operation: string;
  status: number;
  /** Number of calls that the request counted as. */
  cost: number;
  at: Date;
  milliseconds: number;
  /** Number of the account's requests after this one that were not logged. */
  not_listed: number;
}

interface IdempotentCallTable {
  /** Hash of caller, operation, and idempotency key. */
  id: string;
  request_hash: string;
  /** Encrypted response; null while the call is running. */
  answer: Buffer | null;
  locked_until: Date;
  claimant: string | null;
  /** Number of transactions that the call has committed. */
  commits: Generated<number>;
  expires_at: Date;
}

interface AuditEventTable {
  id: Generated<string>;
  at: Date;
  actor: string;
  key_id: string;
  account: string;
  operation: string;
  request: ColumnType<readonly { name: string; value: string }[], string, never>;
  result: ColumnType<readonly { name: string; value: string }[] | null, null, string | null>;
  outcome: string | null;
  address: string;
  request_id: string;
}

interface MigrationTable {
  name: string;
  applied_at: Date;
  /** True if programs that do not know the migration still work with the store. */
  compatible: Generated<boolean>;
}
