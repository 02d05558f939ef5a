import { type Kysely, sql, type Transaction } from "kysely";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { StoreTables } from "../../store/tables.ts";
import { setLocalSubscription } from "../subscriptions.ts";
import { hashOf, keyIdOf, prefixOf } from "./api-key.ts";

/** Raised whenever a key or a subscription changes; readers drop what they remember. */
export const keysGeneration = "api-keys";

/** A key given to an account that is made if need be: for the command line, demo keys and tests. */
export interface OwnedKey {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly madeBy?: KeyMaker;
}

/** What makes keys without a key of its own: IDS_OPERATOR_KEY, or a program on the store itself. */
export type KeyMaker = "setting" | "store";

/** Rights to list the account's keys, and to make, rotate and revoke them. Keys of every account may carry them. */
export const keyScopes = ["keys:read", "keys:write"] as const;

/** Stores a key's hash; storing the same key again moves its account and plan, and it lives again if it had ended. */
export async function storeKey(database: Kysely<StoreTables>, key: string, owner: OwnedKey, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await insertKey(transaction, key, owner, now);
    await raiseGeneration(transaction, keysGeneration);
  });
}

/** The same within a transaction, which raises the generation itself. */
export async function insertKey(
  transaction: Transaction<StoreTables>,
  key: string,
  { account, plan, name, madeBy = "store" }: OwnedKey,
  now: Date,
): Promise<void> {
  const hash = hashOf(key);
  const stored = { account, name, expires_at: null, revoked_at: null, made_by: madeBy };
  await transaction
    .insertInto("account")
    .values({ id: account, name: account, billing_customer: null })
    .onConflict((conflict) => conflict.column("id").doNothing())
    .execute();
  await setLocalSubscription(transaction, account, { plan, active: true, validUntil: null }, now);
  await transaction
    .insertInto("api_key")
    .values({ ...stored, id: keyIdOf(hash), hash, prefix: prefixOf(key), scopes: [...keyScopes], last_used_at: null })
    .onConflict((conflict) => conflict.column("hash").doUpdateSet({ ...stored, replaced_by: null }))
    .execute();
}

/** SQL: whether a key opens anything at an instant. */
export function isLive(now: Date) {
  return sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > ${now}))`;
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
