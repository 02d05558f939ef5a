import type { DeliveryTables, EndpointRow } from "../../delivery/delivery-table.ts";
import { Conflict, NotFound } from "../../errors.ts";
import type { Store, Transaction } from "../../store/tables.ts";

export const maxWebhooks = 25;

/** Registers a webhook. Throws `Conflict` if the account already has the maximum number of webhooks. */
export function addWebhook(
  database: Store,
  row: Pick<
    EndpointRow,
    "id" | "account" | "callback_url" | "chokepoint_ids" | "alert_threshold" | "created_at" | "secret"
  >,
): Promise<void> {
  return database.transaction().execute(async (transaction) => {
    const tables = transaction.withTables<DeliveryTables>();
    // The account is locked, so that two concurrent requests cannot exceed the limit.
    await transaction.selectFrom("account").select("id").where("id", "=", row.account).forUpdate().execute();
    const { count } = await tables
      .selectFrom("webhook")
      .select(({ fn }) => fn.countAll<string>().as("count"))
      .where("account", "=", row.account)
      .where("kind", "=", "chokepoints")
      .executeTakeFirstOrThrow();
    if (Number(count) >= maxWebhooks) throw new Conflict(`An account may have ${maxWebhooks} webhooks`);
    await tables.insertInto("webhook").values(row).execute();
  });
}

export function webhooksOf(database: Store, account: string): Promise<EndpointRow[]> {
  return ownWebhooks(database, account).orderBy("created_at").orderBy("id").execute();
}

/** Returns a webhook of the account. Throws `NotFound` if the account has no such webhook. */
export async function webhookOf(database: Store, account: string, id: string): Promise<EndpointRow> {
  return found(await ownWebhooks(database, account).where("id", "=", id).executeTakeFirst());
}

export async function lockedWebhook(transaction: Transaction, account: string, id: string) {
  return found(await ownWebhooks(transaction, account).where("id", "=", id).forUpdate().executeTakeFirst());
}

/** Deletes a webhook and its unsent deliveries. Throws `NotFound` if the account has no such webhook. */
export async function dropWebhook(database: Store, account: string, id: string): Promise<void> {
  const dropped = await database
    .withTables<DeliveryTables>()
    .deleteFrom("webhook")
    .where("account", "=", account)
    .where("kind", "=", "chokepoints")
    .where("id", "=", id)
    .returning("id")
    .executeTakeFirst();
  found(dropped);
}

function ownWebhooks(database: Store, account: string) {
  return database
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", "chokepoints");
}

function found<T>(row: T | undefined): T {
  if (!row) throw new NotFound("Webhook not found");
  return row;
}
