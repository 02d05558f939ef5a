import Stripe from "stripe";
import { UpstreamError } from "../../egress/upstream-error.ts";
import type { Plans } from "../plans.ts";
import type { BillingProvider } from "./provider.ts";
import { billedOf, type Prices, stripeSubscription } from "./stripe-objects.ts";

/** Total timeout. It is short because a caller waits for the response. */
const timeoutMs = 2_000;

interface StripeSettings {
  readonly secretKey: string;
  readonly prices: Prices;
  readonly url?: string | undefined;
}

/** Reads subscriptions from Stripe, without retries. */
export function stripeBilling(
  { secretKey, prices, url = "https://api.stripe.com" }: StripeSettings,
  plans: Plans,
): BillingProvider {
  const { protocol, hostname, port } = new URL(url);
  const stripe = new Stripe(secretKey, {
    protocol: protocol === "http:" ? "http" : "https",
    host: hostname,
    port: port || (protocol === "http:" ? 80 : 443),
    timeout: timeoutMs,
    maxNetworkRetries: 0,
    telemetry: false,
    // With this HTTP client the timeout covers the whole request. The default client restarts it with every byte.
    httpClient: Stripe.createFetchHttpClient(),
  });
  return {
    async call(subscription) {
      const response = await stripe.subscriptions.retrieve(subscription).catch((cause: unknown) => {
        throw toUpstreamError(cause);
      });
      const read = stripeSubscription.safeParse(response);
      if (!read.success) throw new UpstreamError("Stripe's response has an unknown format", { cause: read.error });
      return billedOf(read.data, prices, plans);
    },
  };
}

function toUpstreamError(cause: unknown): unknown {
  if (!(cause instanceof Stripe.errors.StripeError)) return cause;
  const seconds = Number(cause.headers?.["retry-after"]);
  return new UpstreamError(`Stripe: ${cause.type}`, {
    cause,
    ...(cause.statusCode === undefined ? {} : { status: cause.statusCode }),
    ...(seconds > 0 ? { retryAfterSeconds: seconds } : {}),
  });
}
