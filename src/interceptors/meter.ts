import { isVisitor, type Principal } from "../access/keys/api-key.ts";
import { globalRules, type QuotaRules } from "../access/quotas/quota-rules.ts";
import type { Quotas } from "../access/quotas/quotas.ts";
import type { Allowance } from "../allowance.ts";
import type { AnyOperation } from "../contract/catalog.ts";
import { QuotasUnreadable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import { networkOf } from "./network.ts";

/** The third access check: counts the request, synchronously in memory. Throws `QuotaExceeded`, `QuotasUnreadable`. */
export type Meter = (
  operation: AnyOperation,
  principal: Principal | undefined,
  client: ClientInfo,
) => Allowance | undefined | Promise<Allowance | undefined>;

export function createMeter(quotas: Quotas, quotaRules: QuotaRules): Meter {
  return (operation, principal, client) => {
    const isPublic = operation.access.anonymous;
    // A request with a feed URL counts against the account's plan, even for a public operation.
    const { by, rules } = quotaRules.of(operation, isPublic && !principal?.feed ? undefined : principal?.plan);
    if (rules.length === 0) return undefined;
    // On a public operation, an account has its own counter, with the same limit as an address. Other clients at its
    // address do not use up this limit.
    const caller = principal && (by === "account" || isPublic) ? principal.account : networkOf(client.address());
    return quotas.take(rules, caller, client.now);
  };
}

/** Charges further reads to an account that was already admitted. If counting fails, the reads are allowed. */
export function createReadCharge(quotas: Quotas, quotaRules: QuotaRules, clock: () => Date) {
  return async ({ account, plan }: Principal, reads: number): Promise<void> => {
    const rules = quotaRules.ofPage(plan);
    if (rules.length === 0) return;
    try {
      await quotas.charge(rules, account, clock().getTime(), reads);
    } catch (error) {
      if (!(error instanceof QuotasUnreadable)) throw error;
    }
  };
}

/** Counts a read that runs as part of another one against the limits of its own operation. Throws `QuotaExceeded`. */
export function createInnerMeter(quotas: Quotas, quotaRules: QuotaRules, clock: () => Date) {
  return async (operation: AnyOperation, { account, plan }: Principal, address: string): Promise<void> => {
    const { by, rules } = quotaRules.of(operation, operation.access.anonymous ? undefined : plan);
    const own = rules.filter((rule) => rule.operation !== undefined);
    const caller = by === "account" || operation.access.anonymous ? account : networkOf(address);
    if (own.length > 0) await quotas.take(own, caller, clock().getTime());
  };
}

/** Counts a request that is not for an operation, by account or else by address. Throws `QuotaExceeded`. */
export function createClientMeter(quotas: Quotas) {
  return (client: ClientInfo, account?: string) =>
    quotas.take(globalRules, account ?? networkOf(client.address()), client.now);
}

/**
 * Counts a page view against the paying account, and against the viewer's account or address. Throws `QuotaExceeded`.
 */
export function createPageMeter(
  quotas: Quotas,
  quotaRules: QuotaRules,
  count: (viewer: Principal, now: number) => void,
) {
  const take = createClientMeter(quotas);
  /** Counts a page view. It is recorded in the usage statistics of `viewer`, even if another account pays. */
  return async (payer: Principal | undefined, client: ClientInfo, viewer: Principal | undefined): Promise<void> => {
    await take(client, viewer?.account);
    const rules = payer ? quotaRules.ofPage(payer.plan) : [];
    // Visitors have no plan of their own, so the error must not name one.
    const pageRules = payer && isVisitor(payer) ? rules.map(({ planLimit: _, ...rule }) => rule) : rules;
    if (payer && pageRules.length > 0) await quotas.take(pageRules, payer.account, client.now);
    if (viewer) count(viewer, client.now);
  };
}
