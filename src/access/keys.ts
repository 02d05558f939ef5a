import type { Kysely } from "kysely";
import { ConfigurationError } from "../errors.ts";
import { raiseGeneration } from "../store/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import { hashOf, type Principal } from "./api-key.ts";
import { type Plans, planKeys } from "./plans.ts";

/** Raised whenever a key is added or revoked; readers drop what they remember. */
export const keysGeneration = "api-keys";

/** Stores a key's hash; storing the same key again only moves its account and plan. */
export async function storeKey(
  database: Kysely<StoreTables>,
  key: string,
  owner: { account: string; plan: string; name: string },
): Promise<void> {
  if (!planKeys.includes(owner.plan))
    throw new ConfigurationError(`Unknown plan ${owner.plan}; the plans are ${planKeys.join(", ")}`);
  await database.transaction().execute(async (transaction) => {
    const { numInsertedOrUpdatedRows } = await transaction
      .insertInto("api_key")
      .values({ hash: hashOf(key), revoked_at: null, ...owner })
      .onConflict((conflict) =>
        conflict
          .column("hash")
          .doUpdateSet({ ...owner, revoked_at: null })
          .where((where) =>
            where.or([
              where("api_key.account", "!=", owner.account),
              where("api_key.plan", "!=", owner.plan),
              where("api_key.revoked_at", "is not", null),
            ]),
          ),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows) await raiseGeneration(transaction, keysGeneration);
  });
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

/** The principal of a key, or undefined when no live key has this hash. */
export async function findPrincipal(
  database: Kysely<StoreTables>,
  plans: Plans,
  key: string,
): Promise<Principal | undefined> {
  const row = await database
    .selectFrom("api_key")
    .select(["account", "plan"])
    .where("hash", "=", hashOf(key))
    .where("revoked_at", "is", null)
    .executeTakeFirst();
  const plan = row && plans.get(row.plan);
  return row && plan && { account: row.account, plan };
}
