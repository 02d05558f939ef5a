import type { Logger } from "pino";
import { ConfigurationError } from "../../errors.ts";
import { installCommand, isMissingPackage } from "../../reference/optional-packages.ts";
import type { Store } from "../../store/tables.ts";
import type { Plans } from "../plans.ts";
import { type BillingProviders, localBilling } from "./provider.ts";
import type { Prices } from "./stripe-objects.ts";
import type { ReceiveDelivery } from "./stripe-webhook.ts";

export interface Billing {
  readonly providers: BillingProviders;
  /** Handles webhook deliveries from Stripe; undefined if no signing secret is configured. */
  readonly receive: ReceiveDelivery | undefined;
}

export interface BillingParts {
  readonly stripe: {
    readonly secretKey: string | undefined;
    readonly webhookSecret: string | undefined;
    readonly prices: Prices;
  };
  readonly stripeUrl?: string | undefined;
  readonly database: Store;
  readonly plans: Plans;
  readonly log: Logger;
}

/** Throws if payment is configured but the optional package `stripe` is not installed. */
export async function requireStripe({ secretKey, webhookSecret }: BillingParts["stripe"]): Promise<void> {
  if (secretKey === undefined && webhookSecret === undefined) return;
  await import("stripe").catch((error: unknown) => {
    if (!isMissingPackage(error, "stripe")) throw error;
    const setting = secretKey === undefined ? "IDS_STRIPE_WEBHOOK_SECRET" : "IDS_STRIPE_SECRET_KEY";
    throw new ConfigurationError(
      `${setting} is set, but the package stripe is not installed. Run ${installCommand("stripe")}.`,
    );
  });
}

/** Opens the billing functions whose secrets are set. The Stripe library is loaded only if one of them is set. */
export async function openBilling({ stripe, stripeUrl: url, database, plans, log }: BillingParts): Promise<Billing> {
  const { secretKey, webhookSecret, prices } = stripe;
  const requesting = secretKey && (await import("./stripe.ts")).stripeBilling({ secretKey, prices, url }, plans);
  return {
    providers: { local: localBilling, ...(requesting ? { stripe: requesting } : {}) },
    receive:
      webhookSecret === undefined
        ? undefined
        : (await import("./stripe-webhook.ts")).stripeWebhook(webhookSecret, { database, prices, plans }, log),
  };
}
