import { chmod, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { makeFolder } from "../../store/folder.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { planTier } from "../plans.ts";
import { hashOf, isKeyShaped, newKey } from "./api-key.ts";
import { insertKey, keyScopes, keysGeneration } from "./keys.ts";
import { revokeOthers } from "./operator-keys.ts";

export type DemoKeys = Readonly<Record<(typeof names)[number], string>>;

const names = ["free", "pro", "api", "enterprise", "operator"] as const;

const planOf: Readonly<Record<(typeof names)[number], string>> = {
  free: "free",
  pro: "pro_monthly",
  api: "api_starter",
  enterprise: "enterprise",
  operator: "operator",
};

export function namedPlan(name: (typeof names)[number]): string {
  return planOf[name];
}

export const shownDemoPlans = (["free", "pro", "api", "enterprise"] as const).map((name) => ({
  name,
  tier: planTier(planOf[name]),
}));

export function demoKeyFile(directory: string): string {
  return join(directory, "demo-keys.json");
}

const prefix = "demo:";

/** Returns whether an account is for demos. Its keys are accepted only if the configuration allows demo keys. */
export function isDemoAccount(account: string): boolean {
  return account.startsWith(prefix);
}

const nameOf = (account: string) => account.replace(prefix, "demo ");

/** Returns whether a key is the demo key that pages show, and not another key of the demo account. */
export function isDemoKey({ account, name }: { readonly account: string; readonly name: string }): boolean {
  return isDemoAccount(account) && name === nameOf(account);
}

// Arbitrary ID of a lock. It lets processes that share a folder create one set of keys.
const lock = 4_815_162_344n;

export async function provideDemoKeys(
  database: Store,
  directory: string,
  randomBytes: (size: number) => Buffer,
  operatorKey: string | undefined,
  now: Date,
): Promise<DemoKeys> {
  const file = demoKeyFile(directory);
  return database.transaction().execute(async (transaction) => {
    await sql`select pg_advisory_xact_lock(${lock})`.execute(transaction);
    const known = await readKeys(file);
    const operator = operatorKey ?? (await unconfigured(transaction, known.operator)) ?? newKey(randomBytes);
    const keyOf = (name: (typeof names)[number]) => known[name] ?? newKey(randomBytes);
    const keys: DemoKeys = {
      free: keyOf("free"),
      pro: keyOf("pro"),
      api: keyOf("api"),
      enterprise: keyOf("enterprise"),
      operator,
    };
    for (const name of names) {
      const account = prefix + name;
      const madeBy = keys[name] === operatorKey ? "setting" : "store";
      await insertKey(transaction, keys[name], { account, plan: planOf[name], name: nameOf(account), madeBy }, now);
    }
    await revokeOthers(transaction, operatorKey, now);
    await raiseGeneration(transaction, keysGeneration);
    makeFolder(directory, 0o700);
    await writeFile(file, `${JSON.stringify(keys, null, 2)}\n`, { mode: 0o600 });
    await chmod(file, 0o600);
    return keys;
  });
}

/** Returns the demo key in the data folder; undefined if it came from a setting, and so ends with that setting. */
async function unconfigured(transaction: Transaction, key: string | undefined): Promise<string | undefined> {
  if (key === undefined) return undefined;
  const row = await transaction
    .selectFrom("api_key")
    .select("made_by")
    .where("hash", "=", hashOf(key))
    .executeTakeFirst();
  return row?.made_by === "setting" ? undefined : key;
}

export async function giveDemoScopes(
  database: Store,
  name: keyof DemoKeys,
  scopes: readonly string[],
): Promise<string> {
  const account = prefix + name;
  await database.transaction().execute(async (transaction) => {
    await transaction
      .updateTable("account")
      .set({ scopes: [...scopes] })
      .where("id", "=", account)
      .execute();
    await transaction
      .updateTable("api_key")
      .set({ scopes: [...scopes, ...keyScopes] })
      .where("account", "=", account)
      .where("name", "=", nameOf(account))
      .execute();
    await raiseGeneration(transaction, keysGeneration);
  });
  return account;
}

async function readKeys(file: string): Promise<Readonly<Record<string, string>>> {
  try {
    const read: unknown = JSON.parse(await readFile(file, "utf8"));
    if (typeof read !== "object" || read === null) return {};
    return Object.fromEntries(Object.entries(read).filter(([, key]) => typeof key === "string" && isKeyShaped(key)));
  } catch {
    // A missing or invalid file means that new keys are created.
    return {};
  }
}
