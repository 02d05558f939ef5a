import { setTimeout as delay } from "node:timers/promises";
import { Counter, type Registry } from "prom-client";
import type { ReceiveDelivery } from "../../access/billing/stripe-webhook.ts";
import { RequestTooSlow } from "../../errors.ts";
import { type Exchange, sendJson } from "../exchange.ts";
import { readBody } from "../rest/request-body.ts";
import type { Route } from "../router.ts";

/** Maximum size of an event, which limits memory. Events of subscriptions are much smaller. */
const maxBodyBytes = 256 * 1024;
/** Maximum time for receiving an event. Stripe sends each in one piece. */
const maxMs = 5_000;

export function stripeWebhookRoute(receive: ReceiveDelivery, registry: Registry): readonly [string, Route] {
  const deliveries = new Counter({
    name: "ids_billing_events_total",
    help: "Signed events of the billing provider by outcome.",
    labelNames: ["type", "outcome"] as const,
    registers: [registry],
  });
  const serve = async (exchange: Exchange) => {
    const { request, now } = exchange;
    const body = await bodyInTime(exchange);
    const signature = request.headers["stripe-signature"];
    const { type, outcome } = await receive(body, signature?.toString(), new Date(now));
    // Other event types share one label, because Stripe may send any number of types.
    deliveries.inc({ type: outcome === "ignored" ? "other" : type, outcome });
    sendJson(exchange, 200, { received: true });
    return 200;
  };
  return ["/webhooks/stripe", { name: "stripe-webhook", verbs: ["POST"], anonymous: false, serve }];
}

async function bodyInTime({ request }: Exchange): Promise<string> {
  const timeouts = new AbortController();
  const late = delay(maxMs, undefined, { signal: timeouts.signal }).then(() => {
    throw new RequestTooSlow("request_timeout");
  });
  late.catch(() => undefined);
  try {
    return await Promise.race([readBody(request, maxBodyBytes), late]);
  } finally {
    timeouts.abort();
  }
}
