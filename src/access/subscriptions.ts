import type { Kysely, Transaction } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { StoreTables } from "../store/tables.ts";
import { freePlan, type Plan, type Plans, planKeys } from "./plans.ts";

/** What an account has paid for, or was given. */
export interface Subscription {
  readonly id: string;
  readonly provider: "local" | "stripe";
  readonly plan: Plan;
  /** False once it was ended, whatever its paid period. */
  readonly active: boolean;
  /** End of the paid period, Unix epoch milliseconds; undefined: without end. */
  readonly validUntil: number | undefined;
}

/** Every subscription of these accounts, by account. */
export async function subscriptionsOf(
  database: Kysely<StoreTables>,
  plans: Plans,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, readonly Subscription[]>> {
  const rows = await database
    .selectFrom("subscription")
    .select(["id", "account", "provider", "plan", "active", "valid_until"])
    .where("account", "in", accounts)
    .orderBy("id")
    .execute();
  const found = new Map<string, Subscription[]>(accounts.map((account) => [account, []]));
  for (const { id, account, provider, plan: key, active, valid_until } of rows) {
    const plan = plans.get(key);
    if (plan) found.get(account)?.push({ id, provider, plan, active, validUntil: valid_until?.getTime() });
  }
  return found;
}

/** The plan that counts at an instant: the highest tier of those running. */
export function planAt(subscriptions: readonly Subscription[], plans: Plans, now: Date): Plan {
  const running = subscriptions.filter(
    ({ active, validUntil }) => active && (validUntil === undefined || validUntil >= now.getTime()),
  );
  return running.map(({ plan }) => plan).sort((a, b) => b.tier - a.tier)[0] ?? freePlan(plans);
}

/** Gives an account the subscription that its operator sets. */
export async function setLocalSubscription(
  transaction: Transaction<StoreTables>,
  account: string,
  subscription: { readonly plan: string; readonly active: boolean; readonly validUntil: Date | null },
  now: Date,
): Promise<void> {
  const { plan, active, validUntil } = subscription;
  if (!planKeys.includes(plan))
    throw new ConfigurationError(`Unknown plan ${plan}; the plans are ${planKeys.join(", ")}`);
  const values = { account, provider: "local" as const, plan, active, valid_until: validUntil, updated_at: now };
  await transaction
    .insertInto("subscription")
    .values({ id: `local:${account}`, ...values })
    .onConflict((conflict) => conflict.column("id").doUpdateSet(values))
    .execute();
}
