import type { Subscription } from "../subscriptions.ts";

/** System that knows whether a subscription was renewed. */
export interface BillingProvider {
  /** Throws `UpstreamError` if there is no usable response. Undefined for subscriptions that only the store has. */
  readonly call?: (subscription: string) => Promise<Billed>;
}

export interface Billed {
  readonly running: boolean;
  /** Undefined if the purchased product is not a plan of the service. */
  readonly plan: string | undefined;
  readonly validUntil: Date;
}

export type BillingProviders = Readonly<Partial<Record<Subscription["provider"], BillingProvider>>>;

/** Subscriptions that the operator sets. The store has their final state, so no provider is requested. */
export const localBilling: BillingProvider = {};
