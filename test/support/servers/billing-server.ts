import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import Stripe from "stripe";

/** How the billing provider answers from now on: a subscription as it has it, a status, or not at all. */
export type BillingBehavior = "hangs" | { readonly status: number; readonly retryAfter?: string } | BilledObject;

/** What of a subscription matters here. */
export interface BilledObject {
  readonly state: string;
  readonly price: string;
  readonly end: Date;
}

/** A real server on loopback in the billing provider's place. */
export interface BillingServer extends AsyncDisposable {
  readonly url: string;
  readonly requests: readonly { readonly path: string; readonly headers: IncomingHttpHeaders }[];
  behave: (behavior: BillingBehavior) => void;
  /** Answers what hangs with this. */
  release: (behavior: BillingBehavior) => void;
}

/** Prices of the fake provider. */
const prices = { price_pro: "pro_monthly", price_api: "api_starter" };
const webhookSecret = "whsec_test";

/** The options that point an app at the fake provider. */
export function billingOptions(stripeUrl = "http://127.0.0.1:9") {
  const environment = {
    IDS_STRIPE_SECRET_KEY: "sk_test_1",
    IDS_STRIPE_WEBHOOK_SECRET: webhookSecret,
    IDS_STRIPE_PRICES: Object.entries(prices)
      .map((pair) => pair.join("="))
      .join(","),
  };
  return { environment, stripeUrl };
}

/** A subscription in the provider's wire format. */
export function subscriptionObject(id: string, customer: string, { state, price, end }: BilledObject) {
  const item = { object: "subscription_item", price: { id: price }, current_period_end: seconds(end) };
  return { object: "subscription", id, customer, status: state, items: { object: "list", data: [item] } };
}

/** An invoice in the provider's wire format. */
export function invoiceObject(subscription: string, customer: string, end: Date) {
  const line = { period: { start: 0, end: seconds(end) }, parent: { type: "subscription_item_details" } };
  return {
    ...{ object: "invoice", id: "in_1", customer, parent: { subscription_details: { subscription } } },
    lines: { object: "list", data: [line] },
  };
}

/** A delivery as the provider sends it. */
export function signedEvent(
  event: { readonly id: string; readonly type: string; readonly created: Date; readonly object: unknown },
  signedAt = event.created,
  secret = webhookSecret,
): { readonly body: string; readonly headers: Record<string, string> } {
  const { id, type, created, object } = event;
  const payload = JSON.stringify({ id, object: "event", type, created: seconds(created), data: { object } });
  const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: seconds(signedAt) });
  return { body: payload, headers: { "Content-Type": "application/json", "Stripe-Signature": signature } };
}

export const webhookPath = "/webhooks/stripe";

export function deliver(
  { url }: { readonly url: string },
  delivery: ReturnType<typeof signedEvent>,
): Promise<Response> {
  return fetch(`${url}${webhookPath}`, { method: "POST", ...delivery });
}

export async function startBillingServer(): Promise<BillingServer> {
  let current: BillingBehavior = { status: 500 };
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const hanging: { id: string; response: ServerResponse }[] = [];
  const server = createServer((request, response) => {
    const { url: path = "", headers } = request;
    requests.push({ path, headers });
    const id = path.split("/").at(-1) ?? "";
    if (current === "hangs") hanging.push({ id, response });
    else answer(response, id, current);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave(next) {
      current = next;
    },
    release(behavior) {
      for (const { id, response } of hanging.splice(0)) answer(response, id, behavior);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function answer(response: ServerResponse, id: string, behavior: BillingBehavior): void {
  if (behavior === "hangs") return;
  response.setHeader("Content-Type", "application/json");
  if ("state" in behavior) {
    response.end(JSON.stringify(subscriptionObject(id, "cus_1", behavior)));
    return;
  }
  if (behavior.retryAfter !== undefined) response.setHeader("Retry-After", behavior.retryAfter);
  response.writeHead(behavior.status).end(JSON.stringify({ error: { type: "api_error", message: "broken" } }));
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000);
}
