import type { Principal } from "../../access/keys/api-key.ts";
import { type LimitLeft, ownedLimit } from "../../access/quotas/limits.ts";
import type { Store } from "../../store/tables.ts";
import { countEndpoints } from "./endpoints/endpoint-store.ts";
import { countRules } from "./rules/rule-store.ts";

export async function alertLimits(
  database: Store,
  { account, plan: { rules, endpoints } }: Pick<Principal, "account" | "plan">,
): Promise<readonly LimitLeft[]> {
  return Promise.all([
    ownedLimit("alert_rules", rules, () => countRules(database, account)),
    ownedLimit("alert_endpoints", endpoints, () => countEndpoints(database, account)),
  ]);
}
