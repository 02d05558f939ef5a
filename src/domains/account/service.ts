import type { ServiceImpl } from "@connectrpc/connect";
import type { AccountService } from "../../../gen/es/ids/account/v1/account_pb.ts";
import type { Accounts } from "../../access/accounts.ts";
import type { AuditLog } from "../../access/audit-log.ts";
import { type Caller, callerKey, principalOf } from "../../access/caller.ts";
import type { AccountFeeds } from "../../access/feeds/account-feeds.ts";
import { type BindRead, feedPath } from "../../access/feeds/feed-url.ts";
import type { AccountKeys } from "../../access/keys/account-keys.ts";
import type { Principal } from "../../access/keys/api-key.ts";
import { isDemoAccount, isDemoKey } from "../../access/keys/demo-keys.ts";
import { operatorPlan } from "../../access/keys/operator-keys.ts";
import { givenPlans } from "../../access/plans.ts";
import type { ReadLimits } from "../../access/quotas/limits.ts";
import { type RequestLog, requestLogDays } from "../../access/request-log.ts";
import type { ReadUsage } from "../../access/usage.ts";
import type { disabledEndpoints } from "../../delivery/disabled-endpoints.ts";
import { invalidField, NotEntitled } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import {
  accountMessage,
  auditEventMessage,
  disabledMessage,
  feedMessage,
  keyMessage,
  limitMessage,
  requestMessage,
} from "./messages.ts";

export interface AccountParts {
  readonly accounts: Accounts;
  readonly keys: AccountKeys;
  readonly usage: ReadUsage;
  readonly requests: RequestLog["list"];
  readonly limits: ReadLimits;
  readonly audit: Pick<AuditLog, "list">;
  readonly feeds: AccountFeeds;
  /** Returns the operation and parameters of a feed URL's path. Throws `InvalidRequest` if a feed cannot use them. */
  readonly bind: BindRead;
  readonly clock: () => Date;
  readonly disabledEndpoints: (account: string) => ReturnType<typeof disabledEndpoints>;
}

const defaultOverlapSeconds = 86_400;
const defaultDays = 30;
const defaultPage = 100;

export const account = { implement };

function implement({ access: parts }: { readonly access: AccountParts }): ServiceImpl<typeof AccountService> {
  const { accounts, keys, requests, usage, limits, audit, clock } = parts;
  return {
    ...keyMethods(parts),
    ...feedMethods(parts),
    ...operatorMethods(parts),
    async getCaller(_request, context) {
      const principal = principalOf(context.values.get(callerKey));
      const key = await keys.get(principal.keyId);
      const disabled = await parts.disabledEndpoints(principal.account);
      return {
        account: accountMessage(await accounts.get(principal.account), clock()),
        ...(key ? { key: keyMessage(key) } : {}),
        disabledEndpoints: disabled.map(disabledMessage),
      };
    },
    async getUsage({ account: named, days = defaultDays }, context) {
      const caller = context.values.get(callerKey);
      const owner = ownerOf(caller, named);
      const now = clock();
      const plan = named === "" ? principalOf(caller).plan : (await accounts.get(owner)).planAt(now);
      const [rows, left] = await Promise.all([
        usage(owner, days, now),
        limits({ account: owner, plan }, now.getTime()),
      ]);
      return { usage: [...rows], limits: left.map(limitMessage) };
    },
    async listRequests({ account: named, requestId, pageSize, cursor }, context) {
      const principal = principalOf(context.values.get(callerKey));
      const isOfAll = principal.plan.key === operatorPlan && named === "" && requestId !== "";
      const { requests: page, more } = await requests({
        account: isOfAll ? undefined : ownerOf(context.values.get(callerKey), named),
        id: requestId,
        before: cursor || undefined,
        limit: pageSize || defaultPage,
        since: new Date(clock().getTime() - requestLogDays * dayMs),
      });
      return { requests: page.map(requestMessage), nextCursor: more ? (page.at(-1)?.place ?? "") : "" };
    },
    async getLimits(_request, context) {
      const left = await limits(principalOf(context.values.get(callerKey)), clock().getTime());
      return { limits: left.map(limitMessage) };
    },
    async listAuditEvents({ account: named, pageSize, cursor }, context) {
      const principal = principalOf(context.values.get(callerKey));
      const isOperator = principal.plan.key === operatorPlan;
      const owner = ownerOf(context.values.get(callerKey), named);
      if (isDemoAccount(owner) && !isOperator)
        throw new NotEntitled("Demo accounts are shared: only the operator can read their audit log");
      const all = isOperator && named === "";
      const limit = pageSize || defaultPage;
      const { events, more, total } = await audit.list(all ? undefined : owner, cursor || undefined, limit);
      const nextCursor = more ? (events.at(-1)?.id ?? "") : "";
      return { events: events.map(auditEventMessage), pagination: { nextCursor, totalCount: total } };
    },
  };
}

function keyMethods({ accounts, keys, clock }: AccountParts) {
  /** Returns the caller if it may change the key. Only the operator may change a demo key, which many users share. */
  const handlerOf = async (caller: Caller, keyId: string): Promise<Principal> => {
    const principal = principalOf(caller);
    if (principal.plan.key === operatorPlan) return principal;
    const key = await keys.get(keyId);
    if (key?.account === principal.account && isDemoKey(key))
      throw new NotEntitled("Only the operator can change demo keys");
    return principal;
  };
  return {
    async listApiKeys(request, context) {
      const owner = ownerOf(context.values.get(callerKey), request.account);
      if (request.account !== "") await accounts.get(owner);
      const found = await keys.list(owner, clock());
      return { keys: found.map(keyMessage) };
    },
    async createApiKey({ name, scopes, readOnly, expiresAt, account: named }, context) {
      const owner = ownerOf(context.values.get(callerKey), named);
      const now = clock();
      const end = expiresAt === undefined ? null : new Date(Number(expiresAt));
      if (end && end <= now) throw invalidField("expiresAt", "value must be in the future");
      const maker = principalOf(context.values.get(callerKey));
      const { secret, key } = await keys.create(maker, owner, { name, scopes, readOnly, expiresAt: end }, now);
      return { secret, key: keyMessage(key) };
    },
    async rotateApiKey({ keyId, overlapSeconds = defaultOverlapSeconds }, context) {
      const handler = await handlerOf(context.values.get(callerKey), keyId);
      const { secret, key, replaced } = await keys.rotate(handler, keyId, overlapSeconds * 1000, clock());
      return { secret, key: keyMessage(key), replaced: keyMessage(replaced) };
    },
    async revokeApiKey({ keyId }, context) {
      const handler = await handlerOf(context.values.get(callerKey), keyId);
      return { key: keyMessage(await keys.revoke(handler, keyId, clock())) };
    },
  } satisfies Partial<ServiceImpl<typeof AccountService>>;
}

function operatorMethods({ accounts, clock }: AccountParts) {
  return {
    async createAccount({ id, name, plan, billingCustomer }) {
      if (plan !== "") checkPlan(plan);
      const opened = {
        id,
        name: name || id,
        plan: plan || undefined,
        billingCustomer: billingCustomer || undefined,
      };
      const now = clock();
      return { account: accountMessage(await accounts.open(opened, now), now) };
    },
    async listAccounts({ pageSize, cursor }) {
      const limit = pageSize || defaultPage;
      const { accounts: page, more, total } = await accounts.list(cursor, limit);
      const nextCursor = more ? (page.at(-1)?.id ?? "") : "";
      return {
        accounts: page.map((found) => accountMessage(found, clock())),
        pagination: { nextCursor, totalCount: total },
      };
    },
    async setSubscription({ account: id, plan, validUntil, ended }) {
      checkPlan(plan);
      const end = validUntil === undefined ? null : new Date(Number(validUntil));
      const now = clock();
      return {
        account: accountMessage(await accounts.subscribe(id, { plan, active: !ended, validUntil: end }, now), now),
      };
    },
    async setScopes({ account: id, scopes }) {
      return { account: accountMessage(await accounts.setScopes(id, scopes, clock()), clock()) };
    },
    async deleteAccount({ account: id }) {
      await accounts.delete(id, clock());
      return { account: id };
    },
  } satisfies Partial<ServiceImpl<typeof AccountService>>;
}

function checkPlan(plan: string): void {
  if (!givenPlans.includes(plan)) throw invalidField("plan", `value must be one of ${givenPlans.join(", ")}`);
}

function feedMethods({ feeds, bind, accounts, clock }: AccountParts) {
  return {
    async listFeedUrls(request, context) {
      const owner = ownerOf(context.values.get(callerKey), request.account);
      if (request.account !== "") await accounts.get(owner);
      return { feeds: (await feeds.list(owner, clock())).map(feedMessage) };
    },
    async createFeedUrl({ name, path, expiresAt }, context) {
      const { format, ...bound } = bind(path);
      const end = expiresAt === undefined ? undefined : new Date(Number(expiresAt));
      const maker = principalOf(context.values.get(callerKey));
      const { token, feed } = await feeds.create(maker, { name, ...bound, expiresAt: end }, clock());
      return { url: feedPath(token, format), feed: feedMessage(feed) };
    },
    async revokeFeedUrl({ feedId }, context) {
      return { feed: feedMessage(await feeds.revoke(principalOf(context.values.get(callerKey)), feedId, clock())) };
    },
  } satisfies Partial<ServiceImpl<typeof AccountService>>;
}

/** Returns the account that a request names. Only the operator may name another account than its own. */
function ownerOf(caller: Caller, named: string): string {
  const { account, plan } = principalOf(caller);
  if (named === "" || named === account) return account;
  if (plan.key !== operatorPlan) throw new NotEntitled("Operator key required");
  return named;
}
