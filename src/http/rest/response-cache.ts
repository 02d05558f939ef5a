import { LRUCache } from "lru-cache";
import { dayMs } from "../../reference/duration.ts";
import { layOut, type PreparedResponse } from "./prepared-response.ts";

interface CacheEntry {
  readonly answer: PreparedResponse;
  readonly expiresAt: number;
  hits: number;
}

/** Finished answers by operation and message, dropped when any data moves and after at most ten seconds. */
export interface ResponseCache {
  readonly get: (key: string, now: number) => PreparedResponse | undefined;
  /**
   * `epoch` is that of before the answer was worked out: one made from data that has moved, or on another day, is not kept.
   * One made from another kept answer, its `source`, is kept no longer than that.
   */
  readonly put: (key: string, response: PreparedResponse, epoch: number, source?: string) => void;
  readonly epoch: () => number;
  readonly clear: () => void;
}

const ttlMs = 10_000;
/** Bounds the memory of all prepared answers. */
const capacityBytes = 64 * 1024 * 1024;
const maxBytes = 1024 * 1024;
export function createResponseCache(clock: () => Date): ResponseCache {
  const stored = new LRUCache<string, CacheEntry>({
    maxSize: capacityBytes,
    maxEntrySize: 3 * maxBytes,
    // The body and room for the compressed variants made later.
    sizeCalculation: ({ answer: response }, key) => 2 * response.identity.length + key.length,
  });
  let epoch = 0;
  let day = dayOf(clock());
  /** Windows relative to now are cut to the UTC day, so no answer outlives its day. */
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
      if (found.hits === 1) layOut(found.answer);
      return found.answer;
    },
    put(key, response, madeIn, source) {
      if (madeIn !== current() || response.identity.length > maxBytes) return;
      const now = clock().getTime();
      const sourceUntil = source === undefined ? Number.POSITIVE_INFINITY : (stored.peek(source)?.expiresAt ?? now);
      stored.set(key, { answer: response, expiresAt: Math.min(now + ttlMs, (day + 1) * dayMs, sourceUntil), hits: 0 });
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
