import { isKeyShaped, type Principal } from "../access/keys/api-key.ts";
import { KeysUnreadable, NotAuthenticated, Unavailable } from "../errors.ts";
import type { ClientInfo } from "./client-info.ts";
import type { KeyGuard } from "./key-guard.ts";

/** First step: who holds the presented key. Throws `NotAuthenticated`, `KeysUnreadable` or what the guard throws. */
export interface Authenticate {
  /** At once for a key seen lately, else after a look into the store. */
  (presented: string | undefined, client: ClientInfo): Principal | Promise<Principal>;
  /** Drops what is remembered: keys were added or revoked. */
  readonly forget: () => void;
}

interface Verified {
  readonly principal: Principal;
  /** How long it goes on without another look: a minute, and never beyond the key's own end. */
  readonly until: number;
  /** From then on its next use has it looked up again, which nobody waits for. */
  renewFrom: number;
  /** Set when keys have changed since: to be looked up again before the next use. */
  doubted: boolean;
}

/** How long a verified key goes on while the store is out of reach, and at most before it is looked up again. */
const trustedForMs = 60_000;
/** So that a key in use goes on for most of that time when the store is lost, whenever that is. */
const renewedAfterMs = 15_000;

/** Bounds the memory that callers with many keys can take. */
const rememberedKeys = 50_000;

export function createAuthenticate(parts: {
  /** Absent: as keys are. */
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
    if (known && !known.doubted && client.now < known.until) {
      if (client.now >= known.renewFrom) renew(presented, known, client);
      return known.principal;
    }
    return verifying.get(presented) ?? begin(presented, known, client);
  };

  /** Requests that bring the same key at the same time share one look at it. */
  const begin = (presented: string, known: Verified | undefined, client: ClientInfo) => {
    const principal = verify(presented, known, client);
    verifying.set(presented, principal);
    const end = () => verifying.get(presented) === principal && verifying.delete(presented);
    principal.then(end, end);
    return principal;
  };

  const renew = (presented: string, known: Verified, client: ClientInfo) => {
    known.renewFrom = client.now + renewedAfterMs;
    // What cannot be looked up now will be with a later use, or tell why when somebody waits for it.
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
    verified.set(presented, { principal, until, renewFrom: now + renewedAfterMs, doubted: changes !== changesBefore });
    return principal;
  };

  return Object.assign(authenticate, {
    forget: () => {
      changes += 1;
      // What is being read may be older than the change.
      verifying.clear();
      for (const entry of verified.values()) entry.doubted = true;
    },
  });
}
