import { LRUCache } from "lru-cache";
import { dayMs } from "../../reference/duration.ts";
import { layOut, type PreparedResponse } from "./prepared-response.ts";

interface CacheEntry {
  readonly response: PreparedResponse;
  readonly expiresAt: number;
  hits: number;
}

/** Caches responses until any data changes, but at most ten seconds. */
export interface ResponseCache {
  readonly get: (key: string, now: number) => PreparedResponse | undefined;
  /**
   * Caches a response. `epoch` is the epoch before the response was computed; if data has changed since or the day has
   * ended, the response is not cached. A response that was derived from a cached response `source` expires with it.
   */
  readonly put: (key: string, response: PreparedResponse, epoch: number, source?: string) => void;
  readonly epoch: () => number;
  readonly clear: () => void;
}

const ttlMs = 10_000;
const capacityBytes = 64 * 1024 * 1024;
const maxBytes = 1024 * 1024;
export function createResponseCache(clock: () => Date): ResponseCache {
  const stored = new LRUCache<string, CacheEntry>({
    maxSize: capacityBytes,
    maxEntrySize: 3 * maxBytes,
    // The factor of two accounts for the compressed variants of the body.
    sizeCalculation: ({ response }, key) => 2 * response.identity.length + key.length,
  });
  let epoch = 0;
  let day = dayOf(clock());
  /** Returns the epoch. Each UTC day starts a new one, because periods like "the last 7 days" start at a UTC day. */
  const current = () => {
    const today = dayOf(clock());
    if (today !== day) epoch += 1;
    day = today;
    return epoch;
  };
  return {
    get(key, now) {
      const found = stored.get(key);
      if (!found) return undefined;
      if (now >= found.expiresAt) {
        stored.delete(key);
        return undefined;
      }
      found.hits += 1;
      if (found.hits === 1) void layOut(found.response);
      return found.response;
    },
    put(key, response, madeIn, source) {
      if (madeIn !== current() || response.identity.length > maxBytes) return;
      const now = clock().getTime();
      const sourceUntil = source === undefined ? Number.POSITIVE_INFINITY : (stored.peek(source)?.expiresAt ?? now);
      stored.set(key, { response, expiresAt: Math.min(now + ttlMs, (day + 1) * dayMs, sourceUntil), hits: 0 });
    },
    epoch: current,
    clear() {
      epoch += 1;
      stored.clear();
    },
  };
}

function dayOf(now: Date): number {
  return Math.floor(now.getTime() / dayMs);
}
