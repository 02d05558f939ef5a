// Written by `make generate`.
import type { Pagination } from "../../../ids/common/v1/common_plain.ts";
import type { PlanKey } from "../../../known.ts";
/** The caller's account and key. */
export interface GetCallerResponse {
  /** The account. */
  account?: Account;
  /** The key used for the request. */
  key?: ApiKey;
  /** Endpoints of alert rules and shipping webhooks that were disabled because they failed, latest first. At most 100. */
  disabledEndpoints: DisabledEndpoint[];
}

/** API keys of the account. */
export interface ListApiKeysResponse {
  /** Active keys first, then oldest first. Of the inactive keys, only the newest. At most 200 keys in total. */
  keys: ApiKey[];
}

/** The new key, shown only once. */
export interface CreateApiKeyResponse {
  /** The key: `ids_` and 40 hexadecimal digits. Only its hash is stored. */
  secret: string;
  /** Stored properties of the key. */
  key?: ApiKey;
}

/** The new key, shown only once, and the old key. */
export interface RotateApiKeyResponse {
  /** The new key. Only its hash is stored. */
  secret: string;
  /** Stored properties of the new key. */
  key?: ApiKey;
  /** The old key. Its `expiresAt` is the end of the overlap. */
  replaced?: ApiKey;
}

/** The revoked key. */
export interface RevokeApiKeyResponse {
  /** The key, with `revokedAt` set. */
  key?: ApiKey;
}

/** Calls of the account. */
export interface GetUsageResponse {
  /** Newest day first, then by operation. Only operations with calls on that day have a row. */
  usage: Usage[];
  /** Current remaining calls of each limit. */
  limits: Limit[];
}

/** Limits of the caller's account. */
export interface GetLimitsResponse {
  /** Plan limits first, then operations with a limit of their own. */
  limits: Limit[];
}

/** A page of the audit log. */
export interface ListAuditEventsResponse {
  /** Newest first. */
  events: AuditEvent[];
  /** `nextCursor` is empty on the last page. `totalCount` counts all events of the account. */
  pagination?: Pagination;
}

/** The created account. */
export interface CreateAccountResponse {
  /** The new account. */
  account?: Account;
}

/** A page of accounts. */
export interface ListAccountsResponse {
  /** Sorted by id. */
  accounts: Account[];
  /** `nextCursor` is empty on the last page. `totalCount` counts all accounts. */
  pagination?: Pagination;
}

/** The updated account. */
export interface SetSubscriptionResponse {
  /** The account. */
  account?: Account;
}

/** The updated account. */
export interface SetScopesResponse {
  /** The account. */
  account?: Account;
}

/** Properties of the new key. */
export interface CreateApiKeyRequest {
  /** Display name, 1 to 100 characters in one line that are not all blank, without control and invisible characters. */
  name: string;
  /** Scopes in addition to the generic reads: `keys:read`, `keys:write` and those granted to the account. */
  scopes?: string[] | undefined;
  /** Expiry, Unix epoch milliseconds, in the future and not after the expiry of the calling key. Default: the expiry of the calling key, if any. */
  expiresAt?: number | undefined;
  /** Account id, for the operator only. Default: the caller's own account. */
  account?: string | undefined;
}

/** Key to replace and overlap with the old key. */
export interface RotateApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
  /** Time in seconds for which the old key stays valid, 0 to 2,592,000 (30 days). Default 86,400 (1 day). */
  overlapSeconds?: number | undefined;
}

/** Key to revoke. */
export interface RevokeApiKeyRequest {
  /** Id of the key, such as `key_…`. */
  keyId: string;
}

/** The account to create. */
export interface CreateAccountRequest {
  /** Account id: letters, digits, `-`, `_` and `.`, at most 64 characters, starting with a letter or a digit. */
  id: string;
  /** Display name in one line, without control and invisible characters. Default: the id. */
  name?: string | undefined;
  /** Plan of the first subscription. Default: no subscription, which is equivalent to `free`. */
  plan?: "" | "free" | "pro_monthly" | "pro_annual" | "pro_business_monthly" | "pro_business_annual" | "api_starter" | "api_starter_annual" | "api_business" | "api_business_annual" | "enterprise" | (string & {}) | undefined;
  /** Customer id at the billing provider. Default: none. */
  billingCustomer?: string | undefined;
}

/** The operator-managed subscription to set. */
export interface SetSubscriptionRequest {
  /** Account id. */
  account: string;
  /** Plan. Any plan except the operator's. */
  plan: PlanKey;
  /** End of the paid period, Unix epoch milliseconds. Default: no end. */
  validUntil?: number | undefined;
  /** If true, ends the subscription immediately. */
  ended?: boolean | undefined;
}

/** The scopes to set. */
export interface SetScopesRequest {
  /** Account id. */
  account: string;
  /** All scopes that the account's keys may carry in addition to `keys:read` and `keys:write`, such as `company_monitoring:read`. An empty list removes all of them. */
  scopes?: string[] | undefined;
}

/** An account: owns keys, and is metered and billed. */
export interface Account {
  /** Account id. */
  id: string;
  /** Display name. */
  name: string;
  /** Current plan. */
  plan: string;
  /** Tier of the current plan: 0 free, 1 pro, 2 api, 3 enterprise. */
  tier: number;
  /** Scopes that its keys may carry. */
  scopes: string[];
  /** Paid or granted subscriptions. Empty means the free plan. */
  subscriptions: Subscription[];
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
}

/** Stored properties of an API key. Never includes the key itself. */
export interface ApiKey {
  /** Id of the key, such as `key_…`. */
  id: string;
  /** Display name. */
  name: string;
  /** The first nine characters of the key. */
  prefix: string;
  /** Scopes in addition to the generic reads. */
  scopes: string[];
  /** Creation time, Unix epoch milliseconds. */
  createdAt: number;
  /** Time of the last use, Unix epoch milliseconds, accurate to five minutes. Absent if never used. */
  lastUsedAt?: number;
  /** Expiry, Unix epoch milliseconds. Absent if the key does not expire. */
  expiresAt?: number;
  /** Revocation time, Unix epoch milliseconds. Absent if the key is not revoked. */
  revokedAt?: number;
  /** Account that owns the key. */
  account: string;
}

/** An endpoint that was disabled. ReactivateEndpoint or ReactivateWebhook enables it again. */
export interface DisabledEndpoint {
  /** `ep_…`, or `wh_…` for a shipping webhook. */
  id: string;
  /** Display name. Empty for a shipping webhook. */
  name: string;
  /** `gone` if the URL returned 410, `exhausted` if a delivery failed on every attempt. */
  reason: string;
  /** Time when it was disabled, Unix epoch milliseconds. */
  disabledAt: number;
}

/** Calls of one operation on one day. */
export interface Usage {
  /** UTC day, `YYYY-MM-DD`. */
  day: string;
  /** Operation, such as `ListInternetOutages`. */
  operation: string;
  /** Number of admitted calls. */
  calls: number;
}

/** A limit and its remaining calls. */
export interface Limit {
  /** `per_minute`, `daily`, `exported_rows`, `open_streams`, `feed_urls`, `alert_rules` or `alert_endpoints` for plan limits, `api_keys` for active keys, or the name of the operation that has a limit of its own. */
  name: string;
  /** Requests allowed per window; of `api_keys`, `feed_urls`, `alert_rules` and `alert_endpoints`, how many there may be. Absent if unlimited. */
  limit?: number;
  /** What is left of the limit. Absent if unlimited. */
  remaining?: number;
  /** Length of the window in seconds. 0 for what has none, such as `feed_urls`. */
  windowSeconds: number;
  /** End of the window, Unix epoch milliseconds. Absent if no window has started. */
  resetAt?: number;
}

/** A write. */
export interface AuditEvent {
  /** Event id. Later events have higher ids. */
  id: string;
  /** Start time, Unix epoch milliseconds. */
  at: number;
  /** Account of the key that made the write. `stripe` for a billing event, `cli` for a command that accessed the store directly. */
  actor: string;
  /** Id of the key. Empty if no key was used. */
  keyId: string;
  /** Account affected by the write. */
  account: string;
  /** Operation, such as `CreateApiKey`. */
  operation: string;
  /** `ok`, or the name of the error. Empty while the write is in progress, and permanently if the process died during it. */
  outcome: string;
  /** Client IP address. */
  address: string;
  /** `X-Request-Id` of the request. */
  requestId: string;
  /** Request values and results (results have names that start with `result.`). Secrets and callback URLs are left out. */
  details: AuditDetail[];
}

/** A subscription of an account. */
export interface Subscription {
  /** Subscription id at the billing provider, or `local:` and the account id. */
  id: string;
  /** Who manages the subscription: `local` for the operator, or `stripe`. */
  provider: string;
  /** Plan. */
  plan: string;
  /** False if the subscription was ended, regardless of its paid period. */
  active: boolean;
  /** End of the paid period, Unix epoch milliseconds. Absent if there is no end. */
  validUntil?: number;
}

/** A value of a request or its result. */
export interface AuditDetail {
  /** Path of the JSON member, such as `scopes` or `result.key.id`. */
  name: string;
  /** Value as text. List items are joined by a comma and a space. Truncated to 200 characters. */
  value: string;
}

export interface GetPaths {
  /** Returns the caller's key, account, plan and scopes. This call does not count against any plan quota. */
  "/api/account/v1/get-caller": {
    query: Record<never, never>;
    answer: GetCallerResponse;
  };
  /** Lists the account's API keys. Active keys come first, then oldest first. The key itself is never shown again. Requires scope `keys:read`. */
  "/api/account/v1/list-api-keys": {
    query: {
      /** Account id, for the operator only. Default: the caller's own account. */
      account?: string | undefined;
    };
    answer: ListApiKeysResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Returns the caller's calls by operation and UTC day. Calls of the last few seconds may be missing. This call does not count against any plan quota. */
  "/api/account/v1/get-usage": {
    query: {
      /** Number of UTC days, including the current day, 1 to 90. Default 30. */
      days?: number | undefined;
    };
    answer: GetUsageResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; rows?: "usage" | "limits" | undefined; raw?: boolean | undefined };
  };
  /** Returns the limits of the caller's plan and the remaining calls. This call does not count against any plan quota. */
  "/api/account/v1/get-limits": {
    query: Record<never, never>;
    answer: GetLimitsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; raw?: boolean | undefined };
  };
  /** Lists the audit events of an account, newest first. Each event records who wrote what, when, from where and with what outcome. The log covers accounts, keys, feed URLs, plans, scopes, webhooks, alert rules, endpoints and everything the operator does to the account. Requires scope `keys:read`. Demo accounts are shared, so only the operator can read their log. */
  "/api/account/v1/list-audit-events": {
    query: {
      /** Account whose log to read. Default: the caller's own account; for the operator, all accounts. */
      account?: string | undefined;
      /** Events per page, 1 to 200. Default 100, also for 0. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page. Default: the first page. */
      cursor?: string | undefined;
    };
    answer: ListAuditEventsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
  /** Lists accounts by id. Operator only. */
  "/api/account/v1/list-accounts": {
    query: {
      /** Accounts per page, 1 to 200. Default 100, also for 0. */
      page_size?: number | undefined;
      /** `nextCursor` of the previous page. Default: the first page. */
      cursor?: string | undefined;
    };
    answer: ListAccountsResponse;
    file: { format: "ndjson" | "csv" | "parquet" | "csvw"; all?: boolean | undefined; raw?: boolean | undefined };
  };
}

export interface PostPaths {
  /** Creates an API key and returns it once. Requires scope `keys:write`. The new key cannot have a scope that the calling key lacks (403) or expire after it. The first key of an account is created by the operator and gets `keys:read` and `keys:write`. 409 if the account already has the maximum number of active keys. */
  "/api/account/v1/create-api-key": { body: CreateApiKeyRequest; answer: CreateApiKeyResponse };
  /** Creates a replacement key with the same name, scopes and expiry. The old key stays valid for the overlap. A key may always replace itself. To replace another key, it needs scope `keys:write` and every scope of that key (403), and the new key does not outlive the calling key. 409 if too many replaced keys are still active, or if the key is set by IDS_OPERATOR_KEY. */
  "/api/account/v1/rotate-api-key": { body: RotateApiKeyRequest; answer: RotateApiKeyResponse };
  /** Revokes an API key on every replica within two seconds. A key may always revoke itself. To revoke another key, it needs scope `keys:write`, every scope of that key, and an expiry that is not earlier (403). 404 if the account has no such active key. */
  "/api/account/v1/revoke-api-key": { body: RevokeApiKeyRequest; answer: RevokeApiKeyResponse };
  /** Creates an account. Operator only. 409 if the id is taken. */
  "/api/account/v1/create-account": { body: CreateAccountRequest; answer: CreateAccountResponse };
  /** Sets the operator-managed subscription of an account. Subscriptions of a billing provider are not changed. Operator only; the operator's own account has its plan from its key (409). */
  "/api/account/v1/set-subscription": { body: SetSubscriptionRequest; answer: SetSubscriptionResponse };
  /** Sets the scopes that an account's keys may carry. Keys lose every scope that is not on the list. Operator only. */
  "/api/account/v1/set-scopes": { body: SetScopesRequest; answer: SetScopesResponse };
}

