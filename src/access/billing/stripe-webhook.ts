import { sql } from "kysely";
import type { Logger } from "pino";
import Stripe from "stripe";
import { z } from "zod";
import { type InvalidRequest, invalidField } from "../../errors.ts";
import { dayMs } from "../../reference/duration.ts";
import { raiseGeneration } from "../../store/served/generations.ts";
import type { Store, Transaction } from "../../store/tables.ts";
import { logWrite } from "../audit-log.ts";
import { keysGeneration } from "../keys/keys.ts";
import type { Plans } from "../plans.ts";
import { lapsedPauseMs } from "./renewals.ts";
import {
  billedOf,
  name,
  type Prices,
  paidPeriodOf,
  readForm,
  seconds,
  stripeInvoice,
  stripeSubscription,
} from "./stripe-objects.ts";

interface StripeEvent {
  readonly id: string;
  readonly type: string;
  /** Creation time of the event in Unix epoch seconds. */
  readonly created: number;
  readonly data: { readonly object: unknown };
}

type EventOutcome = "applied" | "repeated" | "outdated" | "unknown_customer" | "unknown_price" | "ignored";

interface EventParts {
  readonly database: Store;
  readonly prices: Prices;
  readonly plans: Plans;
}

/** IDs of events are stored this long. Stripe retries for three days, and operators can resend for thirty. */
const rememberedForMs = 30 * dayMs;

/** Applies an event to the store, unless it was already applied. Events may arrive out of order. */
async function applyStripeEvent(parts: EventParts, event: StripeEvent, now: Date): Promise<EventOutcome> {
  switch (event.type) {
    case "customer.subscription.created":
    case "customer.subscription.updated":
    case "customer.subscription.deleted":
      return applySubscription(parts, event, readForm(stripeSubscription, event.data.object, "body.data.object"), now);
    case "invoice.paid":
      return applyPayment(parts, event, readForm(stripeInvoice, event.data.object, "body.data.object"), now);
    default:
      return "ignored";
  }
}

async function applySubscription(
  parts: EventParts,
  event: StripeEvent,
  reported: z.infer<typeof stripeSubscription>,
  now: Date,
): Promise<EventOutcome> {
  const { running, plan, validUntil } = billedOf(reported, parts.prices, parts.plans);
  const createdAt = new Date(event.created * 1000);
  return once(parts, event, reported.customer, now, async (transaction, account) => {
    const stored = await transaction
      .selectFrom("subscription")
      .select("plan")
      .where("id", "=", reported.id)
      .executeTakeFirst();
    const known = plan ?? stored?.plan;
    if (known === undefined) return "unknown_price";
    const values = {
      account,
      provider: "stripe" as const,
      plan: known,
      active: running,
      valid_until: validUntil,
      // Events that Stripe created earlier are ignored. Without `checking_since`, a running check discards its older
      // response.
      event_at: createdAt,
      checking_since: null,
      updated_at: now,
      check_after: running ? null : new Date(now.getTime() + lapsedPauseMs),
    };
    const { numInsertedOrUpdatedRows: changed } = await transaction
      .insertInto("subscription")
      .values({ id: reported.id, ...values })
      .onConflict((conflict) =>
        conflict
          .column("id")
          .doUpdateSet(values)
          .where(({ or, and, eb }) =>
            or([
              eb("subscription.event_at", "is", null),
              eb("subscription.event_at", "<", createdAt),
              // If two events were created in the same second, one with an active and one with an ended subscription,
              // the ended one wins.
              and([eb("subscription.event_at", "=", createdAt), eb("subscription.active", "=", true)]),
            ]),
          ),
      )
      .executeTakeFirstOrThrow();
    return changed ? "applied" : "outdated";
  });
}

/** Applies a payment, and allows an immediate check: only Stripe knows whether it restores an ended subscription. */
async function applyPayment(
  parts: EventParts,
  event: StripeEvent,
  invoice: z.infer<typeof stripeInvoice>,
  now: Date,
): Promise<EventOutcome> {
  const paid = paidPeriodOf(invoice);
  if (!paid) return "ignored";
  return once(parts, event, invoice.customer ?? "", now, async (transaction, account) => {
    const { numUpdatedRows } = await transaction
      .updateTable("subscription")
      .set({
        valid_until: sql<Date>`case when active then greatest(valid_until, ${paid.end}) else valid_until end`,
        checking_since: null,
        check_after: null,
      })
      .where("id", "=", paid.subscription)
      .where("account", "=", account)
      .executeTakeFirst();
    // If no row changed, the subscription is not stored yet. Its own event arrives later and has all details.
    return numUpdatedRows > 0n ? "applied" : "ignored";
  });
}

/** Runs a change for the account of an event in one transaction, unless the event was already processed. */
async function once(
  { database }: EventParts,
  event: StripeEvent,
  customer: string,
  now: Date,
  change: (transaction: Transaction, account: string) => Promise<EventOutcome>,
): Promise<EventOutcome> {
  return database.transaction().execute(async (transaction) => {
    const account = await transaction
      .selectFrom("account")
      .select("id")
      .where("billing_customer", "=", customer)
      .executeTakeFirst();
    // The event is not recorded as processed, so that Stripe's retry succeeds once the customer is known.
    if (!account) return "unknown_customer";
    const { numInsertedOrUpdatedRows: isNew } = await transaction
      .insertInto("billing_event")
      .values({ id: event.id, received_at: now })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .executeTakeFirstOrThrow();
    if (!isNew) return "repeated";
    const outcome = await change(transaction, account.id);
    if (outcome === "unknown_price") await transaction.deleteFrom("billing_event").where("id", "=", event.id).execute();
    if (outcome === "applied") {
      await raiseGeneration(transaction, keysGeneration);
      const request = [{ name: "event.id", value: event.id }];
      await logWrite(transaction, { at: now, actor: "stripe", account: account.id, operation: event.type, request });
    }
    await transaction
      .deleteFrom("billing_event")
      .where("received_at", "<", new Date(now.getTime() - rememberedForMs))
      .execute();
    return outcome;
  });
}

/** Handles one webhook delivery. Throws `InvalidRequest` if its signature is invalid. */
export type ReceiveDelivery = (body: string, signature: string | undefined, now: Date) => Promise<Delivery>;

export interface Delivery {
  readonly type: string;
  readonly outcome: EventOutcome;
}

/** Maximum age of a signature in seconds, so that a recorded delivery cannot be sent again later. */
const toleranceSeconds = 300;

export function stripeWebhook(secret: string, parts: EventParts, log: Logger): ReceiveDelivery {
  return async (body, signature, now) => {
    const event = verified(body, signature ?? "", secret, now);
    const { id, type } = event;
    const outcome = await applyStripeEvent(parts, event, now);
    const isOdd = outcome === "unknown_customer" || outcome === "unknown_price";
    log[isOdd ? "warn" : "info"]({ event: id, type, outcome }, "billing event");
    return { type, outcome };
  };
}

/** The Stripe library throws for a malformed signature header, so its format is checked first. */
const signatureForm = /^t=\d{1,12},(.*,)?v1=[0-9a-f]{64}(,|$)/;

const eventForm = z.object({
  id: name,
  type: name,
  created: seconds,
  data: z.object({ object: z.unknown() }),
});

function verified(body: string, signature: string, secret: string, now: Date): StripeEvent {
  if (!signatureForm.test(signature)) throw unsigned();
  try {
    const event = Stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds, undefined, now.getTime());
    return readForm(eventForm, event, "body");
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) throw unsigned();
    if (error instanceof SyntaxError) throw invalidField("body", "value must be JSON");
    throw error;
  }
}

function unsigned(): InvalidRequest {
  const description = `value must be Stripe's signature of this body, not older than ${toleranceSeconds} seconds`;
  return invalidField("Stripe-Signature", description);
}
