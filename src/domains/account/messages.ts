import type { MessageInitShape } from "@bufbuild/protobuf";
import type {
  AccountSchema,
  ApiKeySchema,
  AuditEventSchema,
  DisabledEndpointSchema,
  LimitSchema,
} from "../../../gen/es/ids/account/v1/account_pb.ts";
import type { FeedUrlSchema } from "../../../gen/es/ids/account/v1/feed_urls_pb.ts";
import type { LoggedRequestSchema } from "../../../gen/es/ids/account/v1/requests_pb.ts";
import type { Account } from "../../access/accounts.ts";
import type { AuditRow } from "../../access/audit-log.ts";
import type { StoredFeed } from "../../access/feeds/account-feeds.ts";
import type { StoredKey } from "../../access/keys/account-keys.ts";
import type { LimitLeft } from "../../access/quotas/limits.ts";
import type { RequestRow } from "../../access/request-log.ts";
import type { disabledEndpoints } from "../../delivery/disabled-endpoints.ts";

export function accountMessage(account: Account, now: Date): MessageInitShape<typeof AccountSchema> {
  const plan = account.planAt(now);
  return {
    id: account.id,
    name: account.name,
    plan: plan.key,
    tier: plan.tier,
    scopes: [...account.scopes],
    subscriptions: account.subscriptions.map(({ id, provider, plan: { key }, active, validUntil }) => ({
      id,
      provider,
      plan: key,
      active,
      ...(validUntil === undefined ? {} : { validUntil: BigInt(validUntil) }),
    })),
    createdAt: BigInt(account.createdAt.getTime()),
  };
}

/** Returns the metadata of a key. The key and its hash are secret. */
export function keyMessage(key: StoredKey): MessageInitShape<typeof ApiKeySchema> {
  return {
    id: key.id,
    account: key.account,
    name: key.name,
    prefix: key.prefix,
    scopes: key.scopes,
    readOnly: key.read_only,
    createdAt: BigInt(key.created_at.getTime()),
    ...(key.last_used_at ? { lastUsedAt: BigInt(key.last_used_at.getTime()) } : {}),
    ...(key.expires_at ? { expiresAt: BigInt(key.expires_at.getTime()) } : {}),
    ...(key.revoked_at ? { revokedAt: BigInt(key.revoked_at.getTime()) } : {}),
  };
}

/** Returns the metadata of a feed URL. The token and its hash are secret. */
export function feedMessage(feed: StoredFeed): MessageInitShape<typeof FeedUrlSchema> {
  return {
    id: feed.id,
    account: feed.account,
    name: feed.name,
    path: feed.target,
    createdAt: BigInt(feed.created_at.getTime()),
    expiresAt: BigInt(feed.expires_at.getTime()),
    ...(feed.last_used_at ? { lastUsedAt: BigInt(feed.last_used_at.getTime()) } : {}),
    ...(feed.revoked_at ? { revokedAt: BigInt(feed.revoked_at.getTime()) } : {}),
  };
}

export function disabledMessage({
  id,
  name,
  inactive_reason: reason,
  inactive_since: since,
}: Awaited<ReturnType<typeof disabledEndpoints>>[number]): MessageInitShape<typeof DisabledEndpointSchema> {
  return { id, name, reason: reason ?? "", ...(since && { disabledAt: BigInt(since.getTime()) }) };
}

export function auditEventMessage(row: AuditRow): MessageInitShape<typeof AuditEventSchema> {
  const details = [row.request, row.result].flatMap((part) => part ?? []);
  return {
    id: row.id,
    at: BigInt(row.at.getTime()),
    actor: row.actor,
    keyId: row.key_id,
    account: row.account,
    operation: row.operation,
    outcome: row.outcome ?? "",
    address: row.address,
    requestId: row.request_id,
    details: details.map(({ name, value }) => ({ name, value })),
  };
}

export function requestMessage(row: RequestRow): MessageInitShape<typeof LoggedRequestSchema> {
  return {
    id: row.place,
    requestId: row.request_id,
    at: BigInt(row.at.getTime()),
    account: row.account,
    keyId: row.key_id,
    operation: row.operation,
    status: row.status,
    cost: row.cost,
    milliseconds: row.milliseconds,
    notListed: row.not_listed,
  };
}

/** Returns a limit with the total amount and the remaining amount. If there is no limit, both are absent. */
export function limitMessage(left: LimitLeft): MessageInitShape<typeof LimitSchema> {
  const { name, limit, remaining, windowSeconds, resetAt } = left;
  return {
    name,
    windowSeconds,
    ...(limit === undefined ? {} : { limit: BigInt(limit) }),
    ...(remaining === undefined ? {} : { remaining: BigInt(remaining) }),
    ...(resetAt === undefined ? {} : { resetAt: BigInt(Math.ceil(resetAt)) }),
  };
}
