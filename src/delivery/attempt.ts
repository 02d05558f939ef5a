import type { Dispatcher } from "undici";
import { AddressRefused } from "../egress/guarded-agent.ts";
import { targetOf } from "../egress/target.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../reference/duration.ts";
import { libraries } from "../reference/libraries.ts";
import type { Tracing } from "../telemetry/tracing.ts";
import { retryAfterSeconds, userAgent } from "../upstream/live.ts";
import type { AttemptError } from "./delivery-table.ts";

export interface Attempted {
  readonly status?: number;
  readonly error: AttemptError;
  readonly retryAfterSeconds?: number;
}

export interface AttemptParts {
  readonly agent: () => Dispatcher;
  readonly allowLoopback: boolean;
  readonly timeoutMs: number;
  /** Tracing; if defined, deliveries contain a trace header, so that receivers can continue the trace. */
  readonly tracing?: Tracing | undefined;
}

/** Maximum bytes of a response that are read. Further bytes are ignored. */
const maxBytesRead = 65_536;

/** Sends a delivery once. Any status except 2xx is a failure, even a redirect. Never throws. */
export async function attempt(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  { agent, allowLoopback, timeoutMs, tracing }: AttemptParts,
): Promise<Attempted> {
  const target = targetOf(url, allowLoopback);
  if ("rejected" in target) return { error: "address" };
  const signal = AbortSignal.timeout(timeoutMs);
  try {
    const response = await libraries.undici().request(target.url, {
      method: "POST",
      headers: { "content-type": "application/json", "user-agent": userAgent(), ...tracing?.headers(), ...headers },
      body,
      dispatcher: agent(),
      signal,
    });
    const { statusCode: status } = response;
    await response.body.dump({ limit: maxBytesRead, signal });
    if (status >= 200 && status < 300) return { status, error: "" };
    const header = response.headers["retry-after"];
    const seconds = retryAfterSeconds(typeof header === "string" ? header : null, new Date());
    return { status, error: "status", ...(seconds === undefined ? {} : { retryAfterSeconds: seconds }) };
  } catch (error) {
    if (error instanceof AddressRefused) return { error: "address" };
    return { error: signal.aborted ? "timeout" : "connection" };
  }
}

/** Pauses after failed attempts, in milliseconds. A delivery has one attempt more than pauses. */
export type RetryPlan = readonly number[];

/** The pauses add up to several days, so that a receiver can be down for a weekend. */
export const retryPlan: RetryPlan = [
  ...[5 * secondMs, 5 * minuteMs, 30 * minuteMs],
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * hourMs),
];

/** Random share by which a pause varies, so that failed deliveries are not all retried at the same time. */
const jitter = 0.1;
const maxRetryAfterMs = dayMs;

/** Returns the pause after an attempt; undefined after the last one. `random` is from 0 to 1. */
export function waitAfter(
  plan: RetryPlan,
  failures: number,
  { status, retryAfterSeconds }: Attempted,
  random: number,
): number | undefined {
  const wait = plan[failures - 1];
  if (wait === undefined) return undefined;
  const spread = wait * (1 + jitter * (2 * random - 1));
  const requested =
    status !== undefined && [429, 502, 503, 504].includes(status) ? (retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.max(spread, Math.min(requested, maxRetryAfterMs));
}
