import type { Selectable, Transaction } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { StoreTables } from "../store/tables.ts";
import { type Plan, type Plans, planKeys } from "./plans.ts";

/** What an account has paid for, or was given. */
export interface Subscription {
  readonly id: string;
  readonly provider: StoreTables["subscription"]["provider"];
  readonly plan: Plan;
  /** False once it was ended, whatever its paid period. */
  readonly active: boolean;
  /** End of the paid period, Unix epoch milliseconds; undefined: without end. */
  readonly validUntil: number | undefined;
  /** When it was last changed, Unix epoch milliseconds. */
  readonly updatedAt: number;
}

/** The columns that a subscription is read from. */
export type SubscriptionRow = Pick<
  Selectable<StoreTables["subscription"]>,
  "id" | "provider" | "plan" | "active" | "valid_until" | "updated_at"
>;

/** A stored subscription; undefined when its plan is none that this program knows. */
export function toSubscription(row: SubscriptionRow, plans: Plans): Subscription | undefined {
  const { id, provider, plan: key, active, valid_until, updated_at } = row;
  const plan = plans.get(key);
  return plan && { id, provider, plan, active, validUntil: valid_until?.getTime(), updatedAt: updated_at.getTime() };
}

/** Whether it counts at an instant; the last millisecond of its paid period does. */
export function isRunning({ active, validUntil }: Subscription, now: number): boolean {
  return active && (validUntil === undefined || validUntil >= now);
}

/** When it stopped to count, Unix epoch milliseconds. */
export function endedAt({ active, validUntil = Number.POSITIVE_INFINITY, updatedAt }: Subscription): number {
  return active ? validUntil : Math.min(validUntil, updatedAt);
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
