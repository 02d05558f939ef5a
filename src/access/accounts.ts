import type { Selectable } from "kysely";
import { AccountService } from "../../gen/es/ids/account/v1/account_pb.ts";
import { Conflict, NotFound } from "../errors.ts";
import { raiseGeneration } from "../store/served/generations.ts";
import type { Store, StoreTables } from "../store/tables.ts";
import { entitlementsOf } from "./entitlements.ts";
import { keyScopes, keysGeneration } from "./keys/keys.ts";
import { operatorAccount, operatorPlan } from "./keys/operator-keys.ts";
import { freePlan, type Plan, type Plans } from "./plans.ts";
import { isRunning, type Subscription, setLocalSubscription, toSubscription } from "./subscriptions.ts";

export interface Account {
  readonly id: string;
  readonly name: string;
  readonly scopes: readonly string[];
  readonly createdAt: Date;
  readonly subscriptions: readonly Subscription[];
  readonly planAt: (now: Date) => Plan;
}

export interface NewAccount {
  readonly id: string;
  readonly name: string;
  /** Plan of the first subscription; undefined creates no subscription. */
  readonly plan: string | undefined;
  readonly billingCustomer: string | undefined;
}

type Row = Selectable<StoreTables["account"]>;

/** Tables without a foreign key to the account, because it may be deleted before their rows are written. */
const writtenLater = ["usage_day", "request_log"] as const;

export class Accounts {
  readonly #database: Store;
  readonly #plans: Plans;

  constructor(database: Store, plans: Plans) {
    this.#database = database;
    this.#plans = plans;
  }

  /** Throws `NotFound` if there is no such account. */
  async get(id: string): Promise<Account> {
    const row = await this.#database.selectFrom("account").selectAll().where("id", "=", id).executeTakeFirst();
    const [account] = row ? await this.#read([row]) : [];
    if (!account) throw new NotFound("No such account");
    return account;
  }

  /** Returns a page of accounts, sorted by ID and starting after an ID, whether there are more, and the total. */
  async list(after: string, limit: number) {
    const rows = await this.#database
      .selectFrom("account")
      .selectAll()
      .where("id", ">", after)
      .orderBy("id")
      .limit(limit + 1)
      .execute();
    const { total } = await this.#database
      .selectFrom("account")
      .select((row) => row.fn.countAll<string>().as("total"))
      .executeTakeFirstOrThrow();
    return { accounts: await this.#read(rows.slice(0, limit)), more: rows.length > limit, total: Number(total) };
  }

  /** Throws `Conflict` if the ID or the billing customer is in use. */
  async open({ id, name, plan, billingCustomer }: NewAccount, now: Date): Promise<Account> {
    const taken = "The ID or the billing customer is already in use";
    if (id === operatorAccount) throw new Conflict(taken);
    await this.#database.transaction().execute(async (transaction) => {
      const { numInsertedOrUpdatedRows } = await transaction
        .insertInto("account")
        .values({ id, name, billing_customer: billingCustomer ?? null, created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if (!numInsertedOrUpdatedRows) throw new Conflict(taken);
      if (plan !== undefined)
        await setLocalSubscription(transaction, id, { plan, active: true, validUntil: null }, now);
    });
    return this.get(id);
  }

  /** Sets the subscription that the operator grants to an account. Throws `NotFound` if there is no such account. */
  async subscribe(
    id: string,
    subscription: { readonly plan: string; readonly active: boolean; readonly validUntil: Date | null },
    now: Date,
  ): Promise<Account> {
    await this.#requireGiven(id, now);
    await this.#database.transaction().execute(async (transaction) => {
      await setLocalSubscription(transaction, id, subscription, now);
      await raiseGeneration(transaction, keysGeneration);
    });
    return this.get(id);
  }

  /** Sets the scopes of an account. Its keys lose all others, except scopes for managing keys. Throws `NotFound`. */
  async setScopes(id: string, scopes: readonly string[], now: Date): Promise<Account> {
    await this.#requireGiven(id, now);
    await this.#database.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable("account")
        .set({ scopes: [...scopes] })
        .where("id", "=", id)
        .executeTakeFirst();
      if (numUpdatedRows === 0n) throw new NotFound("No such account");
      const keys = await transaction.selectFrom("api_key").select(["id", "scopes"]).where("account", "=", id).execute();
      const allowed = new Set<string>([...scopes, ...keyScopes]);
      for (const key of keys) {
        const remaining = key.scopes.filter((scope) => allowed.has(scope));
        if (remaining.length < key.scopes.length)
          await transaction.updateTable("api_key").set({ scopes: remaining }).where("id", "=", key.id).execute();
      }
      await raiseGeneration(transaction, keysGeneration);
    });
    return this.get(id);
  }

  /** Deletes an account and everything that it owns. Throws `NotFound`, or `Conflict` while a provider charges it. */
  async delete(id: string, now: Date): Promise<void> {
    const { subscriptions } = await this.#requireGiven(id, now);
    if (subscriptions.some((each) => each.provider !== "local" && isRunning(each, now.getTime())))
      throw new Conflict("A billing provider charges this account. End its subscription there first");
    await this.#database.transaction().execute(async (transaction) => {
      for (const table of writtenLater) await transaction.deleteFrom(table).where("account", "=", id).execute();
      const events = transaction.deleteFrom("audit_event").where("account", "=", id);
      await events.where("operation", "!=", AccountService.method.deleteAccount.name).execute();
      await transaction.deleteFrom("account").where("id", "=", id).execute();
      await raiseGeneration(transaction, keysGeneration);
    });
  }

  async #read(rows: readonly Row[]): Promise<Account[]> {
    if (rows.length === 0) return [];
    const ids = rows.map(({ id }) => id);
    const held = await this.#database
      .selectFrom("subscription")
      .selectAll()
      .where("account", "in", ids)
      .orderBy("id")
      .execute();
    return rows.map(({ id, name, scopes, created_at: createdAt }) => {
      const own = held.filter(({ account }) => account === id).flatMap((row) => toSubscription(row, this.#plans) ?? []);
      const planAt = (now: Date) => entitlementsOf(own, freePlan(this.#plans), now.getTime()).plan;
      return { id, name, scopes, createdAt, subscriptions: own, planAt };
    });
  }

  /** Throws `NotFound`, or `Conflict` for the operator, because no key could restore its scopes. */
  async #requireGiven(id: string, now: Date): Promise<Account> {
    const account = await this.get(id);
    if (account.planAt(now).key === operatorPlan)
      throw new Conflict("The operator's account has its plan and scopes from its key");
    return account;
  }
}
