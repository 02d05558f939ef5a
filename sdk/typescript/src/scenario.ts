import type { Answered } from "./api-promise.ts";
import { TimeoutError } from "./errors.ts";
import { retryAfter } from "./headers.ts";
import type { CallOptions, Settings } from "./options.ts";

/** Options of waiting for a job. The options of a call apply to each request. */
export interface WaitOptions extends Omit<CallOptions, "idempotencyKey"> {
  /** Total timeout in milliseconds, 120,000 by default. */
  readonly timeoutMs?: number | undefined;
}

const firstPauseMs = 1_000;
const maxPauseMs = 10_000;

/**
 * Polls a job until it is done or has failed, at the service's interval, or after 1 s, 2 s, 4 s, up to every 10 s.
 * Throws a TimeoutError if it takes longer than the timeout.
 */
export async function ended<Job extends { readonly status: string }>(
  settings: Settings,
  { timeoutMs = 120_000, ...options }: WaitOptions,
  read: (options: CallOptions) => Promise<Answered<Job>>,
): Promise<Job> {
  const until = settings.now() + timeoutMs;
  for (let asked = 0; ; asked++) {
    const left = Math.max(1, until - settings.now());
    const { data, response } = await read({ ...options, timeoutMs: Math.min(settings.timeoutMs, left) });
    if (data.status === "done" || data.status === "failed") return data;
    const now = settings.now();
    const said = retryAfter(response.headers.get("Retry-After"), now);
    const pause = said ? said * 1_000 : Math.min(firstPauseMs * 2 ** asked, maxPauseMs);
    if (now + pause > until) {
      const { requestId, status } = response;
      throw new TimeoutError(`The scenario is still ${data.status} after ${timeoutMs} ms`, { status, requestId });
    }
    await settings.sleep(pause, options.signal);
  }
}
