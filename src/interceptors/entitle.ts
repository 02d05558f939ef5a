import type { Principal } from "../access/api-key.ts";
import type { Operation } from "../contract/catalog.ts";
import { NotEntitled } from "../errors.ts";

/** Second step: whether the account's plan covers the operation. Throws `NotEntitled`. */
export function entitle({ access }: Operation, { plan }: Principal): void {
  const requiredTier = Math.max(access.minTier, access.activePro || access.proGated ? 1 : 0);
  if (access.operator && plan.key !== "operator") throw new NotEntitled("Operator key required");
  if (plan.tier < requiredTier)
    throw new NotEntitled("Upgrade required", { requiredTier, currentTier: plan.tier, planKey: plan.key });
}
