import { type Kysely, sql, type Transaction } from "kysely";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { StoreTables } from "../../store/tables.ts";
import { setLocalSubscription } from "../subscriptions.ts";
import { hashOf, keyIdOf, prefixOf } from "./api-key.ts";

/** Generation that rises with every change of keys or subscriptions and invalidates caches. */
export const keysGeneration = "api-keys";

/** A key for an account, which is created if necessary; used by the command line, demo keys and tests. */
export interface OwnedKey {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly madeBy?: KeyMaker;
}

/** Origin of keys that were created without a key: IDS_OPERATOR_KEY, or a program with access to the store. */
export type KeyMaker = "setting" | "store";

/** Scopes to list the account's keys, and to create, rotate and revoke them. Keys of every account may have them. */
export const keyScopes = ["keys:read", "keys:write"] as const;

/** Stores a key's hash. Storing a key again updates its account and plan, and reactivates it. */
export async function storeKey(database: Kysely<StoreTables>, key: string, owner: OwnedKey, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await insertKey(transaction, key, owner, now);
    await raiseGeneration(transaction, keysGeneration);
  });
}

/** Like `storeKey`, within a transaction that raises the generation itself. */
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

export function isLive(now: Date) {
  return sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > ${now}))`;
}

/** Revokes a key; returns false if there is no such active key. */
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
