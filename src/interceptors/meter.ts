import { isVisitor, type Principal } from "../access/keys/api-key.ts";
import { globalRules, type QuotaRules } from "../access/quotas/quota-rules.ts";
import type { Quotas } from "../access/quotas/quotas.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import type { Allowance } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import { networkOf } from "./network.ts";

/**
 * Third step: counts the request against the quotas it falls under and tells what the narrowest leaves; at once where
 * they are counted in memory. Throws `QuotaExceeded` or `QuotasUnreadable`.
 */
export type Meter = (
  operation: AnyOperation,
  principal: Principal | undefined,
  client: ClientInfo,
) => Allowance | undefined | Promise<Allowance | undefined>;

export function createMeter(quotas: Quotas, quotaRules: QuotaRules): Meter {
  return (operation, principal, client) => {
    const isPublic = operation.access.anonymous;
    // A feed URL costs its account what it reads, public or not.
    const { by, rules } = quotaRules.of(operation, isPublic && !principal?.feed ? undefined : principal?.plan);
    if (rules.length === 0) return undefined;
    // Of a public operation an account has as much as an address has without a key, whoever else shares its address.
    const caller = principal && (by === "account" || isPublic) ? principal.account : networkOf(client.address());
    return quotas.take(rules, caller, client.now);
  };
}

/** Counts a request that is of no operation by its address, or by the account that is signed in. Throws `QuotaExceeded`. */
export function createClientMeter(quotas: Quotas) {
  return (client: ClientInfo, account?: string) =>
    quotas.take(globalRules, account ?? networkOf(client.address()), client.now);
}

/**
 * Counts a view of a page as one request of who pays for it, beside that of its address; of who is signed in beside that of the
 * account, whoever else shares the address. Throws `QuotaExceeded`.
 */
export function createPageMeter(
  quotas: Quotas,
  quotaRules: QuotaRules,
  count: (viewer: Principal, now: number) => void,
) {
  const take = createClientMeter(quotas);
  /** Of `viewer`, an account, the view is noted, whoever pays. */
  return async (payer: Principal | undefined, client: ClientInfo, viewer: Principal | undefined): Promise<void> => {
    await take(client, viewer?.account);
    const rules = payer ? quotaRules.ofPage(payer.plan) : [];
    // The public has no plan to be told of.
    const reported = payer && isVisitor(payer) ? rules.map(({ planLimit: _, ...rule }) => rule) : rules;
    if (payer && reported.length > 0) await quotas.take(reported, payer.account, client.now);
    if (viewer) count(viewer, client.now);
  };
}
