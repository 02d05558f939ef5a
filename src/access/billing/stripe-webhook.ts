import type { Logger } from "pino";
import Stripe from "stripe";
import { InvalidRequest } from "../../errors.ts";
import { applyStripeEvent, type EventOutcome, type EventParts } from "./stripe-events.ts";

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
    const event = verified(body, signature, secret, now);
    const { id, type } = event;
    const outcome = await applyStripeEvent(parts, event, now);
    const isOdd = outcome === "unknown_customer" || outcome === "unknown_price";
    log[isOdd ? "warn" : "info"]({ event: id, type, outcome }, "billing event");
    return { type, outcome };
  };
}

function verified(body: string, signature: string | undefined, secret: string, now: Date): Stripe.Event {
  try {
    return Stripe.webhooks.constructEvent(body, signature ?? "", secret, toleranceSeconds, undefined, now.getTime());
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError)
      throw new InvalidRequest([
        {
          field: "Stripe-Signature",
          description: `value must be Stripe's signature of this body, not older than ${toleranceSeconds} seconds`,
        },
      ]);
    if (error instanceof SyntaxError) throw new InvalidRequest([{ field: "body", description: "value must be JSON" }]);
    throw error;
  }
}
