import { guardRules } from "../access/quotas/quota-rules.ts";
import type { Quotas } from "../access/quotas/quotas.ts";
import { KeysUnreadable, QuotaExceeded, QuotasUnreadable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import { networkOf } from "./network.ts";

/**
 * Counts a look for a key that was not seen lately. Beyond the limit of its address it lets through only what is a key:
 * whoever guesses behind an address locks out nobody else there. Throws `QuotaExceeded`, or what tells that it cannot be counted.
 */
export type KeyGuard = (presented: string, client: ClientInfo) => Promise<void>;

export interface KeyGuardParts {
  readonly quotas: Quotas;
  /** Whether a text is a key, at a bounded cost however many are asked about. */
  readonly isKey: (presented: string) => Promise<boolean>;
}

export function createKeyGuard({ quotas, isKey }: KeyGuardParts): KeyGuard {
  return async (presented, client) => {
    try {
      await quotas.take(guardRules, networkOf(client.address()), client.now);
    } catch (error) {
      if (error instanceof QuotaExceeded && (await isKey(presented).catch(unreadable))) return;
      // The counters are in the keys' own database: they are lost together, and the request is about the keys.
      if (error instanceof QuotasUnreadable) return unreadable(error);
      throw error;
    }
  };
}

function unreadable(cause: unknown): never {
  throw new KeysUnreadable("Keys cannot be validated now", { cause });
}
