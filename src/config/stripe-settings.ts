import { planKeys } from "../access/plans.ts";
import { ConfigurationError } from "../errors.ts";

/** How Stripe is reached; each of its two keys opens a part of it. */
export interface StripeSettings {
  readonly secretKey: string | undefined;
  readonly apiUrl: string;
  readonly webhookSecret: string | undefined;
  /** Plans' keys by the ids of their prices. */
  readonly prices: ReadonlyMap<string, string>;
}

/** Secrets are not repeated. */
export function stripe(settings: StripeSettings): StripeSettings {
  const { secretKey, apiUrl, webhookSecret, prices } = settings;
  if (secretKey !== undefined && !/^(sk|rk)_[A-Za-z0-9_]+$/.test(secretKey))
    throw new ConfigurationError("IDS_STRIPE_SECRET_KEY must be a key that begins with sk_ or rk_");
  if (webhookSecret !== undefined && !/^whsec_[A-Za-z0-9+/=_-]+$/.test(webhookSecret))
    throw new ConfigurationError("IDS_STRIPE_WEBHOOK_SECRET must be a secret that begins with whsec_");
  if (!/^https?:\/\/[^/?#@\\\s]+\/?$/i.test(apiUrl) || !URL.canParse(apiUrl))
    throw new ConfigurationError("IDS_STRIPE_API_URL must be an http(s) URL without a path");
  if ((secretKey ?? webhookSecret) !== undefined && prices.size === 0)
    throw new ConfigurationError(
      "IDS_STRIPE_PRICES must be set with IDS_STRIPE_SECRET_KEY or IDS_STRIPE_WEBHOOK_SECRET",
    );
  return settings;
}

/** The operator's plan is not for sale. */
export function stripePrice(text: string): [price: string, plan: string] {
  const [, price, plan] = /^([\w-]+)=([a-z_]+)$/.exec(text) ?? [];
  if (!price || !plan) throw new ConfigurationError(`IDS_STRIPE_PRICES: ${text} is not price=plan`);
  const sold = planKeys.filter((key) => key !== "operator");
  if (!sold.includes(plan))
    throw new ConfigurationError(`IDS_STRIPE_PRICES: unknown plan ${plan}; the plans are ${sold.join(", ")}`);
  return [price, plan];
}
