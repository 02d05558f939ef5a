import type { Kysely, Selectable } from "kysely";
import { Conflict, NotFound } from "../errors.ts";
import { raiseGeneration } from "../store/served/generations.ts";
import type { StoreTables } from "../store/tables.ts";
import { entitlementsOf } from "./entitlements.ts";
import { keyScopes, keysGeneration } from "./keys/keys.ts";
import { operatorAccount, operatorPlan } from "./keys/operator-keys.ts";
import { freePlan, type Plan, type Plans } from "./plans.ts";
import { type Subscription, setLocalSubscription, toSubscription } from "./subscriptions.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly subscriptions: readonly Subscription[];
  readonly planAt: (now: Date) => Plan;
}

export interface Accounts {
  /** Throws `NotFound`. */
  readonly get: (id: string) => Promise<Account>;
  /** Returns a page by ID after the cursor, whether there are more, and the total. */
  readonly list: (
    after: string,
    limit: number,
  ) => Promise<{ readonly accounts: readonly Account[]; readonly more: boolean; readonly total: number }>;
  /** Throws `Conflict` if the ID or the billing customer is in use. */
  readonly open: (account: NewAccount, now: Date) => Promise<Account>;
  /** Throws `NotFound`. */
  readonly subscribe: (
    id: string,
    subscription: { readonly plan: string; readonly active: boolean; readonly validUntil: Date | null },
    now: Date,
  ) => Promise<Account>;
  /** Removes all other scopes from the account's keys, except those for managing keys. Throws `NotFound`. */
  readonly setScopes: (id: string, scopes: readonly string[], now: Date) => Promise<Account>;
}

export interface NewAccount {
  readonly id: string;
  readonly name: string;
  /** Plan of its first subscription; undefined for none. */
  readonly plan: string | undefined;
  readonly billingCustomer: string | undefined;
}

type Row = Selectable<StoreTables["account"]>;

export function accounts(database: Kysely<StoreTables>, plans: Plans): Accounts {
  const read = async (rows: readonly Row[]): Promise<Account[]> => {
    if (rows.length === 0) return [];
    const held = await database
      .selectFrom("subscription")
      .selectAll()
      .where(
        "account",
        "in",
        rows.map(({ id }) => id),
      )
      .orderBy("id")
      .execute();
    return rows.map(({ id, name, scopes, created_at: createdAt }) => {
      const own = held.filter(({ account }) => account === id).flatMap((row) => toSubscription(row, plans) ?? []);
      const planAt = (now: Date) => entitlementsOf(own, freePlan(plans), now.getTime()).plan;
      return { id, name, scopes, createdAt, subscriptions: own, planAt };
    });
  };
  const get = async (id: string) => {
    const row = await database.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
    const [account] = row ? await read([row]) : [];
    if (!account) throw new NotFound("No such account");
    return account;
  };
  /** The operator's scopes belong to its key. If they were removed, no key could restore them. */
  const requireGiven = async (id: string, now: Date) => {
    const account = await get(id);
    if (account.planAt(now).key === operatorPlan)
      throw new Conflict("The operator's account has its plan and scopes from its key");
  };
  return {
    get,
    async list(after, limit) {
      const rows = await database
        .selectFrom("account")
        .selectAll()
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      const { total } = await database
        .selectFrom("account")
        .select((row) => row.fn.countAll<string>().as("total"))
        .executeTakeFirstOrThrow();
      return { accounts: await read(rows.slice(0, limit)), more: rows.length > limit, total: Number(total) };
    },
    async open({ id, name, plan, billingCustomer }, now) {
      const taken = "The ID or the billing customer is already in use";
      if (id === operatorAccount) throw new Conflict(taken);
      await database.transaction().execute(async (transaction) => {
        const { numInsertedOrUpdatedRows } = await transaction
          .insertInto("account")
          .values({ id, name, billing_customer: billingCustomer ?? null, created_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        if (!numInsertedOrUpdatedRows) throw new Conflict(taken);
        if (plan !== undefined)
          await setLocalSubscription(transaction, id, { plan, active: true, validUntil: null }, now);
      });
      return get(id);
    },
    async subscribe(id, subscription, now) {
      await requireGiven(id, now);
      await database.transaction().execute(async (transaction) => {
        await setLocalSubscription(transaction, id, subscription, now);
        await raiseGeneration(transaction, keysGeneration);
      });
      return get(id);
    },
    async setScopes(id, scopes, now) {
      await requireGiven(id, now);
      await database.transaction().execute(async (transaction) => {
        const { numUpdatedRows } = await transaction
          .updateTable("account")
          .set({ scopes: [...scopes] })
          .where("id", "=", id)
          .executeTakeFirst();
        if (numUpdatedRows === 0n) throw new NotFound("No such account");
        const keys = await transaction
          .selectFrom("api_key")
          .select(["id", "scopes"])
          .where("account", "=", id)
          .execute();
        const allowed = new Set<string>([...scopes, ...keyScopes]);
        for (const key of keys) {
          const remaining = key.scopes.filter((scope) => allowed.has(scope));
          if (remaining.length < key.scopes.length)
            await transaction.updateTable("api_key").set({ scopes: remaining }).where("id", "=", key.id).execute();
        }
        await raiseGeneration(transaction, keysGeneration);
      });
      return get(id);
    },
  };
}
