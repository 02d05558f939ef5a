import type { Subscription } from "../subscriptions.ts";

/** Source of truth about the renewal of a subscription. */
export interface BillingProvider {
  /** Throws `UpstreamError` if there is no usable response. Undefined if only the store knows the subscription. */
  readonly call?: (subscription: string) => Promise<Billed>;
}

export interface Billed {
  readonly running: boolean;
  /** Undefined if the purchased product is not one of our plans. */
  readonly plan: string | undefined;
  readonly validUntil: Date;
}

export type BillingProviders = Readonly<Partial<Record<Subscription["provider"], BillingProvider>>>;

/** Subscriptions that the operator sets. The store is authoritative, so their end needs no confirmation. */
export const localBilling: BillingProvider = {};
