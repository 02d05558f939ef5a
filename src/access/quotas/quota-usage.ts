import type { Allowance } from "../../errors.ts";
import type { Principal } from "../keys/api-key.ts";
import type { QuotaRule, QuotaRules } from "./quota-rules.ts";
import type { Quotas } from "./quotas.ts";

/** What one limit leaves to an account. */
export interface LayerUsage extends Allowance {
  readonly layer: QuotaRule["layer"];
  /** Whose limit it is; undefined where it counts the requests to all. */
  readonly operation: string | undefined;
}

/**
 * Every limit that counts an account, and what each leaves now; a limit that the plan does not have is left out. Asking
 * costs nothing. Throws `QuotasUnreadable`.
 */
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
