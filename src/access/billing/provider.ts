import type { Subscription } from "../subscriptions.ts";

/** Billing provider, which knows whether a subscription was renewed. */
export interface BillingProvider {
  /** Reads a subscription; undefined if only the store has them. Throws `UpstreamError` without a usable response. */
  readonly call?: (subscription: string) => Promise<Billed>;
}

export interface Billed {
  readonly running: boolean;
  /** Plan of the purchase; undefined if the purchased product is not a plan of the service. */
  readonly plan: string | undefined;
  readonly validUntil: Date;
}

export type BillingProviders = Readonly<Partial<Record<Subscription["provider"], BillingProvider>>>;

/** Subscriptions that the operator sets. The store has their final state, so no provider needs to be requested. */
export const localBilling: BillingProvider = {};
