import { LRUCache } from "lru-cache";
import { outside } from "../egress/outside.ts";
import { UpstreamError } from "../errors.ts";

/** Answers of an upstream to single questions, kept for a while: for operations that ask while a caller waits. */
export interface ReadThrough<Subject, Answer> {
  /** The kept answer, or what the upstream says now; whoever asks for the same meanwhile waits for the same answer. */
  readonly read: (subject: Subject) => Promise<Answer>;
  /** Lets go of an answer that has proved wrong. */
  readonly forget: (subject: Subject) => void;
}

export interface ReadThroughOptions<Subject, Answer> {
  /** Subjects with the same key are the same. */
  readonly key: (subject: Subject) => string;
  /**
   * Asks the upstream. That there is nothing is an answer and kept; what it throws is not, but an upstream that was asked too
   * often (429) is left alone, whatever the subject, as long as it says.
   */
  readonly call: (subject: Subject) => Promise<Answer>;
  readonly ttlMs: (response: Answer) => number;
  /** Bounds the memory of answers; those not used for longest go first. */
  readonly maxEntries: number;
  /** More questions under way than this are turned away with an `UpstreamError`. */
  readonly maxConcurrency: number;
  readonly clock: () => Date;
}

/** Where a 429 does not say how long. */
const defaultRestMs = 30_000;
/** No header of an upstream takes an operation away for longer. */
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
  // An answer may be `undefined`, which the cache takes for none.
  const responses = new LRUCache<string, { readonly answer: Answer }, { readonly subject: Subject }>({
    max: maxEntries,
    ttl: 1,
    ttlResolution: 0,
    perf: { now: () => clock().getTime() },
    // Who waits for an answer gets it, even if it was pushed out meanwhile.
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
    read: async (subject) => (await outside(() => responses.forceFetch(key(subject), { context: { subject } }))).answer,
    forget: (subject) => {
      responses.delete(key(subject));
    },
  };
}
