import { guardRules } from "../access/quotas/quota-rules.ts";
import type { Quotas } from "../access/quotas/quotas.ts";
import { KeysUnreadable, QuotaExceeded, QuotasUnreadable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import { networkOf } from "./network.ts";

/**
 * Limits lookups of keys that are not cached. Above the limit of an address, only valid keys pass. A client that
 * guesses keys therefore cannot lock out others behind the same address. Throws `QuotaExceeded` or `KeysUnreadable`.
 */
export type KeyGuard = (presented: string, client: ClientInfo) => Promise<void>;

export interface KeyGuardParts {
  readonly quotas: Quotas;
  /** Returns whether a text is a valid key. Checks are batched, which limits their cost. */
  readonly isKey: (presented: string) => Promise<boolean>;
}

export function createKeyGuard({ quotas, isKey }: KeyGuardParts): KeyGuard {
  return async (presented, client) => {
    try {
      await quotas.take(guardRules, networkOf(client.address()), client.now);
    } catch (error) {
      if (error instanceof QuotaExceeded && (await isKey(presented).catch(unreadable))) return;
      // If the counters cannot be read, the keys cannot be read either. The error reports the keys, because the request
      // needs them.
      if (error instanceof QuotasUnreadable) return unreadable(error);
      throw error;
    }
  };
}

function unreadable(cause: unknown): never {
  throw new KeysUnreadable("Keys cannot be validated now", { cause });
}
