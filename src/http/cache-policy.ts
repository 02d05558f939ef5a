import { CacheTier } from "../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../contract/catalog.ts";

/** The caching headers of an answer, as flat name-value pairs. */
export type CachePolicy = readonly string[];

export const noStore: CachePolicy = ["Cache-Control", "no-store"];

/** Keyed answers belong to one caller: browsers may keep them, shared caches may not. */
const keyed: CachePolicy = ["Cache-Control", "private, max-age=300, stale-while-revalidate=60, stale-if-error=1800"];

/** Seconds: browser, shared cache, stale-while-revalidate, stale-if-error, content delivery network. */
const shared: Partial<Record<CacheTier, readonly [number, number, number, number, number]>> = {
  [CacheTier.FAST]: [60, 300, 60, 600, 600],
  [CacheTier.MEDIUM]: [120, 600, 120, 900, 1200],
  [CacheTier.SLOW]: [300, 1800, 300, 3600, 3600],
  [CacheTier.STATIC]: [600, 3600, 600, 14_400, 14_400],
  [CacheTier.DAILY]: [3600, 14_400, 7200, 172_800, 86_400],
};

/** The policy of an operation's success. */
export function cachePolicy(operation: Operation): CachePolicy {
  if (operation.cache === CacheTier.NO_STORE) return noStore;
  if (!operation.access.anonymous) return keyed;
  const seconds = shared[operation.cache];
  if (!seconds) return ["Cache-Control", "max-age=300, stale-while-revalidate=60, stale-if-error=1800"];
  const [browser, proxy, revalidate, onError, network] = seconds;
  return [
    "Cache-Control",
    `public, max-age=${browser}, s-maxage=${proxy}, stale-while-revalidate=${revalidate}, stale-if-error=${onError}`,
    "CDN-Cache-Control",
    `max-age=${network}`,
  ];
}
