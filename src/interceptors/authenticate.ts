import { isKeyShaped, type Principal } from "../access/keys/api-key.ts";
import { KeysUnreadable, NotAuthenticated, Unavailable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import type { KeyGuard } from "./key-guard.ts";

/** The first access check: finds a key's account. Throws `NotAuthenticated`, `KeysUnreadable`, or the guard's error. */
export interface Authenticate {
  /** The result is synchronous if the key is cached. Otherwise the key is looked up in the store. */
  (presented: string | undefined, client: ClientInfo): Principal | Promise<Principal>;
  /** Invalidates the cache. Called after keys were added or revoked. */
  readonly forget: () => void;
}

interface Verified {
  readonly principal: Principal;
  /** The entry is valid until this time: for a minute, or until the key expires. */
  readonly until: number;
  /** From this time on, a use of the key starts a lookup in the background. */
  renewFrom: number;
  /** True if any keys have changed since the lookup. The next use of the key then waits for a new lookup. */
  isStale: boolean;
}

/** Maximum time for which a cached key is accepted, even if the store is unreachable. */
const trustedForMs = 60_000;
/** Keys in use are looked up again after this time, so that they stay valid longer if the store fails. */
const renewedAfterMs = 15_000;

/** Maximum number of cached keys, which limits memory. */
const rememberedKeys = 50_000;

export function createAuthenticate(parts: {
  /** Returns whether a text has the format of a credential. The default is the format of API keys. */
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

  /** Starts a lookup. Concurrent requests with the same key share it. */
  const begin = (presented: string, known: Verified | undefined, client: ClientInfo) => {
    const principal = verify(presented, known, client);
    verifying.set(presented, principal);
    const end = () => verifying.get(presented) === principal && verifying.delete(presented);
    principal.then(end, end);
    return principal;
  };

  const renew = (presented: string, known: Verified, client: ClientInfo) => {
    known.renewFrom = client.now + renewedAfterMs;
    // An error is ignored here. A later use repeats the lookup and reports the error.
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
      // A running lookup may return the key as it was before the change, so its result is not used.
      verifying.clear();
      for (const entry of verified.values()) entry.isStale = true;
    },
  });
}
