import type { Renewal, Renewals } from "../access/billing/renewals.ts";
import { entitlementsAt, entitlementsOf } from "../access/entitlements.ts";
import { includedText } from "../access/feeds/feed-url.ts";
import type { Principal } from "../access/keys/api-key.ts";
import { ScopeMissing } from "../access/keys/keys.ts";
import type { Plan } from "../access/plans.ts";
import type { Subscription } from "../access/subscriptions.ts";
import { type AnyOperation, requiredTier } from "../contract/catalog.ts";
import { AccessUnconfirmed, NotEntitled, SubscriptionEnded, SwitchedOff, UpgradeRequired } from "../errors.ts";

/**
 * The second access check: whether the account's current plan allows the operation. If a subscription has ended, it is
 * first checked whether it was renewed. Returns the principal with the plan that applies. Throws `NotEntitled`,
 * `UpgradeRequired` or `AccessUnconfirmed`. If only this installation disallows the operation, throws `SwitchedOff`.
 */
export type Entitle = (operation: AnyOperation, principal: Principal, now: number) => Principal | Promise<Principal>;

export interface EntitleParts {
  readonly renewals: Renewals;
  readonly free: Plan;
  readonly upgradeUrl: string;
  readonly isOff: (operation: AnyOperation) => boolean;
}

export function createEntitle({ renewals, free, upgradeUrl, isOff }: EntitleParts): Entitle {
  const entitle: Entitle = (operation, known, now) => {
    const principal = entitlementsAt(known, free, now);
    const tier = requiredTier(operation);
    if (principal.state === "ended" || principal.plan.tier < tier) return checkRenewals(operation, principal, now);
    requireRights(operation, principal);
    if (isOff(operation)) throw new SwitchedOff(`${operation.name} is disabled on this service`);
    return principal;
  };

  /** Called if the account's plan is too low: an ended subscription that was renewed may allow the operation. */
  const checkRenewals = async (operation: AnyOperation, principal: Principal, now: number) => {
    const tier = requiredTier(operation);
    const { state, ended } = principal;
    const renewable = state === "ended" ? ended : ended.filter(({ plan }) => plan.tier >= tier);
    const checked = await Promise.all(renewable.map((subscription) => renewals.verify(subscription, now)));
    const renewed = checked.flatMap((renewal) => (renewal.state === "renewed" ? [renewal.subscription] : []));
    if (renewed.length > 0) return entitle(operation, withRenewed(principal, renewed, free, now), now);
    requireConfirmed(checked, tier, now);
    if (state === "ended") throw new SubscriptionEnded();
    throw upgradeRequired(operation, principal, tier);
  };

  const upgradeRequired = ({ access }: AnyOperation, { plan, unresolved }: Principal, tier: number) => {
    if (unresolved === "account") return new NotEntitled("Authentication required", { requiredTier: tier });
    if (unresolved === "plan") return new NotEntitled("Unable to verify entitlements", { requiredTier: tier });
    const details = { requiredTier: tier, currentTier: plan.tier, planKey: plan.key };
    return access.proGated ? new UpgradeRequired(upgradeUrl, details) : new NotEntitled("Upgrade required", details);
  };

  return entitle;
}

function requireRights(operation: AnyOperation, { plan, scopes, readOnly, feed }: Principal): void {
  const { access } = operation;
  if (access.operator && plan.key !== "operator") throw new NotEntitled("Operator key required");
  if (feed && plan.feedUrls !== undefined && feed.before >= plan.feedUrls)
    throw new NotEntitled(`${includedText(plan.feedUrls)}, and older ones come first`);
  if (readOnly && !operation.read && operation.method.methodKind === "unary")
    throw new NotEntitled("This key can only read");
  if (access.scope !== "" && !scopes.has(access.scope)) throw new ScopeMissing([access.scope]);
}

function withRenewed(principal: Principal, renewed: readonly Subscription[], free: Plan, now: number): Principal {
  const subscriptions = principal.subscriptions.map((old) => renewed.find(({ id }) => id === old.id) ?? old);
  return { ...principal, subscriptions, ...entitlementsOf(subscriptions, free, now) };
}

/**
 * Throws if the renewal of a subscription could not be checked: the client can retry later. Only if every subscription
 * was checked and has ended, the error says that the subscription has ended.
 */
function requireConfirmed(checked: readonly Renewal[], tier: number, now: number): void {
  const required = tier > 0 ? { requiredTier: tier } : {};
  for (const renewal of checked)
    if ("retryAt" in renewal)
      throw new AccessUnconfirmed(codes[renewal.state], {
        retryAfterSeconds: (renewal.retryAt - now) / 1000,
        ...required,
        ...("cause" in renewal ? { cause: renewal.cause } : {}),
      });
  if (checked.some(({ state }) => state === "lapsed"))
    throw new NotEntitled("Subscription lapsed", { code: "subscription_lapsed", ...required });
}

const codes = {
  pending: "renewal_verification_pending",
  failed: "renewal_verification_failed",
  unavailable: "entitlement_verification_unavailable",
} as const;
