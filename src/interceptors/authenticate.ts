import { isKeyShaped, type Principal } from "../access/keys/api-key.ts";
import { KeysUnreadable, NotAuthenticated, Unavailable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import type { KeyGuard } from "./key-guard.ts";

/** The first gate. Throws `NotAuthenticated`, `KeysUnreadable` or an error of the guard. */
export interface Authenticate {
  /** Returns immediately if the key is cached, or else after a lookup in the store. */
  (presented: string | undefined, client: ClientInfo): Principal | Promise<Principal>;
  /** Invalidates the cache, because keys were added or revoked. */
  readonly forget: () => void;
}

interface Verified {
  readonly principal: Principal;
  /** End of the cache entry: after a minute, or when the key expires. */
  readonly until: number;
  /** After this time, the next use starts a lookup in the background. */
  renewFrom: number;
  /** Set if keys have changed since. The next use waits for a lookup. */
  isStale: boolean;
}

/** Maximum time for which a cached key is accepted without a lookup, even if the store is unreachable. */
const trustedForMs = 60_000;
/** Keys in use are refreshed early. If the store fails, each of them stays valid for most of the maximum time. */
const renewedAfterMs = 15_000;

/** Limits the memory for callers with many keys. */
const rememberedKeys = 50_000;

export function createAuthenticate(parts: {
  /** The default checks the format of API keys. */
  readonly isShaped?: (presented: string) => boolean;
  readonly find: (key: string, now: number) => Promise<Principal | undefined>;
  readonly admits: (principal: Principal) => boolean;
  readonly guard: KeyGuard;
}): Authenticate {
  const { isShaped = isKeyShaped } = parts;
  const verified = new Map<string, Verified>();
  const verifying = new Map<string, Promise<Principal>>();
  let changes = 0;

  const authenticate = (presented: string | undefined, client: ClientInfo) => {
    if (!presented) throw new NotAuthenticated("API key required");
    const known = verified.get(presented);
    if (known && !known.isStale && client.now < known.until) {
      if (client.now >= known.renewFrom) renew(presented, known, client);
      return known.principal;
    }
    return verifying.get(presented) ?? begin(presented, known, client);
  };

  /** Concurrent requests with the same key share one lookup. */
  const begin = (presented: string, known: Verified | undefined, client: ClientInfo) => {
    const principal = verify(presented, known, client);
    verifying.set(presented, principal);
    const end = () => verifying.get(presented) === principal && verifying.delete(presented);
    principal.then(end, end);
    return principal;
  };

  const renew = (presented: string, known: Verified, client: ClientInfo) => {
    known.renewFrom = client.now + renewedAfterMs;
    // A failed lookup is repeated at a later use, and reports its error when a request waits for it.
    if (!verifying.has(presented)) verify(presented, known, client).catch(() => undefined);
  };

  const verify = async (presented: string, known: Verified | undefined, client: ClientInfo) => {
    if (!isShaped(presented)) throw new NotAuthenticated("Invalid API key");
    const { now } = client;
    if (!known) await parts.guard(presented, client);
    const changesBefore = changes;
    const principal = await parts.find(presented, now).catch((cause: unknown) => {
      if (!(cause instanceof Unavailable)) throw cause;
      if (known && now < known.until) return known.principal;
      throw new KeysUnreadable("Keys cannot be validated now", { cause });
    });
    const expiresAt = principal?.expiresAt ?? Number.POSITIVE_INFINITY;
    if (!principal || !parts.admits(principal) || now >= expiresAt) {
      verified.delete(presented);
      throw new NotAuthenticated("Invalid API key");
    }
    if (principal === known?.principal) return principal;
    if (verified.size >= rememberedKeys) verified.clear();
    const until = Math.min(now + trustedForMs, expiresAt);
    verified.set(presented, { principal, until, renewFrom: now + renewedAfterMs, isStale: changes !== changesBefore });
    return principal;
  };

  return Object.assign(authenticate, {
    forget: () => {
      changes += 1;
      // Lookups in progress may have read the state before the change.
      verifying.clear();
      for (const entry of verified.values()) entry.isStale = true;
    },
  });
}
