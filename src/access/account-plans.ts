import type { Store } from "../store/tables.ts";
import { entitledBy, subscriptionColumns } from "./keys/principal.ts";
import type { Plan, Plans } from "./plans.ts";

/** Returns plans by account. Accounts without a valid plan are left out, because their requests are rejected. */
export async function accountPlans(
  database: Store,
  plans: Plans,
  accounts: readonly string[],
  now: number,
): Promise<ReadonlyMap<string, Plan>> {
  if (accounts.length === 0) return new Map();
  const rows = await database
    .selectFrom("account")
    .leftJoin("subscription", "subscription.account", "account.id")
    .select("account.id as owner")
    .select(subscriptionColumns)
    .where("account.id", "in", accounts)
    .execute();
  return new Map(
    [...Map.groupBy(rows, ({ owner }) => owner)].flatMap(([account, own]): [string, Plan][] => {
      const { plan, state, unresolved } = entitledBy(own, plans, now);
      return state === "ended" || unresolved !== undefined ? [] : [[account, plan]];
    }),
  );
}
