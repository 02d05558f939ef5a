import { type Caller, principalOf } from "../../access/caller.ts";
import { operatorPlan } from "../../access/keys/operator-keys.ts";
import { NotEntitled } from "../../errors.ts";

/** The account that is meant: the caller's own, or for the operator any. */
export function ownerOf(caller: Caller, named: string): string {
  const { account, plan } = principalOf(caller);
  if (named === "" || named === account) return account;
  if (plan.key !== operatorPlan) throw new NotEntitled("Operator key required");
  return named;
}
