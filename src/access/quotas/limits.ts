import type { Principal } from "../keys/api-key.ts";
import type { QuotaRules } from "./quota-rules.ts";
import { type LayerUsage, quotaUsage } from "./quota-usage.ts";
import type { Quotas } from "./quotas.ts";

/** A limit and what is left of it now. */
export interface LimitLeft {
  /** `per_minute`, `daily`, another limit of the plan, or the operation that has a limit of its own. */
  readonly name: string;
  /** Undefined: any number. */
  readonly limit: number | undefined;
  readonly remaining: number | undefined;
  /** 0: it counts what there is. */
  readonly windowSeconds: number;
  /** Unix epoch milliseconds; undefined while no window has begun. */
  readonly resetAt: number | undefined;
}

/** A limit of how many there may be; they are counted where there is one. */
export async function ownedLimit(
  name: string,
  limit: number | undefined,
  count: () => number | Promise<number>,
): Promise<LimitLeft> {
  const remaining = limit === undefined ? undefined : Math.max(0, limit - (await count()));
  return { name, limit, remaining, windowSeconds: 0, resetAt: undefined };
}

/** What is left to a caller, charging nothing. */
export type ReadLimits = (principal: Principal, now: number) => Promise<readonly LimitLeft[]>;

/** The windows every plan has, limited or not. */
const planWindows = [
  { name: "per_minute", windowSeconds: 60 },
  { name: "daily", windowSeconds: 86_400 },
] as const;

/** Those of the plan first, with those of what an account has, then the operations that have one of their own. */
export function limitReader(
  quotas: Quotas,
  rules: QuotaRules,
  owned: (principal: Principal, now: Date) => Promise<readonly LimitLeft[]>,
): ReadLimits {
  return async (principal, now) => {
    const [usage, own] = await Promise.all([
      quotaUsage({ quotas, rules }, principal, now),
      owned(principal, new Date(now)),
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
