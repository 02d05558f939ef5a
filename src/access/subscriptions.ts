import type { Selectable } from "kysely";
import { ConfigurationError } from "../errors.ts";
import type { StoreTables, Transaction } from "../store/tables.ts";
import { type Plan, type Plans, planKeys } from "./plans.ts";

export interface Subscription {
  readonly id: string;
  readonly provider: StoreTables["subscription"]["provider"];
  readonly plan: Plan;
  /** False once the subscription is canceled, even if its paid period has not ended. */
  readonly active: boolean;
  /** End of the paid period in Unix epoch milliseconds; undefined means no end. */
  readonly validUntil: number | undefined;
  /** Time of the last change in Unix epoch milliseconds. */
  readonly updatedAt: number;
}

export type SubscriptionRow = Pick<
  Selectable<StoreTables["subscription"]>,
  "id" | "provider" | "plan" | "active" | "valid_until" | "updated_at"
>;

/** Converts a row to a subscription; returns undefined if its plan is unknown. */
export function toSubscription(row: SubscriptionRow, plans: Plans): Subscription | undefined {
  const { id, provider, plan: key, active, valid_until, updated_at } = row;
  const plan = plans.get(key);
  return plan && { id, provider, plan, active, validUntil: valid_until?.getTime(), updatedAt: updated_at.getTime() };
}

/** Returns whether the subscription is valid at a time. The last millisecond of its paid period is included. */
export function isRunning({ active, validUntil }: Subscription, now: number): boolean {
  return active && (validUntil === undefined || validUntil >= now);
}

/** Returns when the subscription stops being valid, in Unix epoch milliseconds. */
export function endedAt({ active, validUntil = Number.POSITIVE_INFINITY, updatedAt }: Subscription): number {
  return active ? validUntil : Math.min(validUntil, updatedAt);
}

export async function setLocalSubscription(
  transaction: Transaction,
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
