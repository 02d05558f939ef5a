import { type Kysely, type Selectable, sql, type Transaction } from "kysely";
import { Conflict, InvalidRequest, NotFound } from "../errors.ts";
import { raiseGeneration } from "../store/generations.ts";
import type { ApiKeyTable, StoreTables } from "../store/tables.ts";
import { hashOf, keyIdOf, newKey, prefixOf } from "./api-key.ts";
import { keysGeneration } from "./keys.ts";

/** A key as it is kept; the key itself is not. */
export type StoredKey = Selectable<ApiKeyTable>;

/** A key that was just made, with itself. */
export interface MadeKey {
  readonly secret: string;
  readonly key: StoredKey;
}

/** The keys of accounts, as their owners handle them. */
export interface AccountKeys {
  /** Live ones first, then by age; of those that have ended the newest. */
  readonly list: (account: string, now: Date) => Promise<readonly StoredKey[]>;
  readonly get: (id: string) => Promise<StoredKey | undefined>;
  /** Throws `NotFound`, `Conflict` when the account has as many live keys as it may, `InvalidRequest` for a scope it lacks. */
  readonly create: (account: string, wanted: WantedKey, now: Date) => Promise<MadeKey>;
  /** The new key takes the place of the old one, which goes on for the overlap. Throws `NotFound`, `Conflict` when too many go on. */
  readonly rotate: (
    owner: Owner,
    id: string,
    overlapMs: number,
    now: Date,
  ) => Promise<MadeKey & { replaced: StoredKey }>;
  /** Throws `NotFound`. */
  readonly revoke: (owner: Owner, id: string, now: Date) => Promise<StoredKey>;
}

/** The account whose keys are handled; undefined means the operator, who handles every account's. */
export type Owner = string | undefined;

export interface WantedKey {
  readonly name: string;
  readonly scopes: readonly string[];
  readonly expiresAt: Date | null;
}

/** Bounds a list: an account may make and end keys without end. */
const mostListed = 200;

export function accountKeys(
  database: Kysely<StoreTables>,
  options: { readonly mostKeys: number; readonly randomBytes: (size: number) => Buffer },
): AccountKeys {
  const { mostKeys, randomBytes } = options;
  /** Locks the account, so that two requests never make one key too many together. */
  const lock = async (transaction: Transaction<StoreTables>, account: string) => {
    const row = await transaction
      .selectFrom("account")
      .select("scopes")
      .where("id", "=", account)
      .forUpdate()
      .executeTakeFirst();
    if (!row) throw new NotFound("No such account");
    return row;
  };
  /** How many live keys were not replaced yet, or live on though they were. */
  const count = async (
    transaction: Transaction<StoreTables>,
    account: string,
    replaced: "is" | "is not",
    now: Date,
  ) => {
    const { keys } = await transaction
      .selectFrom("api_key")
      .select((row) => row.fn.countAll<string>().as("keys"))
      .where("account", "=", account)
      .where("replaced_by", replaced, null)
      .where(isLive(now))
      .executeTakeFirstOrThrow();
    return Number(keys);
  };
  const insert = async (transaction: Transaction<StoreTables>, account: string, wanted: WantedKey, now: Date) => {
    const secret = newKey(randomBytes);
    const hash = hashOf(secret);
    const key = await transaction
      .insertInto("api_key")
      .values({
        ...{ id: keyIdOf(hash), hash, account, name: wanted.name, prefix: prefixOf(secret), created_at: now },
        ...{ scopes: [...wanted.scopes], expires_at: wanted.expiresAt, last_used_at: null, revoked_at: null },
      })
      .returningAll()
      .executeTakeFirstOrThrow();
    return { secret, key };
  };
  const live = (transaction: Transaction<StoreTables>, owner: Owner, id: string, now: Date) =>
    transaction
      .selectFrom("api_key")
      .selectAll()
      .where("id", "=", id)
      .where(isLive(now))
      .$if(owner !== undefined, (query) => query.where("account", "=", owner ?? ""));

  return {
    async list(account, now) {
      const rows = await database
        .selectFrom("api_key")
        .selectAll()
        .select(isLive(now).as("live"))
        .where("account", "=", account)
        .orderBy("live", "desc")
        .orderBy("created_at", "desc")
        .orderBy("id", "desc")
        .limit(mostListed)
        .execute();
      rows.reverse();
      return [...rows.filter(({ live }) => live), ...rows.filter(({ live }) => !live)];
    },
    get: (id) => database.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirst(),
    create: (account, wanted, now) =>
      database.transaction().execute(async (transaction) => {
        const { scopes } = await lock(transaction, account);
        const missing = wanted.scopes.filter((scope) => !scopes.includes(scope));
        if (missing.length > 0)
          throw new InvalidRequest([{ field: "scopes", description: `the account lacks ${missing.join(", ")}` }]);
        if ((await count(transaction, account, "is", now)) >= mostKeys)
          throw new Conflict(`The account has ${mostKeys} live keys already: revoke one first`);
        return insert(transaction, account, wanted, now);
      }),
    rotate: (owner, id, overlapMs, now) =>
      database.transaction().execute(async (transaction) => {
        // The account first, so that a scope taken away meanwhile does not live on in the new key.
        const found = await live(transaction, owner, id, now).executeTakeFirst();
        if (found) await lock(transaction, found.account);
        const old = await live(transaction, owner, id, now).forUpdate().executeTakeFirst();
        if (!old || old.replaced_by !== null) throw new NotFound("No such live key");
        if ((await count(transaction, old.account, "is not", now)) >= mostKeys)
          throw new Conflict(`The account has ${mostKeys} keys that live on after a rotation: revoke one first`);
        const { name, scopes, expires_at: expiresAt } = old;
        const made = await insert(transaction, old.account, { name, scopes, expiresAt }, now);
        const end = new Date(Math.min(now.getTime() + overlapMs, expiresAt?.getTime() ?? Number.POSITIVE_INFINITY));
        const replaced = await transaction
          .updateTable("api_key")
          .set({ expires_at: end, replaced_by: made.key.id })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await raiseGeneration(transaction, keysGeneration);
        return { ...made, replaced };
      }),
    revoke: (owner, id, now) =>
      database.transaction().execute(async (transaction) => {
        const key = await live(transaction, owner, id, now).forUpdate().executeTakeFirst();
        if (!key) throw new NotFound("No such live key");
        const revoked = await transaction
          .updateTable("api_key")
          .set({ revoked_at: now })
          .where("id", "=", id)
          .returningAll()
          .executeTakeFirstOrThrow();
        await raiseGeneration(transaction, keysGeneration);
        return revoked;
      }),
  };
}

/** SQL: whether a key opens anything at an instant. */
function isLive(now: Date) {
  return sql<boolean>`(revoked_at is null and (expires_at is null or expires_at > ${now}))`;
}
