import { sql } from "kysely";
import { NotEntitled } from "../../errors.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { setLocalSubscription } from "../subscriptions.ts";
import { hashOf, keyIdOf, prefixOf } from "./api-key.ts";

/** Name of a number in the store. Each change of keys or subscriptions raises it, which invalidates caches. */
export const keysGeneration = "api-keys";

/** A key with its account, which is created if missing. The command line, demo keys, and tests use it. */
export interface OwnedKey {
  readonly account: string;
  readonly plan: string;
  readonly name: string;
  readonly madeBy?: KeyMaker;
}

/** Creator of a key that no other key created: the setting IDS_OPERATOR_KEY, or a program with access to the store. */
type KeyMaker = "setting" | "store";

/** Scopes for managing the account's keys, which keys of every account may have. */
export const keyScopes = ["keys:read", "keys:write"] as const;

/** Stores a key. If the key is already stored, updates its account and plan and reactivates it. */
export async function storeKey(database: Store, key: string, owner: OwnedKey, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    await insertKey(transaction, key, owner, now);
    await raiseGeneration(transaction, keysGeneration);
  });
}

/** Stores a key like `storeKey`, but in the caller's transaction, which must then also call `raiseGeneration`. */
export async function insertKey(
  transaction: Transaction,
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
export async function revokeKey(database: Store, hash: string, now: Date): Promise<boolean> {
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

/** Thrown if the plan allows the call but the key lacks a scope. */
export class ScopeMissing extends NotEntitled {
  readonly scopes: readonly string[];

  constructor(scopes: readonly string[]) {
    super(`Missing required scope: ${scopes.join(", ")}`);
    this.scopes = scopes;
  }
}

/** Lookups are batched, because an attacker may send thousands of invalid keys. */
const batchMs = 100;
const maxKeys = 500;

/** Returns a function that finds out whether a text is a stored key: false if a batch of lookups is full. */
export function knownKeys(
  database: Store,
  table: "api_key" | "feed_url" | "console_session",
  hashOf: (presented: string) => string,
): (presented: string) => Promise<boolean> {
  let batching: { readonly hashes: Set<string>; readonly known: Promise<ReadonlySet<string>> } | undefined;

  const gather = () => {
    const hashes = new Set<string>();
    const known = new Promise<void>((resolve) => setTimeout(resolve, batchMs)).then(async () => {
      batching = undefined;
      const rows = await database
        .selectFrom(table)
        .select("hash")
        .where("hash", "in", [...hashes])
        .where("revoked_at", "is", null)
        .execute();
      return new Set(rows.map(({ hash }) => hash));
    });
    batching = { hashes, known };
    return batching;
  };

  return async (presented) => {
    const { hashes, known } = batching ?? gather();
    if (hashes.size >= maxKeys) return false;
    const hash = hashOf(presented);
    hashes.add(hash);
    return (await known).has(hash);
  };
}
