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
  /** Whether a text is a valid key. The cost is bounded, however many texts are checked. */
  readonly isKey: (presented: string) => Promise<boolean>;
}

export function createKeyGuard({ quotas, isKey }: KeyGuardParts): KeyGuard {
  return async (presented, client) => {
    try {
      await quotas.take(guardRules, networkOf(client.address()), client.now);
    } catch (error) {
      if (error instanceof QuotaExceeded && (await isKey(presented).catch(unreadable))) return;
      // Counters and keys are in the same database and fail together. The request is about the keys.
      if (error instanceof QuotasUnreadable) return unreadable(error);
      throw error;
    }
  };
}

function unreadable(cause: unknown): never {
  throw new KeysUnreadable("Keys cannot be validated now", { cause });
}
