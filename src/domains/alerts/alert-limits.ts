import type { Kysely } from "kysely";
import type { Principal } from "../../access/keys/api-key.ts";
import type { LimitLeft } from "../../access/quotas/limits.ts";
import type { StoreTables } from "../../store/tables.ts";
import { countEndpoints } from "./endpoints/endpoint-store.ts";
import { countRules } from "./rules/rule-store.ts";

/** How many more rules and endpoints an account may have. */
export async function alertLimits(
  database: Kysely<StoreTables>,
  { account, plan: { rules, endpoints } }: Pick<Principal, "account" | "plan">,
): Promise<readonly LimitLeft[]> {
  const left = async (name: string, limit: number | undefined, count: typeof countRules): Promise<LimitLeft> => ({
    ...{ name, limit, windowSeconds: 0, resetAt: undefined },
    remaining: limit === undefined ? undefined : Math.max(0, limit - (await count(database, account))),
  });
  return Promise.all([left("alert_rules", rules, countRules), left("alert_endpoints", endpoints, countEndpoints)]);
}
