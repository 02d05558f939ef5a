import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Kysely, Transaction } from "kysely";
import type { Encryption } from "../../../access/encryption.ts";
import type { Run } from "../../../jobs/queue.ts";
import type { StoreTables } from "../../../store/tables.ts";
import type { DeliveryRow, WebhookRow, WebhookTables } from "../webhook-table.ts";
import { type Attempted, type AttemptParts, attempt } from "./attempt.ts";
import { type RetryPlan, waitAfter } from "./retry-plan.ts";
import { signatureHeaders } from "./signature.ts";

export interface DeliverParts extends AttemptParts {
  readonly database: Kysely<StoreTables>;
  readonly encryption: Encryption;
  readonly clock: () => Date;
  readonly random: () => number;
  readonly plan: RetryPlan;
  /** Attempts at one address a second. */
  readonly perSecond: number;
}

/** A process that died with a delivery in its hands is waited for until so many attempts would have ended. */
const leaseAttempts = 3;
/** A shorter wait is waited out here; a longer one by the queue. */
const maxWaitMs = 2_000;

/** What a turn finds: something to send, nothing more for now, or nothing before a time. */
type Turn =
  | { readonly webhook: WebhookRow; readonly delivery: DeliveryRow }
  | { readonly due?: Date; readonly delivery?: never };

/**
 * Sends what waits for a webhook, one after the other in its order, until nothing is due. Only one process does so at a
 * time. Returns when the next attempt is due, if one is.
 */
export async function deliver(id: string, run: Pick<Run, "signal">, parts: DeliverParts): Promise<Date | undefined> {
  const lease = randomUUID();
  const { clock, plan, perSecond } = parts;
  for (;;) {
    // What an ending process leaves is found by the sweep of another.
    if (run.signal.aborted) return undefined;
    const turn = await takeTurn(id, lease, parts);
    if (!turn.delivery) return turn.due;
    const { webhook, delivery } = turn;
    const at = clock();
    if (delivery.next_attempt_at > at) {
      await wait(delivery.next_attempt_at.getTime() - at.getTime());
      // It may have been taken away meanwhile.
      continue;
    }
    const started = performance.now();
    const headers = signatureHeaders({ id: delivery.id, at, body: delivery.body }, secretsOf(webhook, at, parts));
    const attempted = await attempt(webhook.callback_url, delivery.body, headers, parts);
    const milliseconds = Math.round(performance.now() - started);
    const settled = await parts.database.transaction().execute(async (transaction) => {
      const tables = transaction.withTables<WebhookTables>();
      // Taken away, or given to another after the lease ran out: it is theirs to say what became of it.
      if (!(await holds(transaction, id, lease))) return false;
      const { status = null, error } = attempted;
      await tables
        .insertInto("webhook_attempt")
        .values({ delivery: delivery.id, at, status, error, milliseconds })
        .execute();
      await settle(
        transaction,
        delivery,
        attempted,
        waitAfter(plan, delivery.failures + 1, attempted, parts.random()),
        at,
      );
      return true;
    });
    if (!settled) return undefined;
    await wait(Math.max(0, 1_000 / perSecond - milliseconds));
  }
}

/** The oldest delivery that waits, when it is due soon and nobody else has the webhook in hand. */
function takeTurn(id: string, lease: string, { database, clock, timeoutMs }: DeliverParts): Promise<Turn> {
  return database.transaction().execute(async (transaction) => {
    const tables = transaction.withTables<WebhookTables>();
    const webhook = await lockWebhook(transaction, id);
    if (!webhook || webhook.inactive_reason !== null) return {};
    const now = clock();
    if (webhook.lease !== lease && webhook.lease_until && webhook.lease_until > now) return {};
    const delivery = await tables
      .selectFrom("webhook_delivery")
      .selectAll()
      .where("webhook", "=", id)
      .where("state", "=", "pending")
      .orderBy("place")
      .limit(1)
      .executeTakeFirst();
    const isSoon = delivery && delivery.next_attempt_at.getTime() - now.getTime() <= maxWaitMs;
    const until = new Date(now.getTime() + maxWaitMs + leaseAttempts * timeoutMs);
    // Let go in the transaction that finds nothing to do: whoever queues something after it finds the webhook free.
    const held = isSoon ? { lease, lease_until: until } : { lease: null, lease_until: null };
    await tables.updateTable("webhook").set(held).where("id", "=", id).execute();
    if (isSoon) return { webhook, delivery };
    return delivery ? { due: delivery.next_attempt_at } : {};
  });
}

/** Writes down what became of a delivery; without a wait a failed one was tried for the last time. */
async function settle(
  transaction: Transaction<StoreTables>,
  { id, webhook, failures }: DeliveryRow,
  { status, error }: Attempted,
  waitMs: number | undefined,
  at: Date,
): Promise<void> {
  const tables = transaction.withTables<WebhookTables>();
  const own = tables.updateTable("webhook_delivery").where("id", "=", id);
  if (error === "") {
    await own.set({ state: "delivered" }).execute();
  } else if (status !== 410 && waitMs !== undefined) {
    await own.set({ failures: failures + 1, next_attempt_at: new Date(at.getTime() + waitMs) }).execute();
  } else {
    await own.set({ state: "failed", failures: failures + 1 }).execute();
    await tables
      .updateTable("webhook")
      .set({
        inactive_reason: status === 410 ? "gone" : "exhausted",
        inactive_since: at,
        lease: null,
        lease_until: null,
      })
      .where("id", "=", webhook)
      .execute();
    await tables
      .updateTable("webhook_delivery")
      .set({ state: "discarded" })
      .where("webhook", "=", webhook)
      .where("state", "=", "pending")
      .execute();
  }
}

async function holds(transaction: Transaction<StoreTables>, id: string, lease: string): Promise<boolean> {
  return (await lockWebhook(transaction, id))?.lease === lease;
}

function lockWebhook(transaction: Transaction<StoreTables>, id: string): Promise<WebhookRow | undefined> {
  return transaction
    .withTables<WebhookTables>()
    .selectFrom("webhook")
    .selectAll()
    .where("id", "=", id)
    .forUpdate()
    .executeTakeFirst();
}

function secretsOf(webhook: WebhookRow, at: Date, { encryption: encryptionFor }: DeliverParts): string[] {
  const { secret, earlier_secret: earlier, earlier_secret_until: until } = webhook;
  return [secret, ...(earlier && until && until > at ? [earlier] : [])].map((encrypted) =>
    encryptionFor.open(encrypted),
  );
}
