import { LRUCache } from "lru-cache";
import { UpstreamError } from "../egress/upstream-error.ts";

export interface ReadThrough<Subject, Answer> {
  /** Returns the cached response or calls the upstream. Concurrent reads of the same subject share one call. */
  readonly read: (subject: Subject) => Promise<Answer>;
  /** Removes a cached response that the caller found to be wrong. */
  readonly forget: (subject: Subject) => void;
}

export interface ReadThroughOptions<Subject, Answer> {
  readonly key: (subject: Subject) => string;
  /** Calls the upstream. Empty results are cached, errors are not. After a 429, calls for all subjects pause. */
  readonly call: (subject: Subject) => Promise<Answer>;
  readonly ttlMs: (response: Answer) => number;
  /** Maximum number of cached responses. The least recently used one is removed first. */
  readonly maxEntries: number;
  /** Maximum number of concurrent calls. Further calls are rejected with an `UpstreamError`. */
  readonly maxConcurrency: number;
  readonly clock: () => Date;
}

/** Pause after a 429 without `Retry-After`. */
const defaultRestMs = 30_000;
/** Maximum pause, even if `Retry-After` is longer. */
const maxRestMs = 300_000;

export function readThrough<Subject, Answer>(
  options: ReadThroughOptions<Subject, Answer>,
): ReadThrough<Subject, Answer> {
  const { key, call: sendRequest, ttlMs, maxEntries, maxConcurrency, clock } = options;
  let underWay = 0;
  let rest: { readonly until: number; readonly because: UpstreamError } | undefined;
  const resting = (error: unknown) => {
    if (!(error instanceof UpstreamError) || error.status !== 429) return;
    const { retryAfterSeconds } = error;
    const forMs = retryAfterSeconds === undefined ? defaultRestMs : retryAfterSeconds * 1000;
    rest = { until: clock().getTime() + Math.min(forMs, maxRestMs), because: error };
  };
  // The cache treats `undefined` as missing, so a response is wrapped in an object.
  const responses = new LRUCache<string, { readonly answer: Answer }, { readonly subject: Subject }>({
    max: maxEntries,
    ttl: 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
    // If the entry is evicted during the call, the waiting callers still receive the response.
    ignoreFetchAbort: true,
    fetchMethod: async (_key, _stale, { context, options: stored }) => {
      if (rest && clock().getTime() < rest.until) throw rest.because;
      if (underWay >= maxConcurrency) throw new UpstreamError("too many requests to the upstream are under way");
      underWay += 1;
      try {
        const response = await sendRequest(context.subject);
        stored.ttl = ttlMs(response);
        return { answer: response };
      } catch (error) {
        resting(error);
        throw error;
      } finally {
        underWay -= 1;
      }
    },
  });
  return {
    read: async (subject) => (await responses.forceFetch(key(subject), { context: { subject } })).answer,
    forget: (subject) => {
      responses.delete(key(subject));
    },
  };
}
