import type { Subscription } from "../subscriptions.ts";

/** Who knows whether a subscription goes on beyond what the store tells. */
export interface BillingProvider {
  /**
   * Asks for a subscription as it is now; throws `UpstreamError` when there is no usable answer. Absent where the store
   * itself is all there is to know.
   */
  readonly call?: (subscription: string) => Promise<Billed>;
}

/** A subscription as the billing provider tells it. */
export interface Billed {
  readonly running: boolean;
  /** Undefined when what is paid for is no plan of ours. */
  readonly plan: string | undefined;
  /** End of the paid period. */
  readonly validUntil: Date;
}

/** The providers that are set up. */
export type BillingProviders = Readonly<Partial<Record<Subscription["provider"], BillingProvider>>>;

/** Subscriptions that the operator sets: what the store holds is the last word, so an end is neither confirmed nor doubted. */
export const localBilling: BillingProvider = {};
