import type { Kysely, Selectable, Transaction } from "kysely";
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
  /** Live ones first, then by age. */
  readonly list: (account: string, now: Date) => Promise<readonly StoredKey[]>;
  readonly get: (id: string) => Promise<StoredKey | undefined>;
  /** Throws `NotFound`, `Conflict` when the account has as many live keys as it may, `InvalidRequest` for a scope it lacks. */
  readonly create: (account: string, wanted: WantedKey, now: Date) => Promise<MadeKey>;
  /** The new key takes the place of the old one, which goes on for the overlap. Throws `NotFound`. */
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
      .where("revoked_at", "is", null)
      .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", now)]))
      .$if(owner !== undefined, (query) => query.where("account", "=", owner ?? ""))
      .forUpdate()
      .executeTakeFirst();

  return {
    async list(account, now) {
      const rows = await database
        .selectFrom("api_key")
        .selectAll()
        .where("account", "=", account)
        .orderBy("created_at")
        .orderBy("id")
        .execute();
      return [...rows.filter((row) => isLive(row, now)), ...rows.filter((row) => !isLive(row, now))];
    },
    get: (id) => database.selectFrom("api_key").selectAll().where("id", "=", id).executeTakeFirst(),
    create: (account, wanted, now) =>
      database.transaction().execute(async (transaction) => {
        const { scopes } = await lock(transaction, account);
        const missing = wanted.scopes.filter((scope) => !scopes.includes(scope));
        if (missing.length > 0)
          throw new InvalidRequest([{ field: "scopes", description: `the account lacks ${missing.join(", ")}` }]);
        const keys = await transaction.selectFrom("api_key").selectAll().where("account", "=", account).execute();
        // A key that only lives on for an overlap was replaced already.
        if (keys.filter((key) => isLive(key, now) && key.replaced_by === null).length >= mostKeys)
          throw new Conflict(`The account has ${mostKeys} live keys already: revoke one first`);
        return insert(transaction, account, wanted, now);
      }),
    rotate: (owner, id, overlapMs, now) =>
      database.transaction().execute(async (transaction) => {
        const old = await live(transaction, owner, id, now);
        if (!old || old.replaced_by !== null) throw new NotFound("No such live key");
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
        const key = await live(transaction, owner, id, now);
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

function isLive({ revoked_at, expires_at }: StoredKey, now: Date): boolean {
  return revoked_at === null && (expires_at === null || expires_at > now);
}
