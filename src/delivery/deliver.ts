import { randomUUID } from "node:crypto";
import type { Run } from "../jobs/queue.ts";
import type { Store, Transaction } from "../store/tables.ts";
import { type Attempted, type RetryPlan, waitAfter } from "./attempt.ts";
import type { Channel } from "./channels.ts";
import type { DeliveryRow, DeliveryTables, EndpointKind, EndpointRow } from "./delivery-table.ts";

export interface DeliverParts {
  readonly database: Store;
  readonly channels: Readonly<Record<EndpointKind, Channel>>;
  readonly timeoutMs: number;
  readonly clock: () => Date;
  readonly wait: (milliseconds: number) => Promise<unknown>;
  readonly random: () => number;
  readonly plan: RetryPlan;
  /** Maximum attempts per second to one address. */
  readonly perSecond: number;
  /** Returns whether the account's current plan includes data of this tier. */
  readonly mayHave: (
    transaction: Transaction,
    account: string,
    wanted: { readonly tier: number; readonly now: Date },
  ) => Promise<boolean>;
  /** Queues a report that an endpoint was disabled, in the transaction that disables it. */
  readonly reportDisabled: (transaction: Transaction, disabled: DisabledEndpoint) => Promise<void>;
}

interface DisabledEndpoint extends Pick<EndpointRow, "id" | "account" | "name"> {
  readonly reason: "gone" | "exhausted";
  readonly at: Date;
}

/** Duration of a lease on an endpoint, in attempts. After it, another process continues if this one crashed. */
const leaseAttempts = 3;
/** A job waits at most this long between attempts. For a longer pause, the queue starts another job later. */
const maxWaitMs = 2_000;

/** Next action for an endpoint: send or drop its oldest delivery, do nothing, or wait until a time. */
type Turn =
  | { readonly endpoint: EndpointRow; readonly delivery: DeliveryRow }
  | { readonly due?: Date; readonly discarded?: true; readonly delivery?: never };

/** Sends queued deliveries of an endpoint, one process at a time. Returns when the next attempt is due, if any. */
export async function deliver(id: string, run: Pick<Run, "signal">, parts: DeliverParts): Promise<Date | undefined> {
  const lease = randomUUID();
  const { clock, wait, plan, perSecond } = parts;
  for (;;) {
    // If this process shuts down, the sweep of another process continues.
    if (run.signal.aborted) return undefined;
    const turn = await takeTurn(id, lease, parts);
    if (!turn.delivery && turn.discarded) continue;
    if (!turn.delivery) return turn.due;
    const { endpoint, delivery } = turn;
    const at = clock();
    if (delivery.next_attempt_at > at) {
      await wait(delivery.next_attempt_at.getTime() - at.getTime());
      // After the wait, the delivery is read again, because it may have been deleted.
      continue;
    }
    const started = performance.now();
    const attempted = await parts.channels[endpoint.kind](endpoint, delivery, at);
    const milliseconds = Math.round(performance.now() - started);
    const waitMs = waitAfter(plan, delivery.failures + 1, attempted, parts.random());
    const reason = disablingReason(attempted, waitMs);
    const settled = await parts.database.transaction().execute(async (transaction) => {
      const tables = transaction.withTables<DeliveryTables>();
      // Endpoints of one account that are disabled concurrently report to each other, which would deadlock without this
      // lock.
      if (reason) await lockAccount(transaction, endpoint.account);
      // If another process has the lease or the delivery was deleted, this process must not record the result of its
      // attempt.
      if (!(await holds(transaction, id, lease))) return false;
      const { status = null, error } = attempted;
      await tables
        .insertInto("webhook_attempt")
        .values({ delivery: delivery.id, at, status, error, milliseconds })
        .execute();
      await settle(transaction, delivery, { error, reason, waitMs }, at);
      if (reason) await parts.reportDisabled(transaction, { ...endpoint, reason, at });
      return true;
    });
    if (!settled) return undefined;
    await wait(Math.max(0, 1_000 / perSecond - milliseconds));
  }
}

/** Leases the endpoint for its oldest delivery, if that is due soon and no other process has the lease. */
function takeTurn(id: string, lease: string, { database, clock, timeoutMs, mayHave }: DeliverParts): Promise<Turn> {
  return database.transaction().execute(async (transaction) => {
    const tables = transaction.withTables<DeliveryTables>();
    const endpoint = await lockEndpoint(transaction, id);
    if (!endpoint || endpoint.inactive_reason !== null) return {};
    const now = clock();
    if (endpoint.lease !== lease && endpoint.lease_until && endpoint.lease_until > now) return {};
    const delivery = await tables
      .selectFrom("webhook_delivery")
      .selectAll()
      .where("webhook", "=", id)
      .where("state", "=", "pending")
      .orderBy("place")
      .limit(1)
      .executeTakeFirst();
    const { account } = endpoint;
    const tier = delivery?.required_tier ?? 0;
    if (delivery && tier > 0 && !(await mayHave(transaction, account, { tier, now }))) {
      await tables.updateTable("webhook_delivery").set({ state: "discarded" }).where("id", "=", delivery.id).execute();
      return { discarded: true };
    }
    const isSoon = delivery && delivery.next_attempt_at.getTime() - now.getTime() <= maxWaitMs;
    const until = new Date(now.getTime() + maxWaitMs + leaseAttempts * timeoutMs);
    // If no delivery is due soon, the lease ends in the same transaction, so that any process can send the next
    // delivery immediately.
    const held = isSoon ? { lease, lease_until: until } : { lease: null, lease_until: null };
    await tables.updateTable("webhook").set(held).where("id", "=", id).execute();
    if (isSoon) return { endpoint, delivery };
    return delivery ? { due: delivery.next_attempt_at } : {};
  });
}

/**
 * Returns why an endpoint is disabled after an attempt: it is gone, or the last retry failed. Returns undefined
 * otherwise.
 */
function disablingReason(
  { status, error }: Attempted,
  waitMs: number | undefined,
): DisabledEndpoint["reason"] | undefined {
  if (error === "") return undefined;
  if (status === 410) return "gone";
  return waitMs === undefined ? "exhausted" : undefined;
}

interface Settled extends Pick<Attempted, "error"> {
  readonly reason: DisabledEndpoint["reason"] | undefined;
  readonly waitMs: number | undefined;
}

async function settle(
  transaction: Transaction,
  { id, webhook, failures }: DeliveryRow,
  { error, reason, waitMs = 0 }: Settled,
  at: Date,
): Promise<void> {
  const tables = transaction.withTables<DeliveryTables>();
  const own = tables.updateTable("webhook_delivery").where("id", "=", id);
  if (error === "") {
    await own.set({ state: "delivered" }).execute();
  } else if (reason === undefined) {
    await own.set({ failures: failures + 1, next_attempt_at: new Date(at.getTime() + waitMs) }).execute();
  } else {
    await own.set({ state: "failed", failures: failures + 1 }).execute();
    await tables
      .updateTable("webhook")
      .set({ inactive_reason: reason, inactive_since: at, lease: null, lease_until: null })
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

function lockAccount(transaction: Transaction, id: string): Promise<unknown> {
  return transaction.selectFrom("account").select("id").where("id", "=", id).forNoKeyUpdate().execute();
}

async function holds(transaction: Transaction, id: string, lease: string): Promise<boolean> {
  return (await lockEndpoint(transaction, id))?.lease === lease;
}

function lockEndpoint(transaction: Transaction, id: string): Promise<EndpointRow | undefined> {
  return transaction
    .withTables<DeliveryTables>()
    .selectFrom("webhook")
    .selectAll()
    .where("id", "=", id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
