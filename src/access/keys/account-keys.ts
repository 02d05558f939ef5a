import type { Selectable, Updateable } from "kysely";
import { Conflict, invalidField, NotEntitled, NotFound } from "../../errors.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { ApiKeyTable, Store, Transaction } from "../../store/tables.ts";
import { listOwned } from "../owned-list.ts";
import { type LimitLeft, ownedLimit } from "../quotas/limits.ts";
import { hashOf, keyIdOf, latestEnd, newKey, type Principal, prefixOf } from "./api-key.ts";
import { isLive, keyScopes, keysGeneration, ScopeMissing } from "./keys.ts";
import { operatorAccount, operatorPlan } from "./operator-keys.ts";

/** A stored key. The store has only its hash. */
export type StoredKey = Selectable<ApiKeyTable>;

interface MadeKey {
  readonly secret: string;
  readonly key: StoredKey;
}

/** API key that manages keys: one with the scope for managing keys, the managed key itself, or the operator's key. */
export type KeyHandler = Pick<Principal, "account" | "keyId" | "scopes" | "expiresAt" | "keyExpiresAt"> & {
  readonly plan: Pick<Principal["plan"], "key">;
};

export interface WantedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly readOnly: boolean;
  readonly expiresAt: Date | null;
}

const maxKeys = 5;

export class AccountKeys {
  readonly #database: Store;
  readonly #randomBytes: (size: number) => Buffer;

  constructor(database: Store, randomBytes: (size: number) => Buffer) {
    this.#database = database;
    this.#randomBytes = randomBytes;
  }

  /** Lists keys: active ones first, then recently expired ones, each from oldest to newest. */
  list(account: string, now: Date): Promise<readonly StoredKey[]> {
    return listOwned(this.#database.selectFrom("api_key").selectAll().select(isLive(now).as("live")), account);
  }

  get(id: string): Promise<StoredKey | undefined> {
    return this.#database.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirst();
  }

  left(account: string, now: Date): Promise<LimitLeft> {
    return ownedLimit("api_keys", maxKeys, () => count(this.#database, account, "is", now));
  }

  /**
   * Creates a key. If the operator creates the first active key of an account, the key may manage other keys. Throws
   * `NotFound`, `Conflict` at the maximum number of keys, `InvalidRequest` for a scope that the account lacks or an
   * expiry later than that of the creating key, and `NotEntitled` for a scope that the creating key lacks or for an
   * operator key.
   */
  create(maker: KeyHandler, account: string, wanted: WantedKey, now: Date): Promise<MadeKey> {
    return this.#database.transaction().execute(async (transaction) => {
      if (account === operatorAccount || (account === maker.account && isOperator(maker)))
        throw new NotEntitled("Operator keys are created directly in the store: ids keys create --operator");
      const { scopes } = await lock(transaction, account);
      const missing = wanted.scopes.filter((scope) => !scopes.includes(scope) && !isKeyScope(scope));
      if (missing.length > 0) throw invalidField("scopes", `the account lacks ${missing.join(", ")}`);
      requireScopes(maker, wanted.scopes);
      const keys = await count(transaction, account, "is", now);
      if (keys >= maxKeys) throw new Conflict(`The account already has ${maxKeys} active keys: revoke one first`);
      const own = isOperator(maker) && keys === 0 ? [...new Set([...wanted.scopes, ...keyScopes])] : wanted.scopes;
      const expiresAt = withinEnd(maker, wanted.expiresAt);
      if (wanted.expiresAt && expiresAt?.getTime() !== wanted.expiresAt.getTime())
        throw invalidField("expiresAt", "value must not be later than the expiry of the calling key");
      return this.#insert(transaction, account, { ...wanted, scopes: own, expiresAt, madeBy: maker.keyId }, now);
    });
  }

  /** Replaces a key. The old key stays valid for the overlap. Throws `NotFound`, `NotEntitled`, or `Conflict`. */
  rotate(handler: KeyHandler, id: string, overlapMs: number, now: Date): Promise<MadeKey & { replaced: StoredKey }> {
    return this.#database.transaction().execute(async (transaction) => {
      requireHandling(handler, id);
      // Locks the account first. A concurrent removal of a scope could otherwise miss the new key.
      const found = await live(transaction, handler, id, now).executeTakeFirst();
      if (found) await lock(transaction, found.account);
      const old = await live(transaction, handler, id, now).forUpdate().executeTakeFirst();
      if (!old || old.replaced_by !== null) throw new NotFound("No such active key");
      if (old.made_by === "setting") throw new Conflict("The key is set by IDS_OPERATOR_KEY: change it there");
      if (id !== handler.keyId) requireScopes(handler, old.scopes);
      if ((await count(transaction, old.account, "is not", now)) >= maxKeys)
        throw new Conflict(`The account has ${maxKeys} replaced keys that are still active: revoke one first`);
      const { name, scopes, read_only: readOnly, made_by: madeBy } = old;
      const expiresAt = withinEnd(handler, old.expires_at);
      const made = await this.#insert(transaction, old.account, { name, scopes, readOnly, expiresAt, madeBy }, now);
      const ends = old.expires_at?.getTime() ?? Number.POSITIVE_INFINITY;
      const end = new Date(Math.min(now.getTime() + overlapMs, ends));
      const replaced = await update(transaction, id, { expires_at: end, replaced_by: made.key.id });
      return { ...made, replaced };
    });
  }

  /** Revokes a key. Throws `NotFound` if it isn't active, and `NotEntitled` if the caller may not manage it. */
  revoke(handler: KeyHandler, id: string, now: Date): Promise<StoredKey> {
    return this.#database.transaction().execute(async (transaction) => {
      requireHandling(handler, id);
      const key = await live(transaction, handler, id, now).forUpdate().executeTakeFirst();
      if (!key) throw new NotFound("No such active key");
      if (id !== handler.keyId) requireNoWider(handler, key);
      return update(transaction, id, { revoked_at: now });
    });
  }

  async #insert(
    transaction: Transaction,
    account: string,
    wanted: WantedKey & { readonly madeBy: string | null },
    now: Date,
  ): Promise<MadeKey> {
    const secret = newKey(this.#randomBytes);
    const hash = hashOf(secret);
    const key = await transaction
      .insertInto("api_key")
      .values({
        id: keyIdOf(hash),
        hash,
        account,
        name: wanted.name,
        prefix: prefixOf(secret),
        created_at: now,
        scopes: [...wanted.scopes],
        read_only: wanted.readOnly,
        expires_at: wanted.expiresAt,
        last_used_at: null,
        revoked_at: null,
        made_by: wanted.madeBy,
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { secret, key };
  }
}

/** Locks the account, so that two concurrent requests cannot exceed the limit on keys. */
async function lock(transaction: Transaction, account: string) {
  const row = await transaction
    .selectFrom("account")
    .select("scopes")
    .where("id", "=", account)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw new NotFound("No such account");
  return row;
}

async function count(database: Store, account: string, replaced: "is" | "is not", now: Date) {
  const { keys } = await database
    .selectFrom("api_key")
    .select((row) => row.fn.countAll<string>().as("keys"))
    .where("account", "=", account)
    .where("replaced_by", replaced, null)
    .where(isLive(now))
    .executeTakeFirstOrThrow();
  return Number(keys);
}

function live(transaction: Transaction, handler: KeyHandler, id: string, now: Date) {
  return transaction
    .selectFrom("api_key")
    .selectAll()
    .where("id", "=", id)
    .where(isLive(now))
    .$if(!isOperator(handler), (query) => query.where("account", "=", handler.account));
}

async function update(transaction: Transaction, id: string, values: Updateable<ApiKeyTable>) {
  const key = await transaction
    .updateTable("api_key")
    .set(values)
    .where("id", "=", id)
    .returningAll()
    .executeTakeFirstOrThrow();
  await raiseGeneration(transaction, keysGeneration);
  return key;
}

function isOperator({ plan }: KeyHandler): boolean {
  return plan.key === operatorPlan;
}

function isKeyScope(scope: string): boolean {
  return keyScopes.some((known) => known === scope);
}

/** Throws `NotEntitled` if a key without the scope for managing keys manages a key other than itself. */
function requireHandling(handler: KeyHandler, id: string): void {
  if (id !== handler.keyId) requireScopes(handler, ["keys:write"]);
}

/** Throws `NotEntitled` for scopes that the managing key lacks. */
function requireScopes(handler: KeyHandler, scopes: readonly string[]): void {
  if (isOperator(handler)) return;
  const missing = scopes.filter((scope) => !handler.scopes.has(scope));
  if (missing.length > 0) throw new ScopeMissing(missing);
}

/** Throws `NotEntitled` if a key has more scopes, or a later expiry, than the key that manages it. */
function requireNoWider(handler: KeyHandler, { id, scopes, expires_at: end }: StoredKey): void {
  const missing = scopes.filter((scope) => !handler.scopes.has(scope));
  const isLonger = withinEnd(handler, end)?.getTime() !== end?.getTime();
  if (isOperator(handler) || (missing.length === 0 && !isLonger)) return;
  const reason = missing.length > 0 ? `has scopes that yours lacks (${missing.join(", ")})` : "is valid for longer";
  throw new NotEntitled(`${id} ${reason}: revoke it with itself, or with a key that isn't narrower`);
}

/** Returns the wanted expiry, or that of the managing key if it is earlier. */
function withinEnd(handler: KeyHandler, wanted: Date | null): Date | null {
  const latest = latestEnd(handler);
  if (latest === undefined || isOperator(handler)) return wanted;
  return new Date(Math.min(wanted?.getTime() ?? Number.POSITIVE_INFINITY, latest));
}
