import { randomBytes, randomUUID } from "node:crypto";
import { newKey } from "../../src/access/keys/api-key.ts";
import { storeKey } from "../../src/access/keys/keys.ts";
import type { Database } from "../../src/store/database.ts";
import { testTime } from "./app.ts";

/** The subscriptions, scopes, and key of a test account. */
export interface Holding {
  readonly subscriptions: readonly {
    readonly id?: string;
    readonly provider?: "local" | "stripe";
    readonly plan: string;
    readonly active?: boolean;
    /** Absent: without end. */
    readonly validUntil?: Date;
  }[];
  readonly scopes?: readonly string[];
  readonly expiresAt?: Date;
  /** The billing provider's id of the account. */
  readonly customer?: string;
}

export interface Account {
  readonly id: string;
  readonly key: string;
  /** Ids of its subscriptions, in their order. */
  readonly subscriptions: readonly string[];
}

/** Makes an account with exactly these subscriptions, and a key of it. */
export async function openAccount({ kysely }: Database, holding: Holding): Promise<Account> {
  const key = newKey(randomBytes);
  const id = `test ${key.slice(4, 16)}`;
  await storeKey(kysely, key, { account: id, plan: "free", name: "test" }, testTime);
  await kysely.deleteFrom("subscription").where("account", "=", id).execute();
  const rows = holding.subscriptions.map(({ id: name, provider = "local", plan, active = true, validUntil }) => ({
    ...{ id: name ?? `sub_${randomUUID().slice(0, 8)}`, account: id, provider, plan, active },
    ...{ valid_until: validUntil ?? null, updated_at: testTime },
  }));
  if (rows.length > 0) await kysely.insertInto("subscription").values(rows).execute();
  await kysely
    .updateTable("api_key")
    .set({ scopes: [...(holding.scopes ?? [])], expires_at: holding.expiresAt ?? null })
    .where("account", "=", id)
    .execute();
  await kysely
    .updateTable("account")
    .set({ billing_customer: holding.customer ?? null })
    .where("id", "=", id)
    .execute();
  return { id, key, subscriptions: rows.map((row) => row.id) };
}

/** A time `minutes` after the test's time. */
export function minutesOn(minutes: number): Date {
  return new Date(testTime.getTime() + minutes * 60_000);
}
