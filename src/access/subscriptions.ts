import type { Kysely, Transaction } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { StoreTables } from "../store/tables.ts";
import { type Plan, type Plans, planKeys } from "./plans.ts";

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

/** Every subscription of an account. */
export async function subscriptionsOf(
  database: Kysely<StoreTables>,
  plans: Plans,
  account: string,
): Promise<readonly Subscription[]> {
  const rows = await database
    .selectFrom("subscription")
    .select(["id", "provider", "plan", "active", "valid_until"])
    .where("account", "=", account)
    .execute();
  return rows.flatMap(({ id, provider, plan: key, active, valid_until }) => {
    const plan = plans.get(key);
    return plan ? [{ id, provider, plan, active, validUntil: valid_until?.getTime() }] : [];
  });
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
