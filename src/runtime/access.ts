import { randomBytes } from "node:crypto";
import { CompanyMonitoringService } from "../../gen/es/ids/company_monitoring/v1/company_monitoring_pb.ts";
import { Accounts } from "../access/accounts.ts";
import { type AuditLog, auditLog } from "../access/audit-log.ts";
import { openBilling } from "../access/billing/billing.ts";
import { createRenewals } from "../access/billing/renewals.ts";
import type { ReceiveDelivery } from "../access/billing/stripe-webhook.ts";
import { accountFeeds, findFeed } from "../access/feeds/account-feeds.ts";
import { isTokenShaped, tokenHash } from "../access/feeds/feed-url.ts";
import { AccountKeys } from "../access/keys/account-keys.ts";
import { hashOf, type Principal } from "../access/keys/api-key.ts";
import { isDemoAccount } from "../access/keys/demo-keys.ts";
import { knownKeys } from "../access/keys/keys.ts";
import { findPrincipal } from "../access/keys/principal.ts";
import { configuredPlans, freePlan, type Plans } from "../access/plans.ts";
import { limitReader } from "../access/quotas/limits.ts";
import { openQuotas } from "../access/quotas/postgres-quotas.ts";
import { quotaRules, signInRules } from "../access/quotas/quota-rules.ts";
import { createRequestLog, type RequestLog } from "../access/request-log.ts";
import {
  consoleSessions,
  findSession,
  isSessionShaped,
  type Sessions,
  sessionHash,
} from "../access/sessions/sessions.ts";
import { createUsageCounter, usageTable } from "../access/usage.ts";
import { catalog } from "../contract/catalog.ts";
import { disabledEndpoints } from "../delivery/disabled-endpoints.ts";
import type { AccountParts } from "../domains/account/service.ts";
import { alertLimits } from "../domains/alerts/alert-limits.ts";
import { operationOrigins } from "../domains/index.ts";
import type { AccessControl } from "../http/access-control.ts";
import { WatchStreams } from "../http/changes/watch-streams.ts";
import type { FeedRouteParts } from "../http/feeds/feed-route.ts";
import { readBinder } from "../http/feeds/read-binder.ts";
import { createWalkAllowance, type WalkAllowance } from "../http/rest/formats/walk-allowance.ts";
import { type Authenticate, createAuthenticate } from "../interceptors/authenticate.ts";
import type { ClientInfo } from "../interceptors/client-info.ts";
import { createEntitle, type Entitle } from "../interceptors/entitle.ts";
import { createKeyGuard } from "../interceptors/key-guard.ts";
import {
  createClientMeter,
  createInnerMeter,
  createMeter,
  createPageMeter,
  createReadCharge,
} from "../interceptors/meter.ts";
import { networkOf } from "../interceptors/network.ts";
import type { AppParts } from "./app-parts.ts";
import { createAccessControl } from "./gates.ts";
import { withheldFromFile } from "./withheld.ts";

/** Authentication, entitlements, and quotas of a running service. */
export interface Access {
  readonly accessControl: AccessControl;
  /** Identifies the account of a feed URL, and finds the sources whose rows the feed URL must not return. */
  readonly feedUrls: Omit<FeedRouteParts, "find">;
  readonly entitle: Entitle;
  readonly walkAllowance: WalkAllowance;
  readonly plans: Plans;
  /** Returns the account that is signed in to the console with a session token. */
  readonly identifySession: Authenticate;
  readonly sessions: Sessions;
  /** Counts an attempt to sign in by client address. Throws `QuotaExceeded`. */
  readonly meterSignIn: (client: ClientInfo) => Promise<unknown>;
  /** Counts a request that does not call an operation, such as one for a document. */
  readonly meterClient: ReturnType<typeof createClientMeter>;
  readonly chargeReads: ReturnType<typeof createReadCharge>;
  readonly meterInner: ReturnType<typeof createInnerMeter>;
  /** Counts a page view. */
  readonly meterPage: ReturnType<typeof createPageMeter>;
  /** Dependencies of the operations for managing accounts and keys. */
  readonly account: AccountParts & { readonly audit: AuditLog };
  /** Handles webhook events of the billing provider; undefined if none is configured. */
  readonly receive: ReceiveDelivery | undefined;
  /** Invalidates cached keys after a change of keys or subscriptions. */
  readonly forgetKeys: () => void;
  readonly streams: WatchStreams;
  /** Log of the last requests of each account. */
  readonly requestLog: RequestLog;
  /** Writes counts that are only in memory to the store. */
  readonly flush: () => Promise<void>;
}

export async function openAccess(
  { config, database, clock, log, streamTimes, stripeUrl }: AppParts,
  stack: AsyncDisposableStack,
): Promise<Access> {
  const { kysely } = database;
  const warn = (message: string) => log.warn(message);
  const plans = configuredPlans(config.planLimits);
  const quotas = await openQuotas({ database: database.settings, log: warn });
  stack.defer(() => quotas.close());
  const keys = new AccountKeys(kysely, randomBytes);
  const usage = createUsageCounter(kysely, warn);
  stack.defer(() => usage.close());
  const requestLog = createRequestLog(kysely, warn);
  stack.defer(() => requestLog.close());
  const admits = ({ account }: Principal) => config.demo || !isDemoAccount(account);
  const guard = (isKey: (presented: string) => Promise<boolean>) => createKeyGuard({ quotas, isKey });
  const source = { database: kysely, plans };
  const authenticate = createAuthenticate({
    find: (key, now) => findPrincipal(source, key, now),
    admits,
    guard: guard(knownKeys(kysely, "api_key", hashOf)),
  });
  const identifyFeed = createAuthenticate({
    isShaped: isTokenShaped,
    find: (token, now) => findFeed(source, token, now),
    admits,
    guard: guard(knownKeys(kysely, "feed_url", tokenHash)),
  });
  const identifySession = createAuthenticate({
    isShaped: isSessionShaped,
    find: (token, now) => findSession(source, token, now),
    admits,
    guard: guard(knownKeys(kysely, "console_session", sessionHash)),
  });
  const withheldFrom = (path: string) => withheldFromFile(path, config);
  const feeds = accountFeeds(kysely, randomBytes);
  const billing = await openBilling({ stripe: config.stripe, stripeUrl, database: kysely, plans, log });
  const renewals = createRenewals({ database: kysely, plans, providers: billing.providers, clock, log: warn });
  const entitle = createEntitle({
    renewals,
    free: freePlan(plans),
    upgradeUrl: config.upgradeUrl,
    isOff: ({ method }) => method.parent === CompanyMonitoringService && !config.companyMonitoring,
  });
  const limits = quotaRules(config.upgradeUrl);
  const accessControl = createAccessControl({ authenticate, entitle, meter: createMeter(quotas, limits), usage });
  const streams = new WatchStreams({ accessControl, clock, log: warn }, streamTimes);
  stack.defer(() => streams.close());
  return {
    accessControl,
    streams,
    feedUrls: { identify: identifyFeed, withheldFrom },
    identifySession,
    sessions: consoleSessions(kysely, randomBytes),
    meterSignIn: async (client) => quotas.take(signInRules, networkOf(client.address()), client.now),
    entitle,
    walkAllowance: createWalkAllowance(quotas, limits, clock),
    plans,
    meterClient: createClientMeter(quotas),
    chargeReads: createReadCharge(quotas, limits, clock),
    meterInner: createInnerMeter(quotas, limits, clock),
    meterPage: createPageMeter(quotas, limits, (viewer, now) => usage.count(viewer, "Console", now)),
    account: {
      accounts: new Accounts(kysely, plans),
      keys,
      usage: usageTable(kysely),
      requests: requestLog.list,
      limits: limitReader(quotas, limits, async (principal, now) => {
        const own = [streams.left(principal), keys.left(principal.account, now), feeds.left(principal, now)];
        return (await Promise.all([...own, alertLimits(kysely, principal)])).flat();
      }),
      feeds,
      bind: readBinder(
        operationOrigins.flatMap(({ method }) => catalog.filter((each) => each.method === method)),
        withheldFrom,
      ),
      audit: auditLog(kysely),
      disabledEndpoints: (account) => disabledEndpoints(kysely, account),
      clock,
    },
    receive: billing.receive,
    forgetKeys() {
      authenticate.forget();
      identifyFeed.forget();
      identifySession.forget();
      renewals.forget();
      streams.confirm();
    },
    requestLog,
    async flush() {
      await Promise.all([usage.flush(), requestLog.flush()]);
    },
  };
}
