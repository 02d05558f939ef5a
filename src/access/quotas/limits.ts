import type { Allowance } from "../../allowance.ts";
import type { Principal } from "../keys/api-key.ts";
import type { QuotaRule, QuotaRules } from "./quota-rules.ts";
import type { Quotas } from "./quotas.ts";

/** A limit of an account, and how much of it remains. */
export interface LimitLeft {
  /** Name of the limit: `per_minute`, `daily`, another limit of the plan, or an operation with its own limit. */
  readonly name: string;
  /** The limit; undefined means unlimited. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** Length of the window; 0 for a limit on the number of objects. */
  readonly windowSeconds: number;
  /** End of the window in Unix epoch milliseconds; undefined if no window has started. */
  readonly resetAt: number | undefined;
}

/** Returns the limit on a kind of object. Objects are counted only if the plan has such a limit. */
export async function ownedLimit(
  name: string,
  limit: number | undefined,
  count: () => number | Promise<number>,
): Promise<LimitLeft> {
  const remaining = limit === undefined ? undefined : Math.max(0, limit - (await count()));
  return { name, limit, remaining, windowSeconds: 0, resetAt: undefined };
}

/** Returns the limits of an account. Reading them charges no quota. */
export type ReadLimits = (account: AccountOnPlan, now: number) => Promise<readonly LimitLeft[]>;

type AccountOnPlan = Pick<Principal, "account" | "plan">;

/** Time limits that the response includes for every plan, even if they are unlimited. */
const planWindows = [
  { name: "per_minute", windowSeconds: 60 },
  { name: "daily", windowSeconds: 86_400 },
] as const;

/** Lists the limits of the plan, then those for objects, then those of operations. */
export function limitReader(
  quotas: Quotas,
  rules: QuotaRules,
  owned: (account: AccountOnPlan, now: Date) => Promise<readonly LimitLeft[]>,
): ReadLimits {
  return async (account, now) => {
    const [usage, own] = await Promise.all([
      quotaUsage({ quotas, rules }, account, now),
      owned(account, new Date(now)),
    ]);
    const named = ({ layer, operation, ...left }: LayerUsage): LimitLeft => ({ name: operation ?? layer, ...left });
    const ofPlan = usage.filter(({ operation }) => operation === undefined).map(named);
    const ofOperations = usage.filter(({ operation }) => operation !== undefined).map(named);
    const found = [...ofPlan, ...own, ...ofOperations];
    const unlimited = planWindows
      .filter(({ name }) => !found.some((limit) => limit.name === name))
      .map((window): LimitLeft => ({ ...window, limit: undefined, remaining: undefined, resetAt: undefined }));
    return [...unlimited, ...found];
  };
}

/** Remaining points of one limit, with its operation. */
export interface LayerUsage extends Allowance {
  readonly layer: QuotaRule["layer"];
  /** Operation with its own limit; undefined if the limit applies to all requests. */
  readonly operation: string | undefined;
}

/** Returns the limits of an account with their remainders. Charges no quota. Throws `QuotasUnreadable`. */
export async function quotaUsage(
  { quotas, rules }: { readonly quotas: Quotas; readonly rules: QuotaRules },
  { account, plan }: AccountOnPlan,
  now: number,
): Promise<readonly LayerUsage[]> {
  const counted = rules.ofAccount(plan);
  const allowances = await quotas.left(counted, account, now);
  return counted.flatMap(({ layer, operation }, index) => {
    const allowance = allowances[index];
    return allowance ? [{ layer, operation, ...allowance }] : [];
  });
}
