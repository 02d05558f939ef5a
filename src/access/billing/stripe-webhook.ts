import type { Logger } from "pino";
import Stripe from "stripe";
import { z } from "zod";
import { InvalidRequest } from "../../errors.ts";
import { applyStripeEvent, type EventOutcome, type EventParts, type StripeEvent } from "./stripe-events.ts";
import { name, readForm, seconds } from "./stripe-objects.ts";

/** Takes one delivery; throws `InvalidRequest` when it is not Stripe's. */
export type ReceiveDelivery = (body: string, signature: string | undefined, now: Date) => Promise<Delivery>;

/** What came and what became of it. */
export interface Delivery {
  readonly type: string;
  readonly outcome: EventOutcome;
}

/** How old a signature may be: whoever caught an older delivery cannot play it back. */
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

/** Within its header the library compares whatever stands there, and fails over what is no signature. */
const signatureForm = /^t=\d{1,12},(.*,)?v1=[0-9a-f]{64}(,|$)/;

/** What is read of an event, whatever it tells of. */
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
    if (error instanceof SyntaxError) throw new InvalidRequest([{ field: "body", description: "value must be JSON" }]);
    throw error;
  }
}

function unsigned(): InvalidRequest {
  const description = `value must be Stripe's signature of this body, not older than ${toleranceSeconds} seconds`;
  return new InvalidRequest([{ field: "Stripe-Signature", description }]);
}
