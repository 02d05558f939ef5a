import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { ConfigurationError } from "../../errors.ts";
import { makeFolder } from "../../store/folder.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { logWrite } from "../audit-log.ts";
import { hashOf, isKeyShaped, keyIdOf, newKey } from "./api-key.ts";
import { insertKey, isLive, keysGeneration } from "./keys.ts";

/** Account of the operator. Accounts with this ID cannot be created through the API. */
export const operatorAccount = "operator";

/** Plan of the operator, which cannot be assigned through the API. */
export const operatorPlan = "operator";

const settingName = "IDS_OPERATOR_KEY";

// Arbitrary ID of a lock. It lets processes that share a store create one key.
const lock = 4_815_162_343n;

/** Stores the configured operator key. Revokes all others except those created directly in the store. */
export async function provideOperatorKey(database: Store, key: string | undefined, now: Date): Promise<void> {
  await database.transaction().execute(async (transaction) => {
    if (key !== undefined) {
      const owner = { account: operatorAccount, plan: operatorPlan, name: settingName, madeBy: "setting" } as const;
      await insertKey(transaction, key, owner, now);
    }
    await revokeOthers(transaction, key, now);
    await raiseGeneration(transaction, keysGeneration);
  });
}

/** Revokes operator keys, except the configured one and those that were created directly in the store. */
export async function revokeOthers(transaction: Transaction, key: string | undefined, now: Date): Promise<void> {
  const revoked = await transaction
    .updateTable("api_key")
    .set({ revoked_at: now })
    .where("account", "in", (inner) =>
      inner.selectFrom("subscription").select("account").where("plan", "=", operatorPlan),
    )
    .where("hash", "!=", key === undefined ? "" : hashOf(key))
    .where((each) => each.or([each("made_by", "is", null), each("made_by", "!=", "store")]))
    .where("revoked_at", "is", null)
    .returning(["id", "account"])
    .execute();
  for (const { id, account } of revoked)
    await logWrite(transaction, {
      at: now,
      actor: "setting",
      account,
      operation: "revoke operator key",
      request: [{ name: "key.id", value: id }],
    });
}

export async function makeOperatorKey(
  database: Store,
  options: { readonly name: string; readonly randomBytes: (size: number) => Buffer },
  now: Date,
): Promise<string> {
  const key = newKey(options.randomBytes);
  await database.transaction().execute(async (transaction) => {
    await insertKey(transaction, key, { account: operatorAccount, plan: operatorPlan, name: options.name }, now);
    await raiseGeneration(transaction, keysGeneration);
    await logWrite(transaction, {
      at: now,
      actor: "cli",
      account: operatorAccount,
      operation: "keys create --operator",
      request: [
        { name: "name", value: options.name },
        { name: "result.key.id", value: keyIdOf(hashOf(key)) },
      ],
    });
  });
  return key;
}

export function operatorKeyFile(directory: string): string {
  return join(directory, "operator-key");
}

/**
 * Creates the first operator key of a store, and writes it to the data folder. If several processes share the store,
 * only one creates the key. Returns undefined if there is a key. Throws `ConfigurationError` if the file cannot be
 * written.
 */
export async function provideFirstOperatorKey(
  database: Store,
  directory: string,
  randomBytes: (size: number) => Buffer,
  now: Date,
): Promise<string | undefined> {
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
    const found = await transaction
      .selectFrom("api_key")
      .select("id")
      .where("account", "=", operatorAccount)
      .where(isLive(now))
      .limit(1)
      .executeTakeFirst();
    if (found) return undefined;
    const key = await folderKey(directory, randomBytes);
    const owner = { account: operatorAccount, plan: operatorPlan, name: "first start" };
    await insertKey(transaction, key, owner, now);
    await raiseGeneration(transaction, keysGeneration);
    const request = [{ name: "result.key.id", value: keyIdOf(hashOf(key)) }];
    await logWrite(transaction, {
      at: now,
      actor: "cli",
      account: operatorAccount,
      operation: "first operator key",
      request,
    });
    return key;
  });
}

/** Writes a key to the data folder and returns it. A key there, which a lost store has left, is used again. */
async function folderKey(directory: string, randomBytes: (size: number) => Buffer): Promise<string> {
  const file = operatorKeyFile(directory);
  const stored = (await readFile(file, "utf8").catch(() => "")).trim();
  const key = isKeyShaped(stored) ? stored : newKey(randomBytes);
  try {
    makeFolder(directory, 0o700);
    await writeFile(file, `${key}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
  } catch (cause) {
    throw new ConfigurationError(
      `The store has no operator key, and a new one cannot be stored in ${file}: set IDS_OPERATOR_KEY (ids_ and 40 hexadecimal digits), or make the folder writable`,
      { cause },
    );
  }
  return key;
}
