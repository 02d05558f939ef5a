import type { Kysely } from "kysely";
import { raiseGeneration } from "../store/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import { hashOf, keyIdOf, type Principal, prefixOf } from "./api-key.ts";
import { freePlan, type Plans } from "./plans.ts";
import { standingOf } from "./standing.ts";
import { type SubscriptionRow, setLocalSubscription, toSubscription } from "./subscriptions.ts";

/** Raised whenever a key or a subscription changes; readers drop what they remember. */
export const keysGeneration = "api-keys";

/** A key given to an account that is made if need be: for the command line, demo keys and tests. */
export interface OwnedKey {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
}

/** Stores a key's hash; storing the same key again moves its account and plan, and it lives again if it had ended. */
export async function storeKey(database: Kysely<StoreTables>, key: string, owner: OwnedKey, now: Date): Promise<void> {
  const { account, plan, name } = owner;
  const hash = hashOf(key);
  await database.transaction().execute(async (transaction) => {
    await transaction
      .insertInto("account")
      .values({ id: account, name: account, billing_customer: null })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    await setLocalSubscription(transaction, account, { plan, active: true, validUntil: null }, now);
    await transaction
      .insertInto("api_key")
      .values({
        ...{ id: keyIdOf(hash), hash, account, name, prefix: prefixOf(key) },
        ...{ expires_at: null, last_used_at: null, revoked_at: null },
      })
      .onConflict((conflict) =>
        conflict.column("hash").doUpdateSet({ account, name, expires_at: null, replaced_by: null, revoked_at: null }),
      )
      .execute();
    await raiseGeneration(transaction, keysGeneration);
  });
}

/** The account of the configured operator's key; nobody else may open it. */
export const operatorAccount = "operator";

const operator = { account: operatorAccount, plan: "operator", name: "IDS_OPERATOR_KEY" };

/** Stores the configured operator's key; one that was configured before opens nothing any more. */
export async function provideOperatorKey(database: Kysely<StoreTables>, key: string, now: Date): Promise<void> {
  await storeKey(database, key, operator, now);
  const before = await database
    .selectFrom("api_key")
    .select("hash")
    .where("account", "=", operator.account)
    .where("name", "=", operator.name)
    .where("hash", "!=", hashOf(key))
    .where("revoked_at", "is", null)
    .execute();
  for (const { hash } of before) await revokeKey(database, hash, now);
}

/** Revokes a key; false when there is no such live key. */
export async function revokeKey(database: Kysely<StoreTables>, hash: string, now: Date): Promise<boolean> {
  return database.transaction().execute(async (transaction) => {
    const { numUpdatedRows } = await transaction
      .updateTable("api_key")
      .set({ revoked_at: now })
      .where("hash", "=", hash)
      .where("revoked_at", "is", null)
      .executeTakeFirst();
    if (numUpdatedRows === 0n) return false;
    await raiseGeneration(transaction, keysGeneration);
    return true;
  });
}

/** The principal of a key as it stands now, or undefined when no live key has this hash. */
export async function findPrincipal(
  database: Kysely<StoreTables>,
  plans: Plans,
  key: string,
  now: number,
): Promise<Principal | undefined> {
  const rows = await database
    .selectFrom("api_key")
    .leftJoin("account", "account.id", "api_key.account")
    .leftJoin("subscription", "subscription.account", "api_key.account")
    .select(["api_key.id as key", "api_key.account", "api_key.scopes", "api_key.expires_at", "account.id as owner"])
    .select(["subscription.id", "provider", "plan", "active", "valid_until", "subscription.updated_at"])
    .where("hash", "=", hashOf(key))
    .where("revoked_at", "is", null)
    .execute();
  const [row] = rows;
  if (!row) return undefined;
  const held = rows.filter(isSubscribed);
  const subscriptions = held.flatMap((each) => toSubscription(each, plans) ?? []);
  return {
    ...{ account: row.account, keyId: row.key, scopes: new Set(row.scopes), expiresAt: row.expires_at?.getTime() },
    unresolved: row.owner === null ? "account" : held.length > 0 && subscriptions.length === 0 ? "plan" : undefined,
    subscriptions,
    ...standingOf(subscriptions, freePlan(plans), now),
  };
}

/** Without a subscription its columns are null all together. */
function isSubscribed<R extends { [C in keyof SubscriptionRow]: SubscriptionRow[C] | null }>(
  row: R,
): row is R & SubscriptionRow {
  return row.id !== null;
}
