import type { Store } from "../../store/tables.ts";
import { entitlementsOf } from "../entitlements.ts";
import { freePlan, type Plans } from "../plans.ts";
import { type SubscriptionRow, toSubscription } from "../subscriptions.ts";
import { hashOf, type Principal } from "./api-key.ts";

export interface PrincipalSource {
  readonly database: Store;
  readonly plans: Plans;
}

/** Returns the principal of an active key by its hash; undefined if there is no such key. */
export async function findPrincipal({ database, plans }: PrincipalSource, key: string, now: number) {
  const rows = await database
    .selectFrom("api_key")
    .leftJoin("account", "account.id", "api_key.account")
    .leftJoin("subscription", "subscription.account", "api_key.account")
    .select(["api_key.id as key", "api_key.account", "api_key.scopes", "read_only", "expires_at"])
    .select("account.id as owner")
    .select(subscriptionColumns)
    .where("hash", "=", hashOf(key))
    .where("revoked_at", "is", null)
    .execute();
  return principalOf(rows, plans, now);
}

/** A key, session, or feed token with its account. One row per subscription, or one if there is none. */
type PrincipalRow = JoinedSubscription & {
  readonly key: string;
  readonly account: string;
  readonly owner: string | null;
  readonly scopes: readonly string[];
  readonly read_only: boolean;
  readonly expires_at: Date | null;
};

/** Builds a principal from the rows of its key; undefined if there are none. */
export function principalOf(rows: readonly PrincipalRow[], plans: Plans, now: number): Principal | undefined {
  const [row] = rows;
  if (!row) return undefined;
  return {
    account: row.account,
    keyId: row.key,
    scopes: new Set(row.scopes),
    readOnly: row.read_only,
    expiresAt: row.expires_at?.getTime(),
    ...entitledBy(rows, plans, now),
  };
}

export const subscriptionColumns = [
  "subscription.id",
  "provider",
  "plan",
  "active",
  "valid_until",
  "subscription.updated_at",
] as const;

type JoinedSubscription = { [C in keyof SubscriptionRow]: SubscriptionRow[C] | null };

export function entitledBy(
  rows: readonly (JoinedSubscription & { readonly owner: string | null })[],
  plans: Plans,
  now: number,
): Omit<Principal, "account" | "keyId" | "scopes" | "readOnly" | "expiresAt" | "feed"> {
  const held = rows.filter(isSubscribed);
  const subscriptions = held.flatMap((each) => toSubscription(each, plans) ?? []);
  const hasAccount = rows.some(({ owner }) => owner !== null);
  return {
    unresolved: !hasAccount ? "account" : held.length > 0 && subscriptions.length === 0 ? "plan" : undefined,
    subscriptions,
    ...entitlementsOf(subscriptions, freePlan(plans), now),
  };
}

/** The columns of a subscription are null if the account has none. */
function isSubscribed<R extends JoinedSubscription>(row: R): row is R & SubscriptionRow {
  return row.id !== null;
}
