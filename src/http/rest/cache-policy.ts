import { serializeDictionary } from "structured-headers";
import { CacheTier } from "../../../gen/es/ids/options/v1/options_pb.ts";
import type { Operation } from "../../contract/catalog.ts";
import type { DataStatus } from "../../contract/data-status.ts";

/** The caching headers of a response, as alternating names and values. */
export type CachePolicy = readonly string[];

export const noStore: CachePolicy = ["Cache-Control", "no-store"];

/** Cache scope and durations in seconds. A header omits values that are undefined. */
interface Terms {
  readonly scope?: "public" | "private";
  readonly browser: number;
  readonly proxy?: number;
  readonly revalidate?: number;
  readonly onError?: number;
  readonly network?: number;
}

/** A response to a key belongs to one caller: the browser may cache it, a shared cache must not. */
const keyed: Terms = { scope: "private", browser: 300, revalidate: 60, onError: 1800 };
const untiered: Terms = { browser: 300, revalidate: 60, onError: 1800 };

/** Seconds for the browser, shared caches, stale-while-revalidate, stale-if-error, and the content delivery network. */
const shared: Partial<Record<CacheTier, readonly [number, number, number, number, number]>> = {
  [CacheTier.FAST]: [60, 300, 60, 600, 600],
  [CacheTier.MEDIUM]: [120, 600, 120, 900, 1200],
  [CacheTier.SLOW]: [300, 1800, 300, 3600, 3600],
  [CacheTier.STATIC]: [600, 3600, 600, 14_400, 14_400],
  [CacheTier.DAILY]: [3600, 14_400, 7200, 172_800, 86_400],
};

/** Maximum cache time in seconds if the data is stale or will soon be. */
const staleSeconds = 60;

export function cachePolicy(operation: Operation): CachePolicy {
  const terms = termsOf(operation);
  return terms ? written(terms) : noStore;
}

/** Returns the caching headers of a success. Caches must not retain data that the service may no longer return. */
export function cachePolicyAt(operation: Operation): (dataStatus: DataStatus | undefined) => CachePolicy {
  const terms = termsOf(operation);
  if (!terms) return () => noStore;
  const usual = written(terms);
  const max = Math.max(terms.browser, terms.proxy ?? 0, terms.network ?? 0);
  const maxTotalLength = max + Math.max(terms.revalidate ?? 0, terms.onError ?? 0);
  return (dataStatus) => {
    if (!dataStatus) return usual;
    const servable = Math.floor(dataStatus.servableForMs / 1000);
    if (dataStatus.staleForMs > 0) return written(whileStale(terms, servable));
    const fresh = Math.floor(dataStatus.freshForMs / 1000);
    if (fresh >= max && servable >= maxTotalLength) return usual;
    return written(within(terms, { stored: Math.min(Math.max(fresh, staleSeconds), servable), servable }));
  };
}

function termsOf({ cache, access }: Operation): Terms | undefined {
  if (cache === CacheTier.NO_STORE) return undefined;
  if (!access.anonymous) return keyed;
  const seconds = shared[cache];
  if (!seconds) return untiered;
  const [browser, proxy, revalidate, onError, network] = seconds;
  return { scope: "public", browser, proxy, revalidate, onError, network };
}

function whileStale({ scope, browser, proxy }: Terms, servable: number): Terms {
  const stored = Math.min(staleSeconds, servable);
  return {
    ...(scope && { scope }),
    browser: Math.min(browser, stored),
    ...(proxy !== undefined && { proxy: Math.min(proxy, stored) }),
  };
}

/** Caches may return expired responses only while the service could still return the data. */
function within(terms: Terms, { stored, servable }: { readonly stored: number; readonly servable: number }): Terms {
  const beyond = servable - Math.min(stored, Math.max(terms.browser, terms.proxy ?? 0, terms.network ?? 0));
  const cut = (name: keyof Terms, max: number) => {
    const seconds = terms[name];
    return typeof seconds === "number" ? { [name]: Math.min(seconds, max) } : {};
  };
  return {
    ...(terms.scope && { scope: terms.scope }),
    browser: Math.min(terms.browser, stored),
    ...cut("proxy", stored),
    ...cut("network", stored),
    ...cut("revalidate", beyond),
    ...cut("onError", beyond),
  };
}

function written({ scope, browser, proxy, revalidate, onError, network }: Terms): CachePolicy {
  const directives = [
    ...(scope ? [scope] : []),
    `max-age=${browser}`,
    ...(proxy === undefined ? [] : [`s-maxage=${proxy}`]),
    ...(revalidate === undefined ? [] : [`stale-while-revalidate=${revalidate}`]),
    ...(onError === undefined ? [] : [`stale-if-error=${onError}`]),
  ];
  return [
    "Cache-Control",
    directives.join(", "),
    ...(network === undefined ? [] : ["CDN-Cache-Control", serializeDictionary({ "max-age": network })]),
  ];
}
