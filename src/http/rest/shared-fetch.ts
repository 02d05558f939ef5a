import type { LRUCache } from "lru-cache";

/** A cache whose values are created once for all concurrent requests: `fetchMethod` calls the `context` for that. */
type SharedCache<Value extends object> = LRUCache<string, Value, () => Promise<Value>>;

/** Returns a cached value, or creates it. If the request that creates it fails, each waiting request creates its own. */
export async function fetchShared<Value extends object>(
  cache: SharedCache<Value>,
  key: string,
  create: () => Promise<Value>,
  isGone: () => boolean,
): Promise<Value> {
  for (;;) {
    let isOwn = false;
    const context = () => {
      isOwn = true;
      return create();
    };
    try {
      return await cache.forceFetch(key, { context });
    } catch (error) {
      if (isOwn || isGone()) throw error;
    }
  }
}
