import { UpstreamError } from "../egress/upstream-error.ts";
import { rateGate } from "../upstream/rate-gate.ts";
import { readThrough } from "../upstream/read-through.ts";
import type { Upstream, UpstreamRequest } from "../upstream/upstream.ts";
import type { SourceTerms } from "./source.ts";
import type { Upstreams } from "./upstreams.ts";

export interface LookupParts {
  readonly upstreams: Pick<Upstreams, "origin" | "upstreamOf" | "missingOf">;
  /** Reports the outcome of every lookup, even if the response is cached. `failure` is absent after a success. */
  readonly lookedUp: (upstream: string, failure?: UpstreamError) => void;
}

/** The result of a lookup. The state is `unasked` if the source of the lookup is not configured. */
export type LookupOutcome<Value> =
  | { readonly state: "read"; readonly value: Value; readonly fetchedAt: Date }
  | { readonly state: "failed" | "unasked" };

export interface LookupLimits {
  readonly max: number;
  readonly withinMs: number;
  /** Timeout of a lookup, including the time that it waits for the rate limit. */
  readonly timeoutMs: number;
}

interface Retaining<Subject, Value> {
  /** Returns the cache key of a subject. Subjects with the same key share a response. */
  readonly key: (subject: Subject) => string;
  readonly ttlMs: (value: Value) => number;
}

const maxTurnMs = 2_000;
const maxEntries = 2_000;
const maxConcurrency = 64;

export const failed = Symbol("failed");

export async function counted<Value>(
  read: () => Promise<Value>,
  lookedUp: (failure?: UpstreamError) => void,
): Promise<Value | typeof failed> {
  try {
    const value = await read();
    lookedUp();
    return value;
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    lookedUp(error);
    return failed;
  }
}

/** Creates a lookup. It caches responses for their time to live, and never caches failures. */
export function fetchLive(
  { upstreams, lookedUp }: LookupParts,
  source: SourceTerms,
  { timeoutMs, ...limit }: LookupLimits,
) {
  const { name } = source;
  const isConfigured = upstreams.missingOf(source).length === 0;
  const upstream = upstreams.upstreamOf(source);
  const clock = () => upstream.now;
  const wait = async (milliseconds: number) => upstream.pause?.(milliseconds);
  const turn = rateGate({ name, ...limit, maxWaitMs: maxTurnMs, clock, wait });
  return <Subject, Value>(
    sendRequest: (upstream: Upstream, subject: Subject, request: Partial<UpstreamRequest>) => Promise<Value>,
    { key, ttlMs }: Retaining<Subject, Value>,
  ): ((subject: Subject) => Promise<LookupOutcome<Value>>) => {
    if (!isConfigured) return async () => ({ state: "unasked" });
    const { read } = readThrough<Subject, { readonly value: Value; readonly fetchedAt: Date }>({
      key,
      async call(subject) {
        const waitedMs = await turn();
        const value = await sendRequest(upstream, subject, {
          timeoutMs: timeoutMs - waitedMs,
          tries: 1,
          callerWaits: true,
        });
        return { value, fetchedAt: clock() };
      },
      ttlMs: ({ value }) => ttlMs(value),
      maxEntries,
      maxConcurrency,
      clock,
    });
    return async (subject) => {
      const response = await counted(
        () => read(subject),
        (failure) => lookedUp(name, failure),
      );
      return response === failed ? { state: "failed" } : { state: "read", ...response };
    };
  };
}
