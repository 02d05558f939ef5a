import { guardRules } from "../access/quota-rules.ts";
import type { Quotas } from "../access/quotas.ts";
import { KeysUnreadable, QuotasUnreadable } from "../errors.ts";
import { networkOf } from "./network.ts";
import type { Visitor } from "./visitor.ts";

/** Counts a look for a key that was not seen lately. Throws `QuotaExceeded`, or what tells that it cannot be counted. */
export type KeyGuard = (visitor: Visitor) => Promise<void>;

export function createKeyGuard(quotas: Quotas, { countsBesideKeys }: { readonly countsBesideKeys: boolean }): KeyGuard {
  return async (visitor) => {
    try {
      await quotas.take(guardRules, networkOf(visitor.address()), visitor.now);
    } catch (error) {
      // A counter in the keys' own database is lost together with them, and the keys are what the caller asked about.
      if (countsBesideKeys && error instanceof QuotasUnreadable)
        throw new KeysUnreadable("Keys cannot be validated now", { cause: error });
      throw error;
    }
  };
}
