import type { Allowance } from "../../allowance.ts";
import type { Principal } from "../keys/api-key.ts";
import type { QuotaRule, QuotaRules } from "./quota-rules.ts";
import type { Quotas } from "./quotas.ts";

/** Remaining points of one limit. */
export interface LayerUsage extends Allowance {
  readonly layer: QuotaRule["layer"];
  /** Operation of the limit; undefined if the limit applies to all requests. */
  readonly operation: string | undefined;
}

/** Returns every limit of the account's plan with its remaining points, without charging. Throws `QuotasUnreadable`. */
export async function quotaUsage(
  { quotas, rules }: { readonly quotas: Quotas; readonly rules: QuotaRules },
  { account, plan }: Pick<Principal, "account" | "plan">,
  now: number,
): Promise<readonly LayerUsage[]> {
  const counted = rules.ofAccount(plan);
  const allowances = await quotas.left(counted, account, now);
  return counted.flatMap(({ layer, operation }, index) => {
    const allowance = allowances[index];
    return allowance ? [{ layer, operation, ...allowance }] : [];
  });
}
